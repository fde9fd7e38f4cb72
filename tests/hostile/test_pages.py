"""Pages made to hurt whoever reads them, beyond what `test_promises.py` asks of every habit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile import pages
from tests.hostile.checks import links
from tests.hostile.crawling import SETTINGS, assert_intact, crawl_habit
from tests.hostile.server import MEETINGS, url

HEAVY = [name for name, meeting in MEETINGS.items() if meeting.settings == pages.WIDE]


@pytest.mark.parametrize("name", HEAVY)
async def test_a_page_over_the_limit_is_not_downloaded(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name, {"fetch": SETTINGS["fetch"] | {"max_bytes": 50_000}})
    assert outcome.row(url(name)).reason.startswith("too-large")
    assert outcome.row(url(name, "/good")).state == "fetched"
    assert outcome.disk() < 200_000


async def test_an_anchor_as_long_as_a_book_is_cut(tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", "huge-anchor", pages.WIDE)
    with outcome.library() as library:
        (link,) = library.outlinks(url("huge-anchor"))
    assert len(link.anchor) <= 500
    assert len(link.context) < 1_000


async def test_no_address_inside_is_asked_in_any_notation(tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", "private-links", {"politeness": {"delay": 0.0, "robots": False}})
    with outcome.library() as library:
        counts = library.counts()
    assert counts.refused == {"address": len(links(outcome, "private-links"))}
    assert counts.refused["address"] == 8  # twelve links, five of them to the same address


async def test_an_error_page_with_status_200_repeats_itself_and_does_not_count_as_found(tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", "error-page", {"crawl": {"pages": 30}})
    with outcome.library() as library:
        stored = [page for page in library.pages() if page.host == "error-page.test" and page.title == "Oops"]
        counts = library.counts()
    assert len(stored) > 20
    assert sum(bool(page.duplicate_of) for page in stored) > 0.8 * len(stored)
    assert counts.relevant <= 2 + len(stored) - counts.duplicates
    assert_intact(outcome)
