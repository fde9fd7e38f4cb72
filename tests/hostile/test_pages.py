"""Pages made to hurt whoever reads them: stored as far as they can be, at a bounded cost, and never believed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scenthound.crawler.link_filter import FRAME_HOPS
from scenthound.parse.tree import MAX_NODES
from tests.hostile import pages
from tests.hostile.crawling import SETTINGS, Outcome, assert_intact, crawl_habit
from tests.hostile.pages import FOREIGN
from tests.hostile.server import HABITS, url

HOPS = 1 + SETTINGS["fetch"]["max_redirects"]

# Enough room that the page is read to its end, and a budget that ends the crawl after the seeds.
WIDE = {"crawl": {"pages": 3}, "fetch": {"max_bytes": 5_000_000}}


def title(outcome: Outcome, name: str) -> str:
    with outcome.library() as library:
        page = library.page(url(name))
        assert page is not None
        return page.title


def text(outcome: Outcome, name: str) -> str:
    with outcome.library() as library:
        return library.text(url(name)) or ""


def charset(outcome: Outcome, name: str) -> str:
    with outcome.library() as library:
        page = library.page(url(name))
        assert page is not None
        return page.charset


def links(outcome: Outcome, name: str) -> list[str]:
    with outcome.library() as library:
        return [link.url for link in library.outlinks(url(name))]


EXPECTED: dict[str, Callable[[Outcome], bool]] = {
    "nul-bytes": lambda out: title(out, "nul-bytes") == "good page of nul-bytes" and "hound" in text(out, "nul-bytes"),
    "invalid-utf8": lambda out: title(out, "invalid-utf8").startswith("bad ") and len(links(out, "invalid-utf8")) == 1,
    "wrong-charset": lambda out: charset(out, "wrong-charset") == "utf-8" and "\ufffd" in title(out, "wrong-charset"),
    "missing-charset": lambda out: title(out, "missing-charset") == FOREIGN[:16],
    "unknown-charset": lambda out: title(out, "unknown-charset") == FOREIGN[:16],
    "forbidden-charset": lambda out: title(out, "forbidden-charset") == "seven" and not links(out, "forbidden-charset"),
    "binary-as-html": lambda out: "\x1b" not in text(out, "binary-as-html"),
    "many-links": lambda out: len(links(out, "many-links")) == MAX_NODES,
    "deep-nesting": lambda out: "at the bottom" in text(out, "deep-nesting"),
    "open-formatting": lambda out: title(out, "open-formatting") == "fonts",
    "many-attributes": lambda out: title(out, "many-attributes") == "attributes",
    "unclosed-everything": lambda out: title(out, "unclosed-everything") == "open",
    "open-comment": lambda out: title(out, "open-comment") == "comments",
    "entity-flood": lambda out: title(out, "entity-flood") == "entities",
    "huge-title": lambda out: 900 < len(title(out, "huge-title")) <= 1_000,
    "html-title": lambda out: title(out, "html-title") == "<b>bold</b><script>alert(1)</script>[2J",
    "huge-words": lambda out: title(out, "huge-words") == "words",
    "huge-anchor": lambda out: len(links(out, "huge-anchor")) == 1,
    "huge-url": lambda out: links(out, "huge-url") == [],
    "script-links": lambda out: links(out, "script-links") == [url("script-links", "/credentials")],
    "private-links": lambda out: {host for host, *_ in out.web.asked} == {"private-links.test", "fine.test"},
    "hostile-base": lambda out: links(out, "hostile-base") == [url("hostile-base", "/next")],
    "refresh-self": lambda out: out.web.paths("refresh-self") == ["/bad", "/good"],
    "refresh-loop": lambda out: sorted(out.web.paths("refresh-loop")) == ["/bad", "/good", "/other"],
    "refresh-chain": lambda out: len(out.web.paths("refresh-chain")) == HOPS + 1,
    "canonical-chain": lambda out: len(out.web.paths("canonical-chain")) == HOPS + 1,
    "frame-chain": lambda out: len(out.web.paths("frame-chain")) <= 2**FRAME_HOPS + 4,
}
HEAVY = [
    "many-links",
    "deep-nesting",
    "many-attributes",
    "unclosed-everything",
    "open-comment",
    "entity-flood",
    "huge-title",
    "huge-words",
    "huge-anchor",
    "huge-url",
]
NO_PAGE = {"image-of-html": "type: image/png", "replacing-parts": "type: multipart/x-mixed-replace"}
ELSEWHERE = {"error-page"}


def test_every_habit_has_an_expectation() -> None:
    habits = {name for name, act in HABITS.items() if act.__module__ == pages.__name__}
    assert habits == set(EXPECTED) | set(NO_PAGE) | ELSEWHERE


@pytest.mark.parametrize("name", EXPECTED)
async def test_a_bad_page_is_stored_and_the_crawl_goes_on(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name, WIDE if name in HEAVY else None)
    assert outcome.row(url(name)).state == "fetched"
    assert outcome.row(url(name, "/good")).state == "fetched"
    assert outcome.row(url("fine", "/")).state == "fetched"
    assert EXPECTED[name](outcome)
    assert title(outcome, name).isprintable()
    assert outcome.disk() < (8_000_000 if name == "many-links" else 1_500_000)
    assert_intact(outcome)


@pytest.mark.parametrize("name", HEAVY)
async def test_a_page_over_the_limit_is_not_downloaded(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name, {"fetch": SETTINGS["fetch"] | {"max_bytes": 50_000}})
    assert outcome.row(url(name)).reason.startswith("too-large")
    assert outcome.row(url(name, "/good")).state == "fetched"
    assert outcome.disk() < 200_000


@pytest.mark.parametrize("name", NO_PAGE)
async def test_what_is_no_page_by_its_type_is_left(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name)
    row = outcome.row(url(name))
    assert (row.state, row.reason) == ("failed", NO_PAGE[name])
    assert outcome.row(url(name, "/good")).state == "fetched"
    assert_intact(outcome)


async def test_an_anchor_as_long_as_a_book_is_cut(tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", "huge-anchor", WIDE)
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
