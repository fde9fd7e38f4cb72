from __future__ import annotations

import numpy as np
import pytest

from scenthound.learn.ranking import outcome_records
from scenthound.learn.ranking.outcome_records import LISTS, SHRINK, OutcomeRecords


def lists(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, np.int64)


def test_a_record_is_a_mean_that_begins_at_what_is_usual() -> None:
    records = OutcomeRecords()
    page, other = records.next_page(), records.next_page()
    good, poor = records.list_of(page, 0), records.list_of(page, 1)
    for outcome in (1.0, 1.0):
        records.add(lists(good, -1), outcome)
    records.add(lists(poor), 0.0)
    usual = 2 / 3
    of_page = (2.0 + SHRINK * usual) / (3 + SHRINK)
    pages, own = records(np.array([[good, -1], [poor, -1], [records.list_of(other, 0), -1], [-1, -1]]))
    assert pages.tolist() == pytest.approx([of_page, of_page, usual, usual])
    assert own.tolist() == pytest.approx(
        [(2.0 + SHRINK * of_page) / (2 + SHRINK), SHRINK * of_page / (1 + SHRINK), usual, usual]
    )


def test_a_link_in_several_lists_has_their_mean() -> None:
    records = OutcomeRecords()
    one, two = (records.list_of(records.next_page(), 0) for _ in range(2))
    records.add(lists(one), 1.0)
    (alone, other), (own, _) = records(np.array([[one], [two]]))
    (both,), _ = records(np.array([[one, two]]))
    assert both == pytest.approx((alone + other) / 2)
    assert own >= alone > other - 1e-9


def test_of_one_link_it_says_what_it_says_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome_records, "PAGES", outcome_records.FIRST_PAGES)
    records = OutcomeRecords()
    places = [records.list_of(records.next_page(), block % 3) for block in range(outcome_records.FIRST_PAGES + 5)]
    for number, place in enumerate(places[-20:]):
        records.add(lists(place, places[-1]), number / 20)
    rows = [[places[0], -1], [-1, -1], places[-2:], [places[-1], places[2]], [places[-30], places[-9]]]
    pages, own = records(np.array(rows))
    for row, page, of_list in zip(rows, pages, own, strict=True):
        assert records.of_one(row) == pytest.approx((page, of_list), rel=1e-6)


def test_before_the_first_outcome_all_are_alike() -> None:
    records = OutcomeRecords()
    pages, own = records(np.array([[records.list_of(records.next_page(), 3)]]))
    assert (pages.tolist(), own.tolist()) == ([0.0], [0.0])


def test_a_table_that_has_grown_or_was_taken_back_knows_what_its_pages_had() -> None:
    records = OutcomeRecords()
    first = records.list_of(records.next_page(), 2)
    records.add(lists(first), 1.0)
    for _ in range(2 * outcome_records.FIRST_PAGES):
        records.next_page()
    restored = OutcomeRecords()
    restored.take_back(*records.kept())
    records.add(lists(first), 0.0)
    restored.add(lists(first), 0.0)
    for each in (records, restored):
        (page,), (own,) = each(np.array([[first]]))
        assert (page, own) == pytest.approx(((1.0 + SHRINK / 2) / (2 + SHRINK),) * 2)


def test_blocks_beyond_the_last_list_share_it() -> None:
    assert OutcomeRecords.list_of(2, LISTS + 5) == OutcomeRecords.list_of(2, LISTS - 1)


def test_old_pages_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome_records, "PAGES", 4)
    records = OutcomeRecords()
    first = records.list_of(records.next_page(), 0)
    records.add(lists(first), 1.0)
    for _ in range(4):
        records.next_page()
    newest = records.list_of(4, 0)  # it has the place that the first page had
    records.add(lists(newest), 0.0)
    pages, _ = records(np.array([[first], [newest]]))
    assert pages[0] == pytest.approx(0.5), "of the first page nothing is known any more but what is usual"
    assert pages[1] == pytest.approx(SHRINK * 0.5 / (1 + SHRINK))


def test_what_is_taken_back_is_the_same() -> None:
    records, other = OutcomeRecords(), OutcomeRecords()
    for number in range(300):
        page = records.next_page()
        records.add(lists(records.list_of(page, number % 3)), number % 2)
    other.take_back(*records.kept())
    asked = np.arange(300 * LISTS).reshape(-1, 4)
    assert all(np.array_equal(one, two) for one, two in zip(records(asked), other(asked), strict=True))
    assert other.next_page() == records.next_page() == 300
