from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.frontier import fingerprints as module
from scenthound.frontier.fingerprints import OVER, UNKNOWN, WAITS, FingerprintIndex, FingerprintTable

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.integers(-20, 20)


@settings(deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.floats(-1e9, 1e9), st.integers(0, 100))), st.lists(NUMBERS))
def test_it_is_a_dict_of_notes(entries: list[tuple[int, float, int]], others: list[int]) -> None:
    check_notes(entries, others)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FEW", 0)
        check_notes(entries, others)


def check_notes(entries: list[tuple[int, float, int]], others: list[int]) -> None:
    seen, model = FingerprintTable(recent=4), {}
    for number, priority, depth in entries:
        seen.add(number, (priority, depth))
        model[number] = (priority, depth)
    asked = [number for number, _, _ in entries] + others
    assert len(seen) == len(model)
    assert seen.notes(asked) == [model.get(number) for number in asked]
    assert [seen.note(number) for number in asked] == [model.get(number) for number in asked]
    assert seen.contains_many(asked) == [number in seen for number in asked] == [number in model for number in asked]


def test_the_greatest_number_and_beyond() -> None:
    seen = FingerprintTable(recent=1)
    for number in (1, 2, 3):
        seen.add(number)
    assert seen.contains_many([3, 4, 2**63 - 1, -(2**63)]) == [True, False, False, False]


def test_a_depth_beyond_all_measure_is_cut() -> None:
    seen = FingerprintTable(recent=1)
    for number in range(4):
        seen.add(number, (0.5, 10**9))
    assert seen.note(0) == (0.5, 32_767)


def test_what_a_store_knows() -> None:
    seen = FingerprintTable()
    seen.load((number, number % 2 == 0) for number in range(100_000, 0, -1))
    assert len(seen) == 100_000
    assert seen.note(2) == (UNKNOWN, 0) == WAITS
    finished = seen.note(3)
    assert finished is not None
    assert isnan(finished[0])
    assert isnan(OVER[0])
    assert 0 not in seen
    seen.load([])
    assert len(seen) == 100_000


def test_memory_per_fingerprint() -> None:
    seen = FingerprintTable()
    seen.load((number * 7919, True) for number in range(200_000))
    arrays = seen._ids, seen._priorities, seen._depths, seen._index._begins
    assert sum(array.nbytes for array in arrays) < 19 * 200_000


@settings(deadline=None)
@given(st.sets(NUMBERS, min_size=1), st.integers(0, 1000), st.integers(0, 1000), st.lists(NUMBERS))
def test_the_index_finds_what_a_binary_search_finds(few: set[int], many: int, crowd: int, others: list[int]) -> None:
    spread = np.random.default_rng(many).integers(-(2**63), 2**63 - 1, many).tolist()
    ids = np.array(sorted({*few, *spread, *range(crowd)}), np.int64)
    wanted = np.concatenate([ids, ids + 1, np.array(others, np.int64)])
    within = wanted <= ids[-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FEW", 0)
        places = FingerprintIndex(ids).places(wanted)
    assert places[within].tolist() == np.searchsorted(ids, wanted[within]).tolist()
    assert all(places[~within] >= len(ids))
