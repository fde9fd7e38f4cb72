from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler import kept_pages, read_back
from scenthound.crawler.crawl_judgements import CrawlJudgements
from scenthound.crawler.kept_pages import KeptPages
from scenthound.library import open_library
from scenthound.model import Page
from scenthound.protocols.records import StoredPage
from tests.crawler.judged_library import SITE, crawl, settings
from tests.library.collection import stored
from tests.small_web import page

NAMES = ("", *map(str, range(24)))
LINKS = [f"number {name}={SITE}/{name}" for name in NAMES[1:]]
WEB = {f"{SITE}/{name}": page(*LINKS, text=f"birds, {name} of them, sing in the morning. " * 8) for name in NAMES}


def config_of(**more: Any) -> Config:
    return settings("birds", pages=len(WEB), **{"crawl": {"seeds": [f"{SITE}/"], "judge": "auto"}, **more})


def heard(url: str, config: Config | None = None, stored_before: int = 0, **more: Any) -> KeptPages:
    kept = KeptPages(config or config_of(), stored_before)
    kept(stored(url, "birds sing", **more))
    return kept


async def row_of(folder: Path, url: str) -> StoredPage:
    with open_library(folder, create=True) as library:
        library.record(stored(url, "birds sing"))
        library.flush()
        found = library.page(url)
    assert found is not None
    return found


async def test_the_pages_kept_are_those_that_would_be_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[KeptPages] = []
    begin = KeptPages.__init__

    def noted(self: KeptPages, config: Config, stored: int) -> None:
        made.append(self)
        begin(self, config, stored)

    monkeypatch.setattr(KeptPages, "__init__", noted)
    await crawl(tmp_path / "x", config_of(), web=WEB)
    with open_library(tmp_path / "x", write=False) as library:
        backs = [back async for back in read_back.read_back(library, library.pages(), "en")]
    assert len(backs) == len(WEB)
    assert [made[0].page(back.stored, "en") for back in backs] == [back.page for back in backs]


async def test_at_the_end_of_a_small_crawl_nothing_is_parsed_and_the_judgements_are_those_of_a_large_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    parse = read_back.parse_safely

    def counted(response: Any, language: str) -> Page:
        parsed.append(response.url)
        return parse(response, language)

    monkeypatch.setattr(read_back, "parse_safely", counted)
    found = []
    for folder, most in (("small", kept_pages.SAMPLE), ("large", 10)):
        monkeypatch.setattr(kept_pages, "SAMPLE", most)
        judgements = CrawlJudgements()
        with open_library(tmp_path / folder, create=True) as library:
            await crawl(library, config_of(), judgements, WEB)
            assert await judgements.after() is not None
            found.append(([(page.url, page.relevance) for page in library.pages()], len(parsed)))
    (small, none), (large, all_of_them) = found
    assert (none, all_of_them) == (0, len(WEB))
    assert small == large
    assert len({relevance for _, relevance in small}) > 1


async def test_another_answer_another_language_or_none_on_record_is_read_back(tmp_path: Path) -> None:
    url = f"{SITE}/bird"
    row = await row_of(tmp_path / "x", url)
    assert heard(url).page(row, "en") is not None
    assert heard(url).page(replace(row, fetched_at=row.fetched_at + 1), "en") is None
    assert heard(url).page(row, "de") is None
    assert heard(url).page(replace(row, noindex=True), "en") is None
    assert heard(url, noindex=True).page(row, "en") is None
    assert heard(url, config_of(library={"warc": False})).page(row, "en") is None
    assert heard(url, config_of(library={"keep_noindex": True})).page(row, "en") is None
    assert heard(f"{SITE}/other").page(row, "en") is None


async def test_a_large_library_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{SITE}/bird"
    row = await row_of(tmp_path / "x", url)
    assert heard(url, stored_before=kept_pages.SAMPLE - 1).page(row, "en") is not None
    full = heard(url, stored_before=kept_pages.SAMPLE)
    assert full.page(row, "en") is None
    many = heard(url)
    for number in range(kept_pages.SAMPLE):
        many(stored(f"{SITE}/{number}", "birds sing", order=number + 1))
    assert many.page(row, "en") is None, "all are forgotten"
    monkeypatch.setattr(kept_pages, "MOST_TEXT", 3)
    assert heard(url).page(row, "en") is None
