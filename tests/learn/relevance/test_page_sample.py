from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.relevance.page_rows import PageRow
from scenthound.learn.relevance.page_sample import PageSample


def row(number: int) -> PageRow:
    return PageRow(f"http://a.test/{number}", (), number, number)


def evidence(row: PageRow) -> float:
    return float(row.words % 97)


def sampled(numbers: list[int]) -> list[str]:
    sample = PageSample(evidence, sample=20, best=5)
    for number in numbers:
        sample.add(row(number))
    return [kept.url for kept in sample.rows()]


@given(st.lists(st.integers(0, 300), max_size=200), st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(numbers: list[int], random: Random) -> None:
    shuffled = [*numbers, *numbers[:10]]
    random.shuffle(shuffled)
    assert sampled(numbers) == sampled(shuffled)


def test_it_is_bounded_and_holds_the_best() -> None:
    kept = sampled(list(range(300)))
    assert 20 <= len(kept) <= 25
    assert {f"http://a.test/{number}" for number in (96, 193, 290)} <= set(kept)


def test_new_words_choose_the_best_anew() -> None:
    sample = PageSample(evidence, sample=300, best=2)
    for number in range(50):
        sample.add(row(number))
    sample.rank_again(lambda row: float(-row.words + 10))
    assert {"http://a.test/0", "http://a.test/1"} <= {kept.url for kept in sample.rows()}
    assert sample.seen == 50
