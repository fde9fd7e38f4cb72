"""Searching in memory, beside the suite that every library passes."""

import pytest

from scenthound.library.memory.page_ledger import PageLedger
from scenthound.library.memory.search import IndexedText, MemorySearch
from tests.library.collection import stored


def test_a_phrase_may_begin_where_the_last_one_ends() -> None:
    text = IndexedText(" ", " otter river otter river otter ", 5)
    assert text.frequency(("otter", "river", "otter")) == 2.0
    assert text.frequency(("otter",)) == 3.0
    assert not text.has(("ott",))


def test_a_title_counts_five_times() -> None:
    assert IndexedText(" otter ", " otter ", 2).frequency(("otter",)) == 6.0


@pytest.mark.parametrize("updated", [False, True])
def test_only_what_was_taken_in_is_found(updated: bool) -> None:
    ledger = PageLedger()
    search = MemorySearch(ledger, lambda number: "fetched")
    ledger.take_in(stored("http://a.example/", "an otter"))
    if updated:
        assert search.catch_up() == 1
    assert search.find(["otter"], "en", None, 10, 0).total == int(updated)
