import gc

import pytest

from scenthound.garbage import RARELY, seldom_collected


def test_the_collector_is_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with seldom_collected():
        assert gc.get_threshold() == RARELY
    assert gc.get_threshold() == before
    with pytest.raises(RuntimeError), seldom_collected():
        raise RuntimeError
    assert gc.get_threshold() == before
