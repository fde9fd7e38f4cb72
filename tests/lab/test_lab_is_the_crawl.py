"""What the lab measures is, request by request, what crawls: the same settings, from a result's own row, ask the same.

The crawl beside it is the command line's: into a folder, by the clock on the wall, with its examples fetched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scenthound import registry
from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.fetch.answer import classify
from scenthound.lab.crawls.experiment import Experiment, cells_of, topics_of
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.crawls.runner import CellRunner
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.sites.site_crawls import Kind, SiteCrawler, SiteLab, SiteTask, settings_of, train
from scenthound.lab.sites.site_trials import SiteWalker, generated_labelled_sites
from scenthound.learn import model_file
from scenthound.model import Failed, Link, Response, Step
from scenthound.sites.parts import SiteCrawlParts
from scenthound.sites.taught import TaughtSites
from scenthound.text import idf

PAGES = 1000
"""Of the generated web: enough for traps, for files that are no pages and for copies."""


class WebFetcher:
    """A web that holds still, asked one link at a time."""

    parallel = 1

    def __init__(self, answer: Callable[[Link], Response | Failed]) -> None:
        self._answer = answer

    async def __call__(self, link: Link) -> Response | Failed:
        return self._answer(link)

    async def close(self) -> None:
        pass


def asked(steps: list[Step]) -> list[str]:
    return [step.lease.link.url for step in steps if step.state not in ("waiting", "refused")]


def crawled(config: Config, folder: Path, web: Callable[[Link], Response | Failed], **given: Any) -> list[str]:
    """The requests of the crawl that these settings make outside the lab."""

    async def crawl() -> list[str]:
        steps: list[Step] = []
        async with assembled(config, folder, fetcher=WebFetcher(web), observers=[steps.append], **given) as crawl:
            await crawl.run()
        return asked(steps)

    return asyncio.run(crawl())


class NotedRunner(CellRunner):
    """Keeps what its crawls asked for, and who ranked."""

    def run_noted(self, number: int) -> tuple[ResultRow, list[str], Any]:
        traces: list[tuple[list[str], Any]] = []
        crawl = self.crawler.crawl

        def noted(*given: Any, **more: Any) -> Any:
            trace, spent = crawl(*given, **more)
            traces.append(([request.url for request in trace.requests], given[1]))
            return trace, spent

        self.crawler.crawl = noted  # type: ignore[method-assign]
        row = self.run(cells_of(self.experiment, topics_of(self.experiment))[number])
        return row, *traces[0]


@pytest.mark.parametrize(
    "strategy",
    ["best-first", "apprentice", "intelligent", "best-n-first(n=4)", "tunnelling(strategy=best-first,max_level=2)"],
)
def test_a_page_crawl(strategy: str, tmp_path: Path) -> None:
    runner = NotedRunner(Experiment(strategies=[strategy], generated=PAGES, bounds=False, pages=200))
    row, in_lab, _ = runner.run_noted(0)
    assert len(in_lab) > 200
    assert crawled(from_dict(row.settings), tmp_path, runner.web.answer) == in_lab


def test_a_crawl_whose_topic_is_rebuilt(tmp_path: Path) -> None:
    plan = Experiment(strategies=["best-first"], generated=PAGES, bounds=False, pages=200, rebuild_topic=20)
    runner = NotedRunner(plan)
    row, in_lab, _ = runner.run_noted(0)
    assert crawled(from_dict(row.settings), tmp_path, runner.web.answer) == in_lab


def test_a_learner_that_was_trained_ahead(tmp_path: Path) -> None:
    runner = NotedRunner(Experiment(strategies=["memm"], generated=PAGES, bounds=False, pages=120))
    row, in_lab, parts = runner.run_noted(0)
    trained = parts.strategy
    assert isinstance(trained, registry.strategy.get("memm"))
    model_file.save(model_file.path_of(tmp_path / model_file.FOLDER, "memm", trained), "memm", trained)
    assert crawled(from_dict(row.settings), tmp_path, runner.web.answer) == in_lab


def test_a_crawl_of_the_lab_into_a_library(tmp_path: Path) -> None:
    runner = NotedRunner(Experiment(strategies=["apprentice"], generated=PAGES, bounds=False, pages=120, store=True))
    row, in_lab, _ = runner.run_noted(0)
    assert crawled(from_dict(row.settings), tmp_path, runner.web.answer) == in_lab


# Sites

SITES = SiteWeb(seed=5, sites=60, classes=4)


def answer(link: Link) -> Response | Failed:
    """Every site has a calendar without end, which no crawl should enter."""
    given = SITES.respond(link.url)
    if not given.status:
        return Failed(link.url, "dns", "no such name")
    body = given.body.replace(b"</body>", b'<p><a href="/calendar?year=2199">Our calendar</a></p></body>')
    return classify(Response(link.url, given.status, given.headers, body), link.kind)


@pytest.fixture(scope="module")
def task() -> SiteTask:
    name = SITES.classes[0]
    sites = generated_labelled_sites(SITES, name, SiteWalker(answer))
    good, others = [site for site in sites if site.relevant], [site for site in sites if not site.relevant]
    seeds, hidden = tuple(site.start for site in good[:2]), frozenset(site.site for site in good[2:])
    return SiteTask(name, seeds, hidden, 200, *train(good[:4], others[:10], idf.background("en")))


@pytest.mark.parametrize("kind", ["website", "homepage"])
def test_a_crawl_for_sites(kind: Kind, task: SiteTask, tmp_path: Path) -> None:
    crawler, in_lab = SiteCrawler(kind, kind), list[str]()

    def noted(link: Link) -> Response | Failed:
        in_lab.append(link.url)
        return answer(link)

    log = SiteLab(noted).run(crawler, task)
    classifier = task.homepages.classifier if kind == "homepage" else task.classifier
    outside = crawled(settings_of(crawler, task), tmp_path, answer, parts=SiteCrawlParts(TaughtSites(classifier)))
    assert len(log) > 50
    assert not any("year=2199" in url for url in outside)
    assert outside == in_lab
