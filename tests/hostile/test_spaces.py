"""Robots files and spaces of pages without end: obeyed as far as one must read, and left in time."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.fetch.answer import ROBOTS_BYTES
from tests.hostile import spaces
from tests.hostile.crawling import Outcome, assert_intact, crawl, crawl_habit
from tests.hostile.server import HABITS, url

IN_TRANSIT = 10_000_000

ROBOTS = {
    "robots-huge": ("refused", "robots"),  # the rule stands in the part that is read
    "robots-html": ("fetched", ""),  # no rules at all
    "robots-loop": ("fetched", ""),  # after five redirects it counts as not there
    "robots-503": ("waiting", ""),  # unreachable: it is not asked, and not given up
    "robots-reset": ("waiting", ""),
    "robots-bomb": ("fetched", ""),  # the zeros it begins with are no rules
    "robots-binary": ("refused", "robots"),
    "robots-to-private": ("waiting", ""),  # whoever hides the rules inside does not get asked
}
UNREACHABLE = {"robots-503", "robots-reset", "robots-to-private"}


@pytest.mark.parametrize("name", ROBOTS)
async def test_a_bad_robots_file(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name)
    row = outcome.row(url(name))
    assert (row.state, row.reason) == ROBOTS[name]
    assert outcome.row(url(name, "/good")).state == ("waiting" if name in UNREACHABLE else "fetched")
    assert outcome.row(url("fine", "/")).state == "fetched"
    assert sum(path.startswith("/robots") for _, path, *_ in outcome.web.asked) <= 2 + 5
    assert {host for host, *_ in outcome.web.asked} == {f"{name}.test", "fine.test"}
    assert outcome.web.sent[f"{name}.test"] < ROBOTS_BYTES + IN_TRANSIT
    assert outcome.disk() < 200_000
    assert_intact(outcome)


# Spaces: how many pages of one are fetched, at most, before nothing of it is followed any more.
SPACES = {
    "growing-paths": (10, "trap: a path that repeats itself"),
    "deep-paths": (25, "trap: a path of 21 segments"),
    "growing-query": (50, "trap: 24 pages in a row"),
    "calendar": (50, "trap: 24 pages in a row"),
    "session-maze": (50, "trap: 24 pages in a row"),
    "near-duplicates": (50, "trap: 24 pages in a row"),
    "error-page": (50, "trap: 24 pages in a row"),
}
MADE_UP = ["months-by-query", "session-in-path", "visit-ids", "random-paths", "growing-facets"]
TEXTS = ["same", "short", "counter", "date", "words", "list", "letters"]
BOUNDED_OTHERWISE = {"wild-hosts"}


def test_every_habit_has_an_expectation() -> None:
    habits = {name for name, act in HABITS.items() if act.__module__ == spaces.__name__}
    assert habits | {"error-page"} == set(ROBOTS) | set(SPACES) | set(MADE_UP) | BOUNDED_OTHERWISE


def refusals(outcome: Outcome) -> set[str]:
    """Why links were not followed: at sight, or when their turn came."""
    at_sight = {refusal.reason for step in outcome.steps for refusal in step.refused}
    return at_sight | {step.reason for step in outcome.steps if step.state == "refused"}


@pytest.mark.parametrize("name", SPACES)
async def test_a_space_without_end_is_left(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name, {"crawl": {"pages": 400, "threshold": 0.99}})
    most, reason = SPACES[name]
    assert outcome.ending == "frontier empty"
    assert 3 < len(outcome.fetched(name)) <= most
    assert any(found.startswith(reason) for found in refusals(outcome))
    assert outcome.row(url(name, "/good")).state == "fetched"
    assert outcome.row(url("fine", "/")).state == "fetched"
    assert outcome.disk() < 1_000_000
    assert_intact(outcome)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", MADE_UP)
async def test_a_trap_costs_fifty_pages_also_where_it_is_on_the_topic(name: str, text: str, tmp_path: Path) -> None:
    """Each took all of the 670 pages of a budget."""
    trap = f"{text}.{name}"
    outcome = await crawl(tmp_path / "library", [url(trap), url("fine", "/")], {"crawl": {"pages": 120}})
    assert outcome.ending == "frontier empty"
    assert 10 < len(outcome.fetched(trap)) <= 50
    assert any(found.startswith("trap: ") for found in refusals(outcome))
    assert outcome.row(url("fine", "/")).state == "fetched"


async def test_a_trap_that_was_left_is_not_entered_again(tmp_path: Path) -> None:
    trap = "words.random-paths"
    first = await crawl(tmp_path / "library", [url(trap)], {"crawl": {"pages": 120}})
    before = len(first.fetched(trap))
    again = await crawl(tmp_path / "library", [url(trap, "/another/way/in")], {"crawl": {"pages": 240}})
    assert again.ending == "frontier empty"
    assert len(again.fetched(trap)) <= before + 1 + 4  # the page that a person named, and what it leads to


@pytest.mark.parametrize("name", SPACES)
async def test_a_limit_on_pages_of_a_host_holds_in_any_space(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name, {"scope": {"host_pages": 8, "traps": False}})
    assert len(outcome.fetched(name)) <= 8
    assert outcome.ending == "frontier empty"
    assert outcome.row(url("fine", "/")).state == "fetched"


@pytest.mark.parametrize("name", [*SPACES, "wild-hosts"])
async def test_a_limit_on_depth_holds_in_any_space(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name, {"crawl": {"depth": 3}, "scope": {"traps": False}})
    assert outcome.ending == "frontier empty"
    assert max(step.visit.depth for step in outcome.steps if step.visit is not None) <= 3
    assert outcome.row(url(name, "/good")).state == "fetched"
    assert_intact(outcome)
