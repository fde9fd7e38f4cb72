"""The plain table of URLs, beside the suite that holds it to what every library does."""

from scenthound.library.memory.url_ledger import UrlLedger, bare, readable
from scenthound.model import Check, Link, Step
from tests.library.steps import SEED, entry, fetched, refusal

NEXT = "http://a.example/next"


def test_a_find_is_no_news_of_what_is_over() -> None:
    ledger = UrlLedger()
    ledger.take_in(fetched(entry(SEED, 0.5)))
    ledger.take_in(fetched(entry(NEXT), found=(entry(SEED, 0.9, rule="max"),)))
    assert ledger.entries[entry(SEED).id].state == "fetched"
    assert ledger.entries[entry(SEED).id].row.priority == 0.5


def test_what_was_refused_begins_anew_when_it_is_found() -> None:
    ledger = UrlLedger()
    ledger.take_in(fetched(entry(SEED), at=1.0, refused=(refusal(NEXT, "scope"),)))
    ledger.take_in(fetched(entry(SEED), at=2.0, found=(entry(NEXT, 0.3, 7, SEED, rule="mean"),)))
    found = ledger.entries[entry(NEXT).id]
    assert (found.state, found.reason, found.row.priority, found.row.order) == ("waiting", "", 0.3, 7)
    assert (found.found_at, found.changed_at, found.row.rule) == (1.0, 2.0, None)


def test_a_look_changes_the_state_and_not_the_way() -> None:
    ledger = UrlLedger()
    ledger.take_in(fetched(entry(SEED, 0.5, 3)))
    gone = Step(entry(SEED), "failed", 9.0, "gone: 404", check=Check("gone"))
    ledger.take_in(gone)
    row = ledger.row(entry(SEED).id)
    assert row is not None
    assert (row.state, row.reason, row.priority, row.order) == ("failed", "gone: 404", 0.5, 3)
    ledger.take_in(Step(entry(SEED), "fetched", 10.0, check=Check("same")))
    assert ledger.entries[entry(SEED).id].state == "failed"


def test_links_are_given_back_as_they_can_be_written() -> None:
    link = Link(NEXT, SEED, "\ud83d", context="around it")
    assert bare([link]) == [Link(NEXT, SEED, "?")]
    plain = entry(NEXT)
    assert readable(plain) is plain
