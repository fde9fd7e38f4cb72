"""A crawl as a second face would run it: no terminal, no signals, events in a loop."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlPlan
from scenthound.app.events import Event, HostRests, Learned, Stopped, Visited
from scenthound.config import from_dict
from scenthound.errors import ConfigError
from scenthound.library import memory_library
from tests.small_web import ScriptedFetcher, answer, page
from tests.watchdog import PATIENCE

SITE = "http://a.test"


def web(pages: int = 12) -> dict[str, Any]:
    """Each page about birds, and linked to the next one."""
    words = ["song", "nest", "wing", "egg", "owl", "wren", "crow", "gull", "finch", "robin", "swan", "heron"]
    return {
        f"{SITE}/{number}": page(f"birds {number + 1}={SITE}/{number + 1}", text=f"birds {words[number % 12]} " * 9)
        for number in range(pages)
    }


def plan(folder: Path, **crawl: Any) -> CrawlPlan:
    sections = {"crawl": {"seeds": [f"{SITE}/0"], "parsers": 0, **crawl}, "topic": {"name": "birds"}}
    config = from_dict({**sections, "politeness": {"delay": 0, "robots": False}, "fetch": {"backoff": 0.01}})
    return CrawlPlan(folder=folder, config=config, keep=config)


def session(folder: Path, script: dict[str, Any] | None = None, **crawl: Any) -> CrawlSession:
    return CrawlSession(plan(folder, **crawl), fetcher=ScriptedFetcher(web() if script is None else script))


async def all_of(crawl: CrawlSession) -> list[Event]:
    return [event async for event in crawl.events()]


async def test_events_come_in_a_loop_and_the_last_says_why_it_stopped(tmp_path: Path) -> None:
    crawl = session(tmp_path / "x", pages=5)
    *before, last = await all_of(crawl)
    assert [event.url for event in before if isinstance(event, Visited)] == [f"{SITE}/{n}" for n in range(5)]
    assert isinstance(last, Stopped)
    assert (last.ending, last.pages, last.new_pages) == ("pages", 5, 5)
    assert crawl.outcome is not None
    assert (crawl.outcome.summary.pages, crawl.outcome.summary.topic) == (5, "birds")
    assert (tmp_path / "x/topic.toml").is_file()


async def test_listeners_hear_the_same(tmp_path: Path) -> None:
    heard: list[Event] = []
    crawl = session(tmp_path / "x", pages=3)
    crawl.listeners.append(heard.append)
    outcome = await crawl.run()
    assert outcome.ending == "pages"
    assert sum(isinstance(event, Visited) for event in heard) == crawl.progress.pages == 3


@pytest.mark.parametrize("closes", [True, False])
async def test_who_leaves_the_loop_stops_the_crawl(tmp_path: Path, closes: bool) -> None:
    crawl = session(tmp_path / "x")
    async with crawl:
        stream = crawl.events()
        async for event in stream:
            if isinstance(event, Visited):
                break
        if closes:
            await stream.aclose()
    assert crawl.outcome is not None
    assert crawl.outcome.ending == "stopped"
    assert 1 <= crawl.outcome.summary.pages < 12


async def test_what_is_left_behind_goes_on(tmp_path: Path) -> None:
    await session(tmp_path / "x", pages=4).run()
    again = session(tmp_path / "x", pages=7)
    outcome = await again.run()
    assert (outcome.summary.pages, outcome.summary.new_pages) == (7, 3)


async def test_a_session_is_one_crawl(tmp_path: Path) -> None:
    crawl = session(tmp_path / "x", pages=2)
    await crawl.run()
    with pytest.raises(RuntimeError, match="another session"):
        await crawl.run()


async def test_a_library_that_is_open_takes_the_pages(tmp_path: Path) -> None:
    with memory_library() as library:
        crawl = CrawlSession(plan(tmp_path / "x", pages=3), library=library, fetcher=ScriptedFetcher(web()))
        outcome = await crawl.run()
        assert outcome.summary.pages == library.counts().fetched == 3
        more = CrawlSession(plan(tmp_path / "x", pages=5, seeds=[]), library=library, fetcher=ScriptedFetcher(web()))
        assert (await more.run()).summary.pages == 5
    assert os.listdir(tmp_path) == []


async def test_it_can_be_stopped_before_it_begins_and_from_anywhere(tmp_path: Path) -> None:
    early = session(tmp_path / "x")
    early.stop()
    assert (await early.run()).summary.new_pages == 0
    later = session(tmp_path / "y")
    later.listeners.append(lambda event: later.stop() if isinstance(event, Visited) else None)
    outcome = await later.run()
    assert (outcome.ending, outcome.summary.pages, outcome.hurried) == ("stopped", 1, False)


async def test_a_plan_that_cannot_work_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere to start"):
        await session(tmp_path / "x", seeds=[]).run()
    with pytest.raises(ConfigError, match="nowhere to start"):
        await all_of(session(tmp_path / "x", seeds=[]))
    assert os.listdir(tmp_path) == []


async def test_an_error_in_a_listener_ends_the_crawl_and_closes_the_library(tmp_path: Path) -> None:
    def broken(event: Event) -> None:
        raise RuntimeError("no such luck")

    crawl = session(tmp_path / "x")
    crawl.listeners.append(broken)
    with pytest.raises(RuntimeError, match="no such luck"):
        await asyncio.wait_for(crawl.run(), PATIENCE)
    assert (await session(tmp_path / "x", pages=2).run()).ending == "pages"


async def test_a_host_that_asks_for_a_pause_is_told(tmp_path: Path) -> None:
    script = web(3) | {f"{SITE}/1": [answer(f"{SITE}/1", status=429), page(text="birds nest")]}
    events = await all_of(session(tmp_path / "x", script))
    (rests,) = [event for event in events if isinstance(event, HostRests)]
    assert rests.host == "a.test"
    assert rests.until > rests.at


async def test_learning_is_told(tmp_path: Path) -> None:
    crawl = session(tmp_path / "x", pages=4, rebuild_topic=2, threshold=0.01)
    told = [event for event in await all_of(crawl) if isinstance(event, Learned)]
    assert [(event.what, event.name, event.pages) for event in told] == [("topic", "birds", 2), ("topic", "birds", 4)]
    assert "birds" in told[0].keywords
    again = session(tmp_path / "x", pages=5, rebuild_topic=2, threshold=0.01)
    first = next(event for event in await heard_from_start(again) if isinstance(event, Learned))
    assert (first.what, first.pages) == ("strategy", 4)


async def heard_from_start(crawl: CrawlSession) -> list[Event]:
    heard: list[Event] = []
    crawl.listeners.append(heard.append)
    await crawl.run()
    return heard
