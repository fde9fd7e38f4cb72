from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.crawler import labels_on_the_way, read_back
from scenthound.crawler.assemble import assembled
from scenthound.crawler.crawl_judgements import CrawlJudgements
from scenthound.crawler.engine import Crawl
from scenthound.crawler.judge_again import JudgedPages
from scenthound.crawler.present_judge import present_context
from scenthound.library import open_library
from scenthound.library.label_file import LabelFile
from scenthound.model import Failed, Label, Link, Ranked, Response, Step, Visit
from scenthound.parse.page import parse
from scenthound.protocols.crawl import Context
from tests.crawler.judged_library import SITE, settings
from tests.small_web import ScriptedFetcher, answer, page
from tests.watchdog import PATIENCE

HUBS = [f"{SITE}/hub/{name}" for name in "ab"]
LEAVES = {hub: [f"{hub}/{n}" for n in range(12)] for hub in HUBS}
WEB = {
    **{hub: page(*(f"on={leaf}" for leaf in LEAVES[hub]), text=f"the hub {hub[-1]} leads on. " * 9) for hub in HUBS},
    **{leaf: page(text=f"leaf {leaf} of the tree. " * 9) for hub in HUBS for leaf in LEAVES[hub]},
}
AFTER = 4  # pages, then somebody sets a label


@dataclass
class ByRelevance:
    """A link is worth what its page is; learns which pages those were, and what was said."""

    merge: str = "max"

    def begin(self, context: object) -> None:
        self.seen_: dict[str, bool] = {}

    def learn(self, visit: Visit) -> None:
        assert visit.page.url not in self.seen_
        self.seen_[visit.page.url] = visit.relevant

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, visit.relevance) for link in visit.page.links]


class Interrupted(ScriptedFetcher):
    """Answers one at a time; after a few pages somebody says something, and the next answer waits until it is known."""

    def __init__(self, says: list[Label], folder: Path) -> None:
        super().__init__(WEB)
        self.parallel = 1
        self.known = asyncio.Event()
        self.order: list[str] = []
        self._says, self._folder = says, folder

    async def __call__(self, link: Link) -> Response | Failed:
        self.order.append(link.url)
        if len(self.order) == AFTER + 1:
            LabelFile(self._folder).add_labels(self._says)  # as another process would
            await self.known.wait()
        return await super().__call__(link)


async def crawl(
    folder: Path, says: list[Label], monkeypatch: pytest.MonkeyPatch, threshold: float | None = None
) -> tuple[list[str], list[tuple[JudgedPages, list[str]]], dict[str, bool]]:
    """The order of the pages, what was told, and what the strategy in charge had learned in the end.

    `threshold`: to which it is changed before the first request.
    """
    monkeypatch.setitem(labels_on_the_way.LabelsOnTheWay.__init__.__kwdefaults__, "every", 0.01)
    monkeypatch.setitem(registry.strategy._entries, "by-relevance", ByRelevance)
    fetcher = Interrupted(says, folder)
    told: list[tuple[JudgedPages, list[str]]] = []

    def heard(judged: JudgedPages, why: list[str]) -> None:
        told.append((judged, why))
        if "labels" in why:
            fetcher.known.set()

    config = settings("nothing like it", pages=10, crawl={"seeds": HUBS, "strategy": "by-relevance"})
    async with assembled(config, folder, fetcher=fetcher, judgements=CrawlJudgements(on_judged=heard)) as running:
        if threshold is not None:
            running.change_settings(replace(config, crawl=replace(config.crawl, threshold=threshold)))
        await running.run()
        learned = running.digest.strategy.seen_
    return fetcher.order, told, learned


async def test_a_label_changes_what_is_fetched_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = HUBS
    order, told, learned = await crawl(tmp_path / "x", [Label(second, True)], monkeypatch)
    [(judged, why)] = told
    assert (judged.relevant_before, judged.relevant, judged.came_in, why) == (0, 1, 1, ["labels"])
    assert order[: AFTER + 1] == [*HUBS, *LEAVES[first][:3]]
    assert order[AFTER + 1 :] == LEAVES[second][:5]
    assert learned == {url: url == second for url in order}
    with open_library(tmp_path / "x") as library:
        assert [page.url for page in library.pages(relevant=True)] == [second]
        assert library.page(second).first_relevant is False


async def test_pages_are_judged_again_by_the_threshold_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, told, _ = await crawl(tmp_path / "x", [Label(HUBS[1], False)], monkeypatch, threshold=0.0)
    judged, _ = told[-1]
    assert "threshold" in {each for _, because in told for each in because}
    assert (judged.pages, judged.relevant) == (AFTER, AFTER - 1), "all count, but for the one that was said not to"


@dataclass
class ByWords:
    """A link is worth what its address says of the topic; asked again, it says so by the topic of now."""

    merge: str = "last"

    def begin(self, context: Context) -> None:
        self.words_ = [keyword.term for keyword in context.topic.keywords]

    retopic = begin

    def learn(self, visit: Visit) -> None:
        pass

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, self._worth(link)) for link in visit.page.links]

    def rescore(self, links: Sequence[Link]) -> list[float]:
        return [self._worth(link) for link in links]

    def _worth(self, link: Link) -> float:
        return float(sum(f"/{word}/" in link.url for word in self.words_))


class Steered(ScriptedFetcher):
    """Answers one at a time; after a few pages somebody changes the settings."""

    def __init__(self, change: Callable[[Crawl], None]) -> None:
        super().__init__(WEB)
        self.parallel = 1
        self.crawl: Crawl | None = None
        self._change = change

    async def __call__(self, link: Link) -> Response | Failed:
        self.asked_for = [*getattr(self, "asked_for", []), link.url]
        if len(self.asked_for) == AFTER + 1 and self.crawl is not None:
            self._change(self.crawl)
        return await super().__call__(link)


async def test_the_next_page_is_judged_by_the_new_words_and_the_frontier_is_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any stored page is judged again."""
    monkeypatch.setitem(registry.strategy._entries, "by-words", ByWords)
    config = settings("nothing like it", pages=10, crawl={"seeds": HUBS, "strategy": "by-words"})
    told: list[JudgedPages] = []
    seen: list[tuple[str, bool, bool]] = []  # of each page: does it count, and were stored ones judged again?
    first: list[str] = []

    def change(crawl: Crawl) -> None:
        assert crawl.retopic is not None
        changed = replace(config, topic=replace(config.topic, keywords=["leaf", "b"]))
        crawl.change_settings(changed)
        crawl.retopic(changed)
        assert told == []
        first.append(crawl.frontier.best(1)[0].link.url)

    class Waits(Steered):
        """Two pages after the change: else the crawl may be over before the stored pages were judged again."""

        async def __call__(self, link: Link) -> Response | Failed:
            came = await super().__call__(link)
            if len(self.asked_for) == AFTER + 3:
                async with asyncio.timeout(PATIENCE):
                    await judged_again.wait()
            return came

    def heard(judged: JudgedPages, why: list[str]) -> None:
        told.append(judged)
        judged_again.set()

    fetcher, judged_again = Waits(change), asyncio.Event()
    judgements = CrawlJudgements(on_judged=heard)

    def saw(step: Step) -> None:
        if step.visit is not None:
            seen.append((step.visit.page.url, step.visit.relevant, bool(told)))

    async with assembled(
        config, tmp_path / "x", fetcher=fetcher, judgements=judgements, observers=[saw]
    ) as fetcher.crawl:
        await fetcher.crawl.run()
    assert [counts for _, counts, _ in seen[:AFTER]] == [False] * AFTER
    assert seen[AFTER] == (LEAVES[HUBS[0]][2], True, False), "judged by the new words, before anything else"
    assert first == [LEAVES[HUBS[1]][0]]
    assert seen[AFTER + 1][0] == first[0]
    assert told[0].finished
    assert told[0].came_in >= 2


async def test_a_threshold_of_now_is_taken_to_what_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(labels_on_the_way.LabelsOnTheWay.__init__.__kwdefaults__, "every", 0.01)
    monkeypatch.setattr(read_back, "SLICE", 0.0)  # the crawl has its turn after each page, however quick that was
    config = settings("nothing like it", pages=10, crawl={"seeds": HUBS})
    told: list[tuple[JudgedPages, list[str]]] = []
    progress: list[tuple[int, int] | None] = []

    def change(crawl: Crawl) -> None:
        crawl.change_settings(replace(config, crawl=replace(config.crawl, threshold=0.0)))
        crawl.look_at_labels()

    class Waits(Steered):
        async def __call__(self, link: Link) -> Response | Failed:
            answer = await super().__call__(link)
            if len(self.asked_for) == AFTER + 1:
                async with asyncio.timeout(PATIENCE):
                    while not told:
                        assert self.crawl is not None
                        progress.append(self.crawl.judging_again())
                        await asyncio.sleep(0)
            return answer

    fetcher = Waits(change)
    judgements = CrawlJudgements(on_judged=lambda judged, why: told.append((judged, why)))
    async with assembled(config, tmp_path / "x", fetcher=fetcher, judgements=judgements) as fetcher.crawl:
        await fetcher.crawl.run()
        assert fetcher.crawl.judging_again() is None
    judged, why = told[0]
    assert (judged.relevant, why) == (AFTER, ["threshold"])
    steps = [step for step in progress if step is not None]
    assert steps == sorted(steps), "it says how far it is"
    assert {whole for _, whole in steps} == {AFTER}


def label_a_leaf(crawl: Crawl, folder: Path) -> None:
    LabelFile(folder).add_labels([Label(LEAVES[HUBS[0]][0], True)])
    crawl.look_at_labels()


def add_words(crawl: Crawl, folder: Path) -> None:
    assert crawl.retopic is not None
    changed = replace(crawl.config, topic=replace(crawl.config.topic, keywords=["leaf", "tree"]))
    crawl.change_settings(changed)
    crawl.retopic(changed)


@pytest.mark.parametrize("say", [label_a_leaf, add_words])
async def test_what_is_said_while_stored_pages_are_judged_again_counts_at_once_and_from_then_on(
    say: Callable[[Crawl, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge in charge hears it, and so does the one that takes over, which was made before anybody said it."""
    monkeypatch.setattr(read_back, "SLICE", 0.0)
    config = settings("nothing like it", pages=10, crawl={"seeds": HUBS})
    url, relevances = LEAVES[HUBS[0]][0], list[float]()
    leaf = parse(answer(url, WEB[url]), "en")

    def change(crawl: Crawl) -> None:
        crawl.change_settings(replace(config, crawl=replace(config.crawl, threshold=0.01)))
        crawl.look_at_labels()

    class Waits(Steered):
        async def __call__(self, link: Link) -> Response | Failed:
            came = await super().__call__(link)
            if len(self.asked_for) == AFTER + 1 and self.crawl is not None:
                async with asyncio.timeout(PATIENCE):
                    while self.crawl.judging_again() is None:  # noqa: ASYNC110  (a pass begins)
                        await asyncio.sleep(0)
                    relevances.append(self.crawl.digest.judge(leaf))
                    say(self.crawl, tmp_path / "x")
                    relevances.append(self.crawl.digest.judge(leaf))
                    while len(relevances) < 3:  # noqa: ASYNC110  (the pass ends)
                        await asyncio.sleep(0)
            return came

    def heard(judged: JudgedPages, why: list[str]) -> None:
        assert fetcher.crawl is not None
        relevances.append(fetcher.crawl.digest.judge(leaf))

    fetcher, judgements = Waits(change), CrawlJudgements(on_judged=heard)
    async with assembled(config, tmp_path / "x", fetcher=fetcher, judgements=judgements) as fetcher.crawl:
        await fetcher.crawl.run()
    before, said, later = relevances[:3]
    assert before < said == pytest.approx(later)


async def test_labelled_pages_are_read_once_however_often_the_topic_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def counted(*given: Any, **named: Any) -> Any:
        read.append(1)
        return present_context(*given, **named)

    monkeypatch.setattr(labels_on_the_way, "present_context", counted)
    config = settings("nothing like it", pages=10, crawl={"seeds": HUBS})

    def change(crawl: Crawl) -> None:
        assert crawl.retopic is not None
        for word in ("leaf", "tree", "hub"):
            crawl.retopic(replace(config, topic=replace(config.topic, keywords=[word])))

    fetcher = Steered(change)
    async with assembled(config, tmp_path / "x", fetcher=fetcher, judgements=CrawlJudgements()) as fetcher.crawl:
        await fetcher.crawl.run()
    assert sum(read) == 1


async def test_the_end_finds_nothing_left_to_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await crawl(tmp_path / "x", [Label(HUBS[1], True)], monkeypatch)
    told: list[JudgedPages] = []
    judgements = CrawlJudgements(on_judged=lambda judged, why: told.append(judged))
    config = settings("nothing like it", pages=10, crawl={"seeds": HUBS, "strategy": "by-relevance"})
    async with assembled(config, tmp_path / "x", fetcher=ScriptedFetcher(WEB), judgements=judgements) as running:
        await running.run()
        assert await judgements.after() is None
    assert told == []
