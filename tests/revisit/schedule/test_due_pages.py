from typing import Any

from scenthound.library import open_library
from scenthound.model import Link
from scenthound.protocols.records import LookSummary, WatchedPage
from scenthound.revisit.detect.gone_or_moved import CONFIRM
from scenthound.revisit.schedule.due_pages import PATIENCE, PAUSE, choose, count_links, past_of, rests_until, sort_out
from tests.library.collection import collect, stored

DAY = 86_400.0


def page(
    name: str, *looks: tuple[float, str], relevance: float = 0.5, checked: float = 0.0, gone: bool = False
) -> WatchedPage:
    """A page first fetched at 0; looks as (day, outcome)."""
    glances = tuple(LookSummary(DAY * day, outcome) for day, outcome in looks)  # type: ignore[arg-type]
    seen = [glance.at for glance in glances if glance.outcome in ("same", "noise", "changed")]
    checked = max([checked, *seen])
    return WatchedPage(
        sum(map(ord, name)), hash(name), f"http://a.test/{name}", "a.test", name, relevance, relevance > 0.1,
        0.0, 0.0, checked,
        "", "", b"", 0, 1, gone, glances,
    )  # fmt: skip


def names(pages: list[WatchedPage]) -> list[str]:
    return [each.title for each in pages]


def test_missed_pages_come_first_when_a_look_can_confirm() -> None:
    pages = [page("a"), page("late", (1, "same"), (8.9, "missing")), page("early", (5, "missing")), page("b")]
    now = 8.9 * DAY + CONFIRM - 1
    assert names(sort_out(pages, now)[0]) == ["early"]
    assert names(sort_out(pages, now + 1)[0]) == ["early", "late"]
    assert names(choose(pages, now + 1, "uniform", 3)) == ["early", "late", "a"]
    assert names(choose(pages, now + 1, "uniform", 1)) == ["early"]
    assert names(choose(pages, now, "uniform", 10)) == ["early", "a", "b"], "a missed page waits for its time"


def test_failures_are_given_time() -> None:
    once, thrice = page("once", (1, "failed")), page("thrice", (1, "failed"), (1, "failed"), (1, "failed"))
    assert rests_until(once) == DAY + PATIENCE
    assert rests_until(thrice) == DAY + 4 * PATIENCE
    assert rests_until(page("ever", *[(1, "failed")] * 3000)) == DAY + 30 * DAY
    assert rests_until(page("well", (1, "failed"), (2, "same"))) == 2 * DAY + PAUSE


def test_a_page_just_seen_is_not_due() -> None:
    assert choose([page("a", (3, "same"))], 3 * DAY + PAUSE - 1, "learned", 5) == []
    assert names(choose([page("a", (3, "same"))], 3 * DAY + PAUSE, "learned", 5)) == ["a"]


def test_what_is_gone_is_looked_for_now_and_then() -> None:
    once = page("once", (1, "missing"), (2, "gone"), gone=True)
    thrice = page("thrice", (2, "gone"), (40, "gone"), (100, "gone"), gone=True)
    assert rests_until(once) == 32 * DAY
    assert rests_until(thrice) == 220 * DAY
    others = [page(f"p{n:02}") for n in range(40)]
    assert names(choose([*others, once, thrice], 31 * DAY, "uniform", 50)).count("once") == 0
    chosen = names(choose([*others, thrice, once], 300 * DAY, "uniform", 20))
    assert chosen[0] == "once", "one look in twenty"
    assert "thrice" not in chosen
    assert len(chosen) == 20


def test_what_a_policy_sees() -> None:
    seen = past_of(page("a", (1, "same"), (2, "failed"), (3, "noise"), (4, "changed"), (5, "missing"), relevance=0.0))
    assert [(look.at / DAY, look.changed) for look in seen.sightings] == [(1, False), (3, False), (4, True)]
    assert seen.since == 0.0
    assert seen.relevance > 0, "what is off the topic is not forgotten"


def test_an_image_that_came_a_moment_later_is_part_of_the_look() -> None:
    seen = past_of(page("a", (1, "same"), (1.0001, "changed"), (2, "same")))
    assert [(look.at / DAY, look.changed) for look in seen.sightings] == [(1, True), (2, False)]


def test_the_learned_policy_prefers_what_changes_and_matters() -> None:
    days = range(2, 40, 2)
    busy = page("busy", *((day, "changed") for day in days))
    calm = page("calm", *((day, "same") for day in days))
    dull = page("dull", *((day, "changed") for day in days), relevance=0.01)
    chosen = names(choose([calm, dull, busy], 45 * DAY, "learned", 3))
    assert chosen[0] == "busy"
    for policy in ("uniform", "proportional", "documents", "rates", "learned"):
        assert set(names(choose([calm, dull, busy], 45 * DAY, policy, 3))) == {"busy", "calm", "dull"}


def test_links_are_counted_for_the_documents_policy(tmp_path: Any) -> None:
    here, there = "http://a.example/", "http://b.example/"
    links = tuple(Link(url=url, source=here) for url in (there, there, "http://c.example/", here))
    collect(
        tmp_path, [stored(here, "here", links=links), stored(there, "there", links=(Link(url=here, source=there),))]
    )
    with open_library(tmp_path, write=False) as history:
        assert count_links(history) == {here: (2, 1), there: (1, 1)}
