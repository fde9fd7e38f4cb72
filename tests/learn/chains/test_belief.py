from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.chains.belief import VERSION, digits_of, discounted, packed, priorities, unpacked, with_second

thousandths = st.lists(st.integers(0, 1000), min_size=5, max_size=5)


@given(thousandths, thousandths)
def test_packing_keeps_the_order_of_vectors_and_loses_nothing(one: list[int], other: list[int]) -> None:
    a, b = priorities(np.array([one, other]) / 1000).tolist()
    assert (a > b) == (one > other)
    assert (a == b) == (one == other)
    assert digits_of(a) == tuple(one)


def test_worked_by_hand() -> None:
    # 0.5004 and 0.4996 are both 0.500: the second number decides, though the first differs
    left, right = priorities(np.array([[0.5004, 0.1, 0.4, 0, 0], [0.4996, 0.2, 0.3, 0, 0]]))
    assert left < right
    assert left == pytest.approx(0.5, abs=1e-3)
    assert digits_of(float(right)) == (500, 200, 300, 0, 0)
    assert digits_of(float(priorities(np.array([[0.25, 0.75]]))[0]), 2) == (250, 750)


def test_a_list_of_targets_is_worth_more_than_a_slight_chance_of_one() -> None:
    slight, listing = [0.05, 0.0, 0.95, 0.0, 0.0], [0.0, 0.9, 0.1, 0.0, 0.0]
    beliefs = np.array([slight, listing])
    assert discounted(beliefs, 0.5).tolist() == pytest.approx([0.05 + 0.25 * 0.95, 0.5 * 0.9 + 0.25 * 0.1])
    assert discounted(beliefs, 0.5).argmax() == 1
    assert priorities(beliefs).argmax() == 0, "Liu's order"


def test_the_second_number_decides_only_where_the_first_is_as_good() -> None:
    low, high, better = (float(with_second(a, b, 0.001)) for a, b in ((0.3001, 0.1), (0.2999, 0.9), (0.302, 0.0)))
    assert low < high < better
    assert float(with_second(0.3, 1.0, 0.001)) < float(with_second(0.301, 0.0, 0.001))


@given(st.lists(st.floats(0.001, 1.0), min_size=5, max_size=5))
def test_memory_comes_back(values: list[float]) -> None:
    belief = np.array(values) / sum(values)
    (memory,) = packed(belief[None, :])
    assert memory == struct.pack("<B5f", VERSION, *belief)
    assert [*packed(np.array([belief, belief[::-1]]))] == [memory, struct.pack("<B5f", VERSION, *belief[::-1])]
    back = unpacked(memory, 5)
    assert back is not None
    assert back == pytest.approx(belief, abs=1e-6)


@pytest.mark.parametrize(
    "memory", [None, b"", b"\x00" * 21, bytes((VERSION,)) + b"\xff" * 20, bytes((VERSION,)) + b"\x00" * 20, b"x" * 20]
)
def test_memory_of_others_is_none(memory: bytes | None) -> None:
    assert unpacked(memory, 5) is None


def test_a_negative_share_is_none() -> None:
    (memory,) = packed(np.array([[0.5, 0.9, -0.4]]))
    assert unpacked(memory, 3) is None
