from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.ranking.link_evidence import SOURCES, FoundLinks, LinkEvidence, Values
from scenthound.learn.relevance.link_words import WIDTH
from scenthound.learn.relevance.word_places import Hashes


def values(*rows: tuple[float, float]) -> Values:
    return np.array(rows, np.float32)


def found(links: list[int], values: Values, lists: list[int], word: int = 0) -> FoundLinks:
    def words(numbers: Iterable[int]) -> Hashes:
        return np.full((len(list(numbers)), WIDTH), word, np.uint32)

    return FoundLinks(links, values, words, lists, np.array([(link % 5, link % 7) for link in links], np.int32))


def test_of_several_in_links_the_best_counts_and_of_parents_all() -> None:
    evidence = LinkEvidence(2)
    evidence.add(found([7, 8], values((0.1, 0.9), (0.5, 0.5)), [10, 11]), 0.5)
    (row,) = evidence.add(found([7], values((0.6, 0.2)), [20]), 1.0).tolist()
    assert evidence.best[row].tolist() == np.array([0.6, 0.9], np.float32).tolist()
    assert evidence.parents[row].tolist() == [1.5, 2.0]
    assert {10, 20} <= set(evidence.lists[row].tolist())


def test_the_words_are_those_of_the_in_link_that_says_most() -> None:
    evidence = LinkEvidence(2)
    for word, said in ((3, 0.2), (4, 0.6), (5, 0.6), (6, 0.1)):
        (row,) = evidence.add(found([7], values((said, 0.0)), [1], word), 0.0).tolist()
    assert set(evidence.words[row].tolist()) == {4}
    assert evidence.places[row].tolist() == [2, 0]


def test_what_is_known_of_a_link_goes_over_to_its_target() -> None:
    evidence = LinkEvidence(2)
    first, second = evidence.add(found([7, 8], values((0.1, 0.9), (0.5, 0.5)), [10, 11]), 0.5).tolist()
    evidence.move(7, 9, (4, 3))
    assert [evidence.row(link) for link in (7, 8, 9)] == [None, second, first]
    assert evidence.places[first].tolist() == [4, 3]
    evidence.move(9, 8, (3, 3))
    assert [evidence.row(link) for link in (8, 9)] == [second, first], "what is known of a target stays"
    evidence.move(1, 2, (3, 3))
    assert len(evidence) == 2, "nothing was known of that one"


def test_the_same_link_twice_on_a_page_is_two_in_links() -> None:
    evidence = LinkEvidence(2)
    rows = evidence.add(found([7, 7], values((0.1, 0.9), (0.5, 0.5)), [10, 11]), 0.25)
    assert len(set(rows.tolist())) == 1
    assert evidence.parents[rows[0]].tolist() == [0.5, 2.0]


def test_a_link_that_many_pages_have_is_familiar_and_its_further_pages_are_noted() -> None:
    evidence = LinkEvidence(2)
    for _ in range(3):
        evidence.add(found([7], values((0.1, 0.9)), [10]), 0.5)
    evidence.add(found([8], values((0.1, 0.9)), [10]), 0.5)
    row = evidence.row(7)
    met = evidence.met([8, 7, 9])
    assert met == {0: evidence.row(8), 1: row}
    assert evidence.familiar(met, 3) == {1: row}
    assert evidence.familiar(met, 4) == {}
    evidence.add_parent([row], 1.0, [77])
    assert evidence.parents[row].tolist() == [2.5, 4.0]
    assert 77 in evidence.lists[row].tolist()
    evidence.remove(7)
    assert evidence.met([7]) == {}


def test_only_the_last_lists_are_kept() -> None:
    evidence = LinkEvidence(2)
    for number in range(SOURCES + 3):
        evidence.add(found([7], values((0.0, 0.0)), [number]), 0.0)
    row = evidence.row(7)
    assert sorted(evidence.lists[row].tolist()) == [3, 4, 5, 6]


def test_above_the_bound_the_oldest_is_forgotten() -> None:
    evidence = LinkEvidence(2, most=3)
    for link in range(5):
        evidence.add(found([link], values((link, 0.0)), [link]), 0.0)
    assert [evidence.row(link) is not None for link in range(5)] == [False, False, True, True, True]
    assert [float(evidence.best[row, 0]) for link in (2, 3, 4) if (row := evidence.row(link)) is not None] == [2, 3, 4]


def test_a_row_that_is_free_is_used_again_and_is_none_of_those_that_wait() -> None:
    evidence = LinkEvidence(2)
    evidence.add(found([1, 2], values((0.1, 0.1), (0.2, 0.2)), [0, 0]), 1.0)
    freed = evidence.row(1)
    evidence.remove(1)
    assert evidence.some(10).tolist() == [evidence.row(2)]
    evidence.add(found([3], values((0.3, 0.3)), [5]), 0.5)
    assert evidence.row(3) == freed
    assert evidence.parents[freed].tolist() == [0.5, 1.0]


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=120))
def test_what_is_taken_back_goes_on_as_if_nothing_had_been(steps: list[tuple[int, bool]]) -> None:
    one = LinkEvidence(2, most=12)
    for number, (link, gone) in enumerate(steps):
        if number == len(steps) // 2:
            two = LinkEvidence(2, most=12)
            two.take_back(one.kept())
        for each in (one, two) if number >= len(steps) // 2 else (one,):
            if gone:
                each.remove(link)
            else:
                each.add(found([link], values((number, -number)), [number]), 0.5)
    if steps:
        assert one.some(100).tolist() == two.some(100).tolist()
        rows = one.some(100)
        assert np.array_equal(one.best[rows], two.best[rows])
        assert np.array_equal(one.lists[rows], two.lists[rows])
        assert np.array_equal(one.places[rows], two.places[rows])
        assert len(one) == len(rows)


def test_a_sample_of_many_is_spread_over_all() -> None:
    evidence = LinkEvidence(2)
    evidence.add(found(list(range(5_000)), np.zeros((5_000, 2), np.float32), [0] * 5_000), 0.0)
    some = evidence.some(100)
    assert len(some) == 100
    assert some.max() > 4_900


def test_a_page_does_not_push_out_the_links_it_shows_again() -> None:
    """What an address says is said once: a link that lost its row meanwhile would be worth minus infinity."""
    evidence = LinkEvidence(2, most=4)
    evidence.add(found([1, 2, 3, 4], values(*[(0.1, 0.9)] * 4), [10] * 4), 0.5)
    again = values((0.2, 0.7), (0.2, 0.7), (0.3, -np.inf), (0.4, -np.inf))
    rows = evidence.add(found([8, 9, 1, 2], again, [20] * 4), 1.0)
    assert len(set(rows.tolist())) == 4
    assert evidence.best[rows].tolist() == values((0.2, 0.7), (0.2, 0.7), (0.3, 0.9), (0.4, 0.9)).tolist()
    assert [evidence.row(link) is None for link in (1, 2, 3, 4)] == [False, False, True, True]


def test_rows_of_many_at_once() -> None:
    evidence = LinkEvidence(2)
    first, second = evidence.add(found([7, 8], values((0.1, 0.9), (0.5, 0.5)), [10, 11]), 0.5).tolist()
    assert evidence.rows_of([8, 9, 7]).tolist() == [second, -1, first]
    assert evidence.rows_of([]).tolist() == []
