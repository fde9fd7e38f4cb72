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


def test_the_last_of_two_at_once_sets_it_back() -> None:
    before = gc.get_threshold()
    first, second = rare_collection(), rare_collection()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() == RARELY
    second.__exit__(None, None, None)
    assert gc.get_threshold() == before
