"""A crawl that somebody watches and steers: from start to end, and what one sees of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from scenthound.app.coverage import library_recall
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.crawl_view import DRAW, NOT_DRAWN, CrawlChange, WaitingLine, no_recall
from scenthound.app.demo import plan_demo
from scenthound.app.live_crawl import LiveCrawl, change_crawl, changed
from scenthound.config import Config
from scenthound.crawler.engine import SEED_PRIORITY
from scenthound.errors import ConfigError, UsageError
from scenthound.library import open_library
from tests.watchdog import PATIENCE


def demo(folder: Path, pages: int = 25) -> LiveCrawl:
    folder.mkdir()
    plan_demo(None, CrawlOptions(into=folder, pages=pages)).write()
    return LiveCrawl(folder)


async def until(live: LiveCrawl, true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110  (a view is made when asked for; nobody tells of it)
            await asyncio.sleep(0.02)


def ranked(live: LiveCrawl) -> list[WaitingLine]:
    """Waiting links but for seeds, and what stands in for one."""
    return [line for line in live.frontier(500) if line.priority < SEED_PRIORITY]


async def test_it_is_started_paused_changed_and_goes_on_to_the_end(tmp_path: Path) -> None:
    live = demo(tmp_path / "demo")
    assert live.view().state == "none"
    with pytest.raises(UsageError, match="No crawl"):
        live.pause()
    await live.start()
    with pytest.raises(UsageError, match="under way already"):
        await live.start()
    await until(live, lambda: live.view().new_pages >= 3)
    live.pause()
    await until(live, lambda: live.view().state == "paused")
    live.change(CrawlChange(pages=30, threshold=0.4, parallel=3))
    view = live.view()
    assert (view.budget, view.threshold, view.parallel) == (30, 0.4, 3)
    live.go_on()
    await until(live, lambda: live.state == "ended")
    view = live.view()
    assert (view.pages, view.ending) == (30, "pages")
    assert view.frontier
    assert len(view.arrived) == 20
    assert view.arrived[-1].number - view.arrived[0].number == 19
    assert any(line.words for line in view.arrived if line.relevant) or not any(line.relevant for line in view.arrived)
    await live.start(CrawlChange(pages=33))
    await until(live, lambda: live.state == "ended")
    assert live.view().pages == 33
    await live.close()


async def test_rules_move_and_refuse_links_at_once(tmp_path: Path) -> None:
    live = demo(tmp_path / "demo", 400)
    await live.start()
    await until(live, lambda: len({line.host for line in ranked(live)}) > 2)
    live.pause()
    await until(live, lambda: live.view().state == "paused")
    before = ranked(live)
    first, other = before[0].host, next(line.host for line in reversed(before) if line.host != before[0].host)
    raised = live.steer("raise", f"host:{other}")
    assert ranked(live)[0].host == other
    live.unsteer(raised.id)
    assert ranked(live) == before
    banned = live.steer("ban", f"host:{first}")
    assert first not in {line.host for line in ranked(live)}
    live.unsteer(banned.id)
    assert ranked(live) == before
    live.steer("ban", f"host:{first}")
    live.go_on()
    await until(live, lambda: live.view().refused > 0)
    live.stop()
    await until(live, lambda: live.state == "ended")
    await live.close()


async def test_a_crawl_that_breaks_says_why(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "topic.toml").write_text('[topic]\nname = "otters"\n')
    live = LiveCrawl(folder)
    await live.start()
    await until(live, lambda: live.state == "broken")
    assert "nowhere to start" in live.view().error


def test_changes_that_cannot_be_meant() -> None:
    with pytest.raises(ConfigError):
        changed(Config(), CrawlChange(threshold=2.0))
    assert changed(Config(), CrawlChange(pages=5)).crawl.pages == 5
    assert changed(Config(), CrawlChange()) == Config()


async def test_words_and_seeds_count_at_once_and_can_be_undone(tmp_path: Path) -> None:
    live = demo(tmp_path / "demo", 400)
    await live.start()
    await until(live, lambda: live.view().new_pages >= 8)
    live.pause()
    await until(live, lambda: live.view().state == "paused")
    words = live.view().words
    assert words
    added = live.steer("add-word", "hydroponics")
    assert live.session is not None
    assert live.session.crawl is not None
    assert "hydroponics" in [keyword.term for keyword in live.session.crawl.config.make_topic().keywords]
    assert live.view().words == [*words, "hydroponics"]
    await until(live, lambda: (judged := live.view().judged) is not None and "topic" in judged.because)
    live.unsteer(added.id)
    assert live.view().words == words
    seed = live.steer("add-seed", "https://never.invalid/first")
    assert seed.rule in [line.url for line in live.frontier(5)]
    live.unsteer(seed.id)
    live.go_on()
    await until(live, lambda: live.view().refused > 0)
    live.stop()
    await until(live, lambda: live.state == "ended")
    assert "https://never.invalid/first" not in live.view().seeds
    assert sum(live.view().kinds.values()) == live.view().new_pages
    await live.close()


async def test_recall_is_estimated_where_links_are_drawn_and_elsewhere_it_says_what_to_do(tmp_path: Path) -> None:
    live = demo(tmp_path / "demo", 20)
    await live.start()
    await until(live, lambda: live.view().new_pages > 0)
    running = live.view().recall
    assert running is not None
    assert (running.unknown, running.advice) == (NOT_DRAWN, f"stop it, and {DRAW}")
    await until(live, lambda: live.state == "ended")
    with open_library(live.folder, write=False) as library:
        assert library_recall(library) == no_recall(running.confidence)
    await live.start(CrawlChange(pages=70, recall=0.9))
    await until(live, lambda: live.state == "ended")
    recall = live.view().recall
    assert recall is not None
    assert recall.unknown != NOT_DRAWN
    assert bool(recall.unknown) == bool(recall.advice)
    assert recall.unknown or 0 <= recall.low <= recall.recall <= recall.high <= 1
    with open_library(live.folder, write=False) as library:
        assert library_recall(library) == recall
    with pytest.raises(UsageError, match="when a crawl begins"):
        change_crawl(live.session, CrawlChange(recall=0.5))  # type: ignore[arg-type]
    await live.close()
