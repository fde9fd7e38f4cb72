import gc

import pytest

from scenthound.gc_tuning import RARELY, rare_collection


def test_the_collector_is_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with rare_collection():
        assert gc.get_threshold() == RARELY
    assert gc.get_threshold() == before
    with pytest.raises(RuntimeError), rare_collection():
        raise RuntimeError
    assert gc.get_threshold() == before
