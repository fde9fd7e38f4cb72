from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from scenthound import registry
from scenthound.crawler.crawl_judgements import CrawlJudgements
from scenthound.crawler.judge_again import JudgedPages
from scenthound.library import open_library
from scenthound.model import Page, Ranked, Visit
from tests.crawler.judged_library import BIRDS, BOTH, FERNS, WAITING, WEB, crawl, relevant, settings

ON = {**WEB, WAITING["bird"]: "birds", WAITING["fern"]: "ferns"}


class Heard:
    """What was judged again, and why."""

    def __init__(self, **more: Any) -> None:
        self.told: list[tuple[JudgedPages, list[str]]] = []
        self.judgements = CrawlJudgements(on_judged=lambda judged, why: self.told.append((judged, why)), **more)


async def test_a_crawl_that_goes_on_with_the_same_settings_judges_nothing_again(tmp_path: Path) -> None:
    heard = Heard()
    with open_library(tmp_path / "x", create=True) as library:
        await crawl(library, settings("birds"), heard.judgements)
        await crawl(library, settings("birds", pages=6), heard.judgements, ON)
        assert await heard.judgements.after() is None
        assert (heard.told, library.judged_again()) == ([], None)


async def test_one_that_goes_on_with_another_topic_judges_all_again_before(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds"))
    heard = Heard()
    await crawl(tmp_path / "x", settings("birds", "ferns", pages=6), heard.judgements, ON)
    [(judged, why)] = heard.told
    assert (judged.pages, judged.relevant_before, judged.relevant, why) == (5, 2, 3, ["topic"])
    with open_library(tmp_path / "x") as library:
        assert {BIRDS, FERNS, BOTH} <= relevant(library)
        asked = [page.url for page in library.pages()][5:]
    assert asked == [WAITING["bird"]] or asked == [WAITING["fern"]]


async def test_pages_of_a_library_that_never_noted_its_judge_are_judged_again(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds"))
    with open_library(tmp_path / "x") as library:
        library.note_judged_by("")
    heard = Heard()
    await crawl(tmp_path / "x", settings("birds"), heard.judgements)
    [(judged, why)] = heard.told
    assert (judged.finished, judged.changed, why) == (True, 0, [])


@dataclass
class LearnsOnce:
    """Learns, and is not to be taught twice."""

    merge: str = "max"
    learned_: list[str] = field(default_factory=list)

    def learn(self, visit: Visit) -> None:
        assert visit.page.url not in self.learned_
        self.learned_.append(visit.page.url)
        TAUGHT.append((visit.page.url, visit.relevant))

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, 0.5) for link in visit.page.links]


TAUGHT: list[tuple[str, bool]] = []


@pytest.mark.parametrize("keywords", [("birds",), ("birds", "ferns")])
async def test_a_learner_learns_each_visit_once_with_its_present_relevance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keywords: tuple[str, ...]
) -> None:
    monkeypatch.setitem(registry.strategy._entries, "learns-once", LearnsOnce)
    await crawl(tmp_path / "x", settings("birds", crawl={"strategy": "learns-once"}))
    TAUGHT.clear()
    await crawl(tmp_path / "x", settings(*keywords, crawl={"strategy": "learns-once"}))
    assert len(TAUGHT) == 5
    assert dict(TAUGHT)[FERNS] == ("ferns" in keywords)


async def test_with_a_topic_that_is_rebuilt_the_visits_are_relived_after_judging(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.strategy._entries, "learns-once", LearnsOnce)
    more = {"strategy": "learns-once", "rebuild_topic": 2}
    await crawl(tmp_path / "x", settings("birds", crawl=more))
    heard = Heard()
    await crawl(tmp_path / "x", settings("birds", "ferns", crawl=more), heard.judgements)
    assert heard.told[0][0].relevant == 3


@dataclass
class Doubts:
    """A page is the less relevant the more it has seen when it begins."""

    seen_: int = 0
    known_: int = 0

    def begin(self, context: Any) -> None:
        self.known_ = self.seen_

    def saw(self, page: Page) -> None:
        self.seen_ += 1

    def __call__(self, page: Page) -> float:
        return 1.0 / (1 + self.known_)


async def test_a_judge_that_learned_on_the_way_judges_all_again_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.judge._entries, "doubts", Doubts)
    config, heard = settings("birds", crawl={"judge": "doubts"}), Heard()
    with open_library(tmp_path / "x", create=True) as library:
        await crawl(library, config, heard.judgements)
        assert library.counts().relevant == 5
        judged = await heard.judgements.after()
        assert judged is not None
        assert (judged.relevant_before, judged.relevant, heard.told) == (5, 0, [(judged, ["pages"])])
        assert {page.relevance for page in library.pages()} == {1 / 6}
        assert await heard.judgements.after() is None
    await crawl(tmp_path / "x", config, heard.judgements)
    assert len(heard.told) == 1, "what was done at the end is not done again at the start"


async def test_who_is_stopped_does_it_next_time(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds"))
    stopped, heard = Heard(stopping=lambda: True), Heard()
    await crawl(tmp_path / "x", settings("birds", "ferns"), stopped.judgements)
    assert not stopped.told[0][0].finished
    await crawl(tmp_path / "x", settings("birds", "ferns"), heard.judgements)
    assert heard.told[0][0].finished
    with open_library(tmp_path / "x") as library:
        assert relevant(library) == {BIRDS, FERNS, BOTH}
