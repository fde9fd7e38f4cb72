from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.crawler.read_back import SLICE, Turns, read_back
from scenthound.library import open_library
from scenthound.parse.parser_pool import ParserPool
from tests.crawler.judged_library import SITE, crawl, settings
from tests.library.collection import stored
from tests.small_web import page

PAGES = {f"{SITE}/{n}": page(f"on={SITE}/{n + 1}", text=f"birds number {n} " * 9) for n in range(60)}
WEB = {f"{SITE}/": page(f"on={SITE}/0"), **PAGES}


async def test_pages_come_back_in_their_order_with_processes_and_without(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds", pages=61, crawl={"seeds": [f"{SITE}/"]}), web=WEB)
    with open_library(tmp_path / "x", write=False) as library:
        alone = [back async for back in read_back(library, library.pages(), "en")]
        pool = ParserPool(1)
        try:
            helped = [back async for back in read_back(library, library.pages(), "en", pool)]
        finally:
            await pool.close()
    assert [back.stored.url for back in alone] == list(WEB)
    assert alone == helped
    assert all(back.whole and back.page is not None and back.page.text for back in alone)


async def test_what_was_not_kept_whole_comes_back_as_far_as_it_was(tmp_path: Path) -> None:
    with open_library(tmp_path / "x", create=True, settings=LibrarySection(warc=False)) as library:
        library.record(stored(f"{SITE}/text", "birds sing", title="t"))
        library.record(stored(f"{SITE}/noindex", "birds sing", noindex=True, order=1))
        library.flush()
        text, noindex = [back async for back in read_back(library, library.pages(), "en")]
    assert text.page is not None
    assert (text.page.text, text.page.terms["bird"], text.whole) == ("birds sing", 1, False)
    assert (noindex.page, noindex.whole) == (None, False)


async def test_whoever_reads_may_stop(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds", pages=61, crawl={"seeds": [f"{SITE}/"]}), web=WEB)
    pool = ParserPool(1)
    try:
        with open_library(tmp_path / "x", write=False) as library:
            async for back in read_back(library, library.pages(), "en", pool):
                assert back.stored.seq == 1
                break
    finally:
        await pool.close()


async def test_half_of_the_time_is_the_crawls(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    now = [0.0]

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)
    turns = Turns(lambda: now[0])
    for work in (0.25, 0.5, 0.001, 0.002, 0.003):
        now[0] += work
        await turns.take()
    assert slept == [0.25, 0.5], "what is less than a slice is kept for the next time"
    now[0] += SLICE
    await turns.take()
    assert slept[-1] == pytest.approx(SLICE + 0.006)
