"""Preferences about AI as they were in force when pages were fetched, and exports that respect them."""

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions, plan_crawl
from scenthound.app.export import export
from scenthound.app.page_usage import PageUsage
from scenthound.errors import UsageError
from scenthound.export.exporter import ExportChoice
from scenthound.export.page_filter import PageFilter
from scenthound.library import open_library
from tests.served_pages import serving_pages

ROBOTS = """License: https://a.test/rsl.xml
User-agent: *
Content-Usage: search=y
Content-Usage: /no/ train-ai=n
Disallow: /never
"""
WEB = {
    "/robots.txt": ROBOTS,
    "/": "<title>otters</title><p>otter <a href=/no/a>otter</a> <a href=/yes>otter</a>",
    "/no/a": "<title>no</title><p>An otter that is not to be learned from.",
    "/yes": "<title>yes</title><p>An otter, whatever for.",
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "otters"
    with serving_pages(WEB) as address:
        options = CrawlOptions(seeds=[address], into=folder, allow_private=True, delay=0)
        asyncio.run(CrawlSession(plan_crawl("otter", options)).run())
    return folder


def exported(folder: Path, *respect: str) -> dict[str, tuple[str, str]]:
    target = folder / "out.jsonl"
    export(folder, target, ExportChoice(("title", "usage", "license"), PageFilter(respect=respect).check()))
    rows = map(json.loads, target.read_text().splitlines())
    return {row["title"]: (row["usage"], row["license"]) for row in rows}


def test_what_robots_said_is_exported_and_respected(library: Path) -> None:
    terms = "https://a.test/rsl.xml"
    assert exported(library) == {
        "otters": ("search=y", terms),
        "no": ("train-ai=n", terms),
        "yes": ("search=y", terms),
    }
    assert sorted(exported(library, "train-ai")) == ["otters", "yes"]
    assert exported(library, "license") == {}


def test_what_was_said_before_the_page_was_fetched_counts(library: Path) -> None:
    with open_library(library, write=False) as opened:
        [page] = [page for page in opened.pages() if page.title == "no"]
        usage = PageUsage(opened)
        assert usage(page).refuses("train-ai")
        earlier = replace(page, fetched_at=page.fetched_at - 3600)
        assert not usage(earlier).refuses("train-ai"), "nobody had asked for its robots.txt then"


def test_a_use_that_there_is_not(library: Path) -> None:
    with pytest.raises(UsageError, match="'train-ai'"):
        exported(library, "trainai")
