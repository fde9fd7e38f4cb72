"""A crawl as a second face would run it: no terminal, no signals, events in a loop."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import UNSET

from scenthound import registry
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlPlan
from scenthound.app.events import (
    ArchiveCut,
    CoverageFigures,
    Event,
    HostRests,
    Judged,
    Judging,
    Learned,
    Stopped,
    Visited,
)
from scenthound.config import from_dict
from scenthound.errors import ConfigError
from scenthound.library import memory_library, open_library
from scenthound.model import Page
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


async def test_examples_are_a_place_to_start_for_whoever_starts_from_them(tmp_path: Path) -> None:
    given = plan(tmp_path / "x", seeds=[], pages=3)
    given.config.topic.examples = [f"{SITE}/0"]
    outcome = await CrawlSession(given, fetcher=ScriptedFetcher(web())).run()
    assert outcome.summary.pages == 3
    for strategy, examples in (("best-first", [f"{SITE}/0"]), ("auto", [str(tmp_path / "one.html")])):
        (tmp_path / "one.html").write_text("<p>birds")
        nowhere = plan(tmp_path / "y", seeds=[], strategy=strategy)
        nowhere.config.topic.examples = examples
        with pytest.raises(ConfigError, match="nowhere to start"):
            await CrawlSession(nowhere, fetcher=ScriptedFetcher(web())).run()
    assert sorted(os.listdir(tmp_path)) == ["one.html", "x"]


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
    again = session(tmp_path / "x", pages=5, rebuild_topic=2, threshold=0.02)  # what was learned is set aside
    first = next(event for event in await heard_from_start(again) if isinstance(event, Learned))
    assert (first.what, first.pages) == ("strategy", 4)


async def heard_from_start(crawl: CrawlSession) -> list[Event]:
    heard: list[Event] = []
    crawl.listeners.append(heard.append)
    await crawl.run()
    return heard


KINDS = ["birds", "ferns", "birds and ferns", "trams", "ferns", "birds", "trams", "ferns"]
FERNS = {
    f"{SITE}/{n}": page(f"x={SITE}/{n + 1}", text=f"{kind} number {n} grow there " * 9) for n, kind in enumerate(KINDS)
}


def of_keywords(folder: Path, pages: int, *keywords: str) -> CrawlSession:
    crawl = session(folder, FERNS, pages=pages, judge="keywords", strategy="breadth-first")
    crawl.plan.config.topic.keywords = list(keywords)
    return crawl


async def test_one_that_goes_on_with_another_topic_judges_its_pages_again_first(tmp_path: Path) -> None:
    first = await of_keywords(tmp_path / "x", 4, "birds").run()
    crawl = of_keywords(tmp_path / "x", 8, "birds", "ferns")
    judged, *_ = await all_of(crawl)
    assert isinstance(judged, Judged), "before the first request"
    assert (judged.pages, judged.relevant_before, judged.relevant, judged.because) == (4, 2, 3, ("topic",))
    assert crawl.outcome is not None
    assert (first.summary.relevant, crawl.outcome.summary.relevant) == (2, 6)
    again = of_keywords(tmp_path / "x", 8, "birds", "ferns")
    assert [event for event in await all_of(again) if isinstance(event, Judged)] == []


@dataclass
class FirstImpressions:
    """Until it has begun with pages it has seen, everything is relevant to it; then one page in four."""

    seen_: int = 0
    known_: int = 0

    def begin(self, context: Any) -> None:
        self.known_ = self.seen_

    def saw(self, page: Page) -> None:
        self.seen_ += 1

    def __call__(self, page: Page) -> float:
        return float(not self.known_ or page.url.endswith(("0", "4")))


@pytest.fixture
def learning_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.judge._entries, "first-impressions", FirstImpressions)


@pytest.mark.usefixtures("learning_judge")
async def test_one_whose_judge_learned_on_the_way_counts_what_it_thinks_in_the_end(tmp_path: Path) -> None:
    crawl = session(tmp_path / "x", pages=8, judge="first-impressions")
    told = await all_of(crawl)
    assert sum(event.relevant for event in told if isinstance(event, Visited)) == 8
    *_, judged, stopped = told
    assert isinstance(judged, Judged)
    assert (judged.relevant_before, judged.relevant, judged.because) == (8, 2, ("pages",))
    assert isinstance(stopped, Stopped)
    assert crawl.outcome is not None
    assert (stopped.relevant, crawl.outcome.summary.relevant, crawl.outcome.summary.harvest) == (2, 2, 0.25)


@pytest.mark.usefixtures("learning_judge")
async def test_stopped_in_haste_it_leaves_that_for_the_next_time(tmp_path: Path) -> None:
    crawl = session(tmp_path / "x", pages=8, judge="first-impressions")

    def in_haste(event: Event) -> None:
        if isinstance(event, Visited) and event.url == f"{SITE}/5":
            crawl.stop(now=True)

    crawl.listeners.append(in_haste)
    outcome = await crawl.run()
    assert outcome.summary.relevant == outcome.summary.pages >= 6
    judged, *_ = await all_of(session(tmp_path / "x", pages=8, judge="first-impressions"))
    assert isinstance(judged, Judged)
    assert (judged.relevant_before, judged.relevant) == (outcome.summary.pages, 2)


@pytest.mark.usefixtures("learning_judge")
async def test_stopped_while_it_judges_it_has_changed_nothing(tmp_path: Path) -> None:
    crawl = session(tmp_path / "x", pages=8, judge="first-impressions")
    crawl.listeners.append(lambda event: crawl.stop() if isinstance(event, Judging) else None)
    pace = iter(range(1, 1000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scenthound.app.crawl.time", SimpleNamespace(monotonic=lambda: float(next(pace))))
        told = await all_of(crawl)
    judged = next(event for event in told if isinstance(event, Judged))
    assert not judged.finished
    assert crawl.outcome is not None
    assert crawl.outcome.summary.relevant == 8


async def test_an_archive_that_lost_its_end_is_told_and_its_pages_come_again(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    await all_of(session(folder, pages=6))
    [path] = (folder / "warc").iterdir()
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 10)
    events = await all_of(session(folder, pages=8))
    [cut] = [event for event in events if isinstance(event, ArchiveCut)]
    assert (cut.file, cut.answers, cut.pages) == (f"warc/{path.name}", 1, 1)
    assert {event.url for event in events if isinstance(event, Visited)} == {f"{SITE}/{n}" for n in (5, 6, 7)}
    with open_library(folder, write=False) as library:
        assert library.counts().fetched == 8
        assert all(library.body(page.url) is not None for page in library.pages())


async def test_the_reason_for_stopping_is_told_in_one_word_for_all_limits(tmp_path: Path) -> None:
    for settings, ending, reason in (
        ({"pages": 2}, "pages", "limit"),
        ({"requests": 2}, "requests", "limit"),
        ({}, "frontier empty", "frontier empty"),
    ):
        crawl = session(tmp_path / ending.replace(" ", "-"), **settings)
        *_, last = await all_of(crawl)
        assert isinstance(last, Stopped)
        assert crawl.outcome is not None
        assert (last.ending, last.reason) == (ending, reason)
        assert (crawl.outcome.summary.ending, crawl.outcome.summary.reason) == (ending, reason)


async def test_the_summary_of_a_crawl_that_was_to_reach_some_recall_says_what_is_known_of_it(tmp_path: Path) -> None:
    outcome = await session(tmp_path / "x", until=["recall=0.9"]).run()
    assert isinstance(coverage := outcome.summary.coverage, CoverageFigures)
    assert (coverage.recall, coverage.unknown) == (0.0, "there are fewer than 50 pages")
    assert (await session(tmp_path / "y", until=["harvest=0.5"]).run()).summary.coverage is UNSET


async def test_a_rule_that_cannot_be_meant_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="say recall="):
        await session(tmp_path / "x", until=["fun=0.9"]).run()
    assert not (tmp_path / "x").exists()
