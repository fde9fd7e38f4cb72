import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.text import idf
from scenthound.text.nearest import Nearest
from scenthound.text.vectors import cosine, weigh

counts = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(1, 50), max_size=8)


def weights(term: str) -> float:
    return {"a": 0.0, "b": 2.5}.get(term, 1.0)


def test_the_nearest_counts() -> None:
    near = Nearest([{"fever": 1, "cold": 1}, {"fever": 3}, {"rash": 1}], idf.none())
    assert near.similarity({"fever": 2}) == pytest.approx(1.0)
    assert near.cosines({"fever": 2}).tolist() == pytest.approx([0.5**0.5, 1.0, 0.0])
    assert near.similarity({"unknown": 1}) == near.similarity({}) == 0.0


def test_examples_that_say_nothing_are_left_out() -> None:
    near = Nearest([{}, {"fever": 1}, {"a": 1}], weights)
    assert len(near) == 1
    assert near.similarity({"fever": 1}) == pytest.approx(1.0)


def test_without_examples() -> None:
    near = Nearest([], idf.none())
    assert len(near) == 0
    assert near.similarity({"fever": 1}) == 0.0
    assert near.strongest({"fever": 1}, 3) == []


@settings(deadline=None)
@given(st.lists(counts, max_size=6), counts)
def test_all_cosines_at_once_are_the_cosines_one_by_one(examples: list[dict[str, int]], page: dict[str, int]) -> None:
    near = Nearest(examples, weights)
    expected = [cosine(weigh(page, weights), weigh(example, weights)) for example in examples]
    assert near.similarity(page) == pytest.approx(max(expected, default=0.0))
    parts = near.strongest(page, 100)
    assert sum(part for _, part in parts) == pytest.approx(near.similarity(page))
    assert parts == sorted(parts, key=lambda part: (-part[1], part[0]))
