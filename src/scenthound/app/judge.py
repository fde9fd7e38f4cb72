"""All pages of a library judged again: after labels, another topic, another judge or threshold.

    session = JudgeSession(folder, JudgeOptions(threshold=0.4))
    outcome = await session.run()
    print(outcome.judged.relevant_before, outcome.judged.relevant)

A judge or threshold given here goes into the folder's topic.toml, so that crawls that go on agree with it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scenthound import config as toml
from scenthound import registry
from scenthound.app.settings_file import edited
from scenthound.atomic_write import replacing
from scenthound.config import Config, named
from scenthound.crawler import examples
from scenthound.crawler.assemble import page_crawl_parts
from scenthound.crawler.crawl_judgements import JudgedCrawl, judge_stored, present_parts
from scenthound.crawler.judge_again import JudgedPages
from scenthound.crawler.present_judge import differences, digest_of
from scenthound.errors import LibraryMissing, UsageError
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.judges.threshold import threshold_of
from scenthound.library import is_library, open_library
from scenthound.library.run_settings import SETTINGS, last_settings
from scenthound.parse.parser_pool import ParserPool
from scenthound.protocols.crawl import Progress
from scenthound.protocols.library import Library
from scenthound.sites.site_runs import STRATEGY


class JudgeOptions(Struct, frozen=True):
    """None: as topic.toml has it."""

    judge: str | None = None
    threshold: float | None = None


class JudgeOutcome(Struct, frozen=True):
    """What judging a library again came to."""

    folder: str
    judge: str
    threshold: float
    judged: JudgedPages
    changed: list[str] = []  # since they were last judged: topic, judge, threshold, examples, labels, pages
    dropped_threshold: float | None = None  # one of topic.toml that was of another judge's scale


class JudgeSession:
    """Judges a library again; `stop` ends it early, and then nothing is changed."""

    def __init__(self, folder: Path, options: JudgeOptions | None = None, *, progress: Progress | None = None) -> None:
        self.folder = folder
        self.options = options or JudgeOptions()
        self.progress = progress
        self._stopping = False

    def stop(self, *, now: bool = False) -> None:
        self._stopping = True

    async def run(self) -> JudgeOutcome:
        before = judge_settings(self.folder)
        config = with_options(before, self.options)
        registry.judge.build(*named(config.crawl.judge, "judge"))
        with open_library(self.folder) as library:
            _refuse_sites(library)
            async with _parser_pool(config.crawl.parsers) as parser_pool:
                pages = await examples_of_topic(config, self.folder)
                ranks = named(last_settings(library).crawl.strategy, "strategy")[0] != STRATEGY
                crawl = JudgedCrawl(config, library, pages, page_crawl_parts, parser_pool, ranks)
                changed = differences(library.judged_by(), digest_of(config, library, pages))
                parts = await present_parts(crawl)  # whatever is wrong with them is said before anything is written
                write_settings(self.folder, before, config)
                judged = await judge_stored(crawl, parts, progress=self.progress, stopping=lambda: self._stopping)
        return JudgeOutcome(
            folder=str(self.folder),
            judge=named(config.crawl.judge, "judge")[0],
            threshold=threshold_of(config),
            judged=judged,
            changed=changed,
            dropped_threshold=before.crawl.threshold if config.crawl.threshold is None else None,
        )


@asynccontextmanager
async def _parser_pool(size: int) -> AsyncIterator[ParserPool]:
    parser_pool = ParserPool.of(size)
    try:
        yield parser_pool
    finally:
        await parser_pool.close()


def judge_settings(folder: Path) -> Config:
    if not is_library(folder):
        raise LibraryMissing(f"There is no library in {folder}. Start one with: scenthound crawl TOPIC --into {folder}")
    if not (folder / SETTINGS).is_file():
        raise UsageError(
            f"{folder} has lost its topic.toml, and so what its pages are judged by. Name the topic again: "
            f"scenthound crawl TOPIC --into {folder}"
        )
    return toml.load(folder / SETTINGS)


def with_options(config: Config, options: JudgeOptions) -> Config:
    """The settings to judge by. A threshold that was set for another judge means nothing on this one's scale."""
    crawl = replace(config.crawl)
    if options.judge is not None and options.judge != named(crawl.judge, "judge")[0]:
        crawl = replace(crawl, judge=options.judge, threshold=None)
    if options.threshold is not None:
        crawl = replace(crawl, threshold=options.threshold)
    return replace(config, crawl=crawl)


def write_settings(folder: Path, before: Config, config: Config) -> None:
    """Writes judge and threshold into topic.toml, where they are others than it says; all else stays as it is."""
    changes = {
        key: getattr(config.crawl, key)
        for key in ("judge", "threshold")
        if getattr(config.crawl, key) != getattr(before.crawl, key)
    }
    if changes:
        path = folder / SETTINGS
        text = edited(path.read_text(encoding="utf-8"), {"crawl": changes}, str(path))
        with replacing(path) as file:
            file.write(text)


def _refuse_sites(library: Library) -> None:
    if last_settings(library).crawl.judge == STRATEGY:
        raise UsageError(
            f"The pages of {library.folder} are judged by its training sites, and their list is made of that. "
            f"Change the sites it learns from instead: scenthound sites {library.folder} --relevant-sites ..."
        )


async def examples_of_topic(config: Config, folder: Path) -> examples.ExamplePages:
    """Those of the topic; what is not kept from before is fetched, as by a crawl."""
    if config.fetch.demo or not (config.topic.examples or config.topic.counterexamples):
        return examples.load_kept(config, folder)
    fetcher = fetcher_for(config)
    try:
        return await examples.load(config, folder, fetcher)
    finally:
        await fetcher.close()
