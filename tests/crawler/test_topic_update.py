"""The topic, rebuilt during the crawl: by hand, told to whom, bounded, and the same after a restart."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scenthound.config import Config, from_dict
from scenthound.crawler import topic_update as module
from scenthound.crawler.assemble import assembled
from scenthound.crawler.topic_update import TopicUpdate, retopic
from scenthound.model import Keyword, Link, Page, Step, Topic, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.apprentice import Apprentice
from scenthound.strategies.best_first import BestFirst
from scenthound.strategies.blocks import Blocks
from scenthound.strategies.tunnelling import Tunnelling
from scenthound.text import idf
from tests.small_web import ScriptedFetcher, page

TOPIC = Topic("orchids", (Keyword("orchid", 1.0),))


def context() -> Context:
    return Context(TOPIC, idf.none(), Random(1))


def visit(text: str, relevance: float = 0.5, *, relevant: bool = True) -> Visit:
    return Visit(Link("http://a/"), Page("http://a/", text=text), relevance, relevant, 1)


@dataclass
class Told:
    grounds: list[Context] = field(default_factory=list)

    def begin(self, context: Context) -> None:
        self.grounds.append(context)


class Learner(Told):
    def learn(self, visit: Visit) -> None:
        pass


class Listener(Learner):
    def retopic(self, context: Context) -> None:
        self.grounds.append(context)


def weights(topic: Topic) -> dict[str, float]:
    return {keyword.term: keyword.weight for keyword in topic.keywords}


def test_worked_by_hand() -> None:
    """Two pages: moss 1 + 1 of 2, both hold it; fern 1/2, one of two does: 2 * 2 to 1/2 * 1, shares 8/9 and 1/9."""
    judge, strategy = Told(), Told()
    topic_update = TopicUpdate(2, context(), strategy, judge)
    topic_update.saw(visit("moss moss fern"))
    assert judge.grounds == strategy.grounds == []
    topic_update.saw(visit("tree tree", relevant=False))
    topic_update.saw(visit("moss moss fern"), duplicate=True)
    topic_update.saw(visit("moss"))
    assert weights(topic_update.context.topic) == pytest.approx({"orchid": 0.5, "moss": 0.5 * 8 / 9, "fern": 0.5 / 9})
    assert judge.grounds == strategy.grounds == [topic_update.context]


def test_the_keywords_of_the_user_keep_their_share_for_ever() -> None:
    topic_update = TopicUpdate(1, context(), Told(), Told())
    for n in range(30):
        topic_update.saw(visit(f"moss fern word{n} orchid" if n % 2 else "moss"))
        assert weights(topic_update.context.topic)["orchid"] >= 0.5
        assert sum(weights(topic_update.context.topic).values()) == pytest.approx(1.0)


def test_without_keywords_the_pages_are_all_there_is_and_without_words_nothing_changes() -> None:
    topic_update = TopicUpdate(1, Context(Topic("x"), idf.none(), Random(1)), Told(), Told())
    topic_update.saw(visit("moss"))
    assert weights(topic_update.context.topic) == {"moss": 1.0}
    silent = TopicUpdate(1, context(), Told(), Told())
    silent.saw(visit("... the"))
    assert silent.context.topic == TOPIC


def test_the_best_pages_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEST", 2)
    topic_update = TopicUpdate(4, context(), Told(), Told())
    for text, relevance in (("moss", 0.4), ("fern", 0.9), ("lichen", 0.9), ("tree", 0.9)):
        topic_update.saw(visit(text, relevance))
    assert weights(topic_update.context.topic).keys() == {"orchid", "fern", "lichen"}, "of equals the first ones"


def test_who_is_told() -> None:
    plain, learner, listener, nobody = Told(), Learner(), Listener(), object()
    for strategy in (plain, learner, listener, nobody):
        retopic(strategy, context())
    assert [len(each.grounds) for each in (plain, learner, listener)] == [1, 0, 1]


@pytest.mark.parametrize(("inner", "told"), [(Told(), 1), (Learner(), 0), (Listener(), 1)])
def test_tunnelling_hands_it_on(inner: Told, told: int) -> None:
    retopic(Tunnelling(inner), context())
    assert len(inner.grounds) == told


@pytest.mark.parametrize("strategy", [BestFirst(), Blocks(), Apprentice()], ids=lambda each: type(each).__name__)
def test_strategies_rank_by_the_new_keywords_and_keep_what_they_know(strategy: Any) -> None:
    link = Link("http://b/", "http://a/", anchor="moss", context="moss")
    here = Visit(Link("http://a/"), Page("http://a/", links=(link,), terms={"tree": 1}, language="en"), 0.5, True, 1)
    strategy.begin(context())
    if hasattr(strategy, "learn"):
        strategy.learn(here)
    before = strategy.rank(here)[0].priority
    held = dict(strategy.held_.entries) if isinstance(strategy, Blocks) else {}
    squares = getattr(getattr(strategy, "model_", None), "squares", None)
    new = Topic("orchids", (Keyword("orchid", 0.5), Keyword("moss", 0.5)))
    retopic(strategy, Context(new, idf.none(), Random(1)))
    if isinstance(strategy, Blocks):
        assert "moss" in strategy.table_.weights
        assert strategy.held_.entries == held != {}
    else:
        assert strategy.rank(here)[0].priority > before
        assert getattr(getattr(strategy, "model_", None), "squares", None) is squares


# In a crawl

A = "http://a.test/"
TEXT = "orchid moss"  # relevance by keywords: the orchid's share of it
WEB = {
    A: page(*(f"{n}=http://{n}.test/" for n in range(6)), text=TEXT),
    **{f"http://{n}.test/": page(f"http://{n}.test/moss", text=f"{TEXT} number{n} " * 3) for n in range(6)},
    **{f"http://{n}.test/moss": page(text=f"moss number{n} alone") for n in range(6)},
}


def settings(pages: int, every: int) -> Config:
    parts = {"strategy": "best-first", "judge": "keywords"}
    crawl = {"seeds": [A], "pages": pages, "rebuild_topic": every, "idf": "none", **parts}
    politeness = {"delay": 0.0, "robots": False}
    return from_dict({"topic": {"name": "orchid"}, "crawl": crawl, "politeness": politeness})


async def crawled(folder: Path, every: int, *stops: int) -> tuple[list[tuple[str, float]], Topic]:
    """URLs with their relevance, in order; and the strategy's query in the end. The process ends at each stop."""
    steps: list[Step] = []
    for pages in stops:
        fetcher = ScriptedFetcher(WEB)
        async with assembled(settings(pages, every), folder, fetcher=fetcher, observers=[steps.append]) as crawl:
            await crawl.run()
    query = crawl.digest.strategy.query_.vector  # type: ignore[attr-defined]
    return [(step.visit.page.url, step.visit.relevance) for step in steps if step.visit is not None], query


async def test_the_judge_sees_pages_with_new_eyes(tmp_path: Path) -> None:
    without, _ = await crawled(tmp_path / "without", 0, 13)
    rebuilt, query = await crawled(tmp_path / "with", 3, 13)
    assert without[:3] == rebuilt[:3]
    assert dict(without)["http://0.test/moss"] == 0.0
    assert dict(rebuilt)["http://0.test/moss"] > 0.1
    assert "moss" in query


async def test_a_restart_changes_nothing(tmp_path: Path) -> None:
    whole = await crawled(tmp_path / "whole", 3, 13)
    assert await crawled(tmp_path / "parts", 3, 2, 5, 6, 13) == whole
