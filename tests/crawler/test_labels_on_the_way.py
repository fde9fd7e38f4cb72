from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.crawler import labels_on_the_way
from scenthound.crawler.assemble import assembled
from scenthound.crawler.crawl_judgements import CrawlJudgements
from scenthound.crawler.judge_again import JudgedPages
from scenthound.library import open_library
from scenthound.library.label_file import LabelFile
from scenthound.model import Failed, Label, Link, Ranked, Response, Visit
from tests.crawler.judged_library import SITE, settings
from tests.small_web import ScriptedFetcher, page

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
    [(judged, _)] = told
    assert (judged.pages, judged.relevant) == (AFTER, AFTER - 1), "all count, but for the one that was said not to"


async def test_the_end_finds_nothing_left_to_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await crawl(tmp_path / "x", [Label(HUBS[1], True)], monkeypatch)
    told: list[JudgedPages] = []
    judgements = CrawlJudgements(on_judged=lambda judged, why: told.append(judged))
    config = settings("nothing like it", pages=10, crawl={"seeds": HUBS, "strategy": "by-relevance"})
    async with assembled(config, tmp_path / "x", fetcher=ScriptedFetcher(WEB), judgements=judgements) as running:
        await running.run()
        assert await judgements.after() is None
    assert told == []
