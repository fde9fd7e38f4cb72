"""Takes other people's collections into a library: pages that are judged and searched like crawled ones, and links.

    WARC, WACZ, a folder of HTML, Scrapy's JSON lines    pages: each goes through the engine as if a server had answered
    lists of URLs, OPML, bookmarks, sitemaps             links: they wait, as seeds, for the next crawl
    indexes of archives (CDXJ), as Common Crawl has      pages whose bytes are here; links with words of the topic

The links of imported pages wait as well, ranked by the strategy, so that a crawl can go on from there. Nothing is asked
over the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scenthound import urls
from scenthound.app.crawl import check_parts
from scenthound.app.crawl_plan import CrawlOptions, CrawlPlan, is_crawl_folder, plan_crawl
from scenthound.app.index_links import index_links
from scenthound.app.judge import JudgeSession
from scenthound.app.link_lists import is_link_list, links_of
from scenthound.config import Config
from scenthound.crawler.assemble import assembled, page_crawl_parts
from scenthound.crawler.budget import Budget
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.engine import SEED_PRIORITY, Crawl
from scenthound.errors import UsageError
from scenthound.fetch.common_crawl import has_local, is_index
from scenthound.fetch.fetcher_for import recording
from scenthound.library import open_library
from scenthound.model import Step
from scenthound.parse.document import checked_formats
from scenthound.protocols.crawl import Context, Progress

NOT_IMPORTED = "import: not among what was imported"


class ImportOutcome(Struct, frozen=True):
    folder: str
    pages: int = 0  # taken in
    relevant: int = 0  # of all pages of the library, now
    known: int = 0  # answers that were there already
    failed: int = 0  # answers that are no page: errors, pictures
    links: int = 0  # that wait now, out of lists
    known_links: int = 0  # of lists, that were known already or are out of scope
    damaged: list[str] = []  # what could not be read, a line each


class PageImport:
    """One import. `stop` ends it early; what was taken in stays."""

    def __init__(
        self, folder: Path, sources: Sequence[Path], options: CrawlOptions | None = None, topic: str = ""
    ) -> None:
        self.folder = folder
        self.sources = sources
        self.topic = topic
        self.options = replace(options or CrawlOptions(), into=None)
        self._crawl: Crawl | None = None
        self._stopping = False

    def stop(self, *, now: bool = False) -> None:
        self._stopping = True
        if self._crawl is not None:
            self._crawl.stop()

    async def run(self, progress: Progress | None = None) -> ImportOutcome:
        for source in self.sources:
            if not source.exists():
                raise UsageError(f"There is no file or folder {source}. Check the path.")
        lists = [source for source in self.sources if is_link_list(source)]
        found = list(dict.fromkeys(link for source in lists for link in links_of(source)))
        plan = self._plan()
        check_parts(plan)  # before anything is made on the disk
        pages = [source for source in self.sources if source not in lists]
        indexes, topic = [source for source in pages if is_index(source)], plan.config.make_topic()
        found = list(dict.fromkeys([*found, *(link for index in indexes for link in index_links(index, topic))]))
        pages = [source for source in pages if source not in indexes or has_local(source)]
        taken = await self._take_pages(plan, pages, progress) if pages else ImportOutcome(str(self.folder))
        waiting = await self._take_links(plan, found) if found and not self._stopping else 0
        with open_library(self.folder, write=False) as library:
            relevant = library.counts().relevant
        known_links = len(found) - waiting if not self._stopping else 0
        return replace(taken, links=waiting, known_links=known_links, relevant=relevant)

    def _plan(self) -> CrawlPlan:
        if is_crawl_folder(self.folder):
            if self.topic:
                raise UsageError(f"{self.folder} has a topic already, in its topic.toml: leave --topic out.")
            return plan_crawl(str(self.folder), self.options)
        if not self.topic:
            raise UsageError(
                f"{self.folder} is no library yet. Say what it is to be about, so that pages can be judged: "
                f'scenthound import {self.folder} SOURCE --topic "dengue fever"'
            )
        return plan_crawl(self.topic, replace(self.options, into=self.folder))

    async def _take_pages(self, plan: CrawlPlan, sources: list[Path], progress: Progress | None) -> ImportOutcome:
        wanted = checked_formats(plan.config.scope.want)
        fetcher = recording(sources, max_bytes=plan.config.fetch.max_bytes, dated=True, wanted=wanted)
        with open_library(self.folder, create=True, settings=plan.config.library) as library:
            plan.write()
            there = [url for url in fetcher.urls() if urls.path(url) != "/robots.txt"]
            new = [url for url in there if library.page(url) is None]
            imported = frozenset(map(urls.fingerprint, new))
            if not new:
                await fetcher.close()
                return ImportOutcome(str(self.folder), known=len(there), damaged=list(fetcher.damaged))

            def parts(config: Config, context: Context) -> CrawlParts:
                return replace(
                    _without_examples(config, context),
                    denies=lambda url: None if urls.fingerprint(url) in imported else NOT_IMPORTED,
                )

            done = 0

            def count(step: Step) -> None:
                nonlocal done
                done += step.state != "waiting"
                if progress is not None:
                    progress(min(done, len(new)), len(new))

            before = library.counts().fetched
            config = _settings(plan.config, new[:1])
            async with assembled(config, library, fetcher=fetcher, observers=[count], parts=parts) as crawl:
                self._crawl = crawl
                crawl.add_seeds(new)
                if not self._stopping:
                    await crawl.run(Budget(least=SEED_PRIORITY))
                crawl.ending = "stopped" if self._stopping else "imported"
            pages = library.counts().fetched - before
        if pages and not self._stopping:
            await JudgeSession(self.folder).run()
        return ImportOutcome(
            str(self.folder),
            pages=pages,
            known=len(there) - len(new),
            failed=len(new) - pages,
            damaged=list(fetcher.damaged),
        )

    async def _take_links(self, plan: CrawlPlan, links: list[str]) -> int:
        """Puts links into the frontier, where they wait for the next crawl; how many are new."""
        with open_library(self.folder, create=True, settings=plan.config.library) as library:
            plan.write()
            before = library.counts().waiting
            config = _settings(plan.config, links[:1])
            async with assembled(config, library, parts=_without_examples) as crawl:
                crawl.add_seeds(links)
                crawl.ending = "imported"
            library.flush()
            return library.counts().waiting - before


def _without_examples(config: Config, context: Context) -> CrawlParts:
    """The next crawl may start from them; here nothing is asked for that is not imported."""
    return replace(page_crawl_parts(config, context), examples=())


def _settings(config: Config, seeds: list[str]) -> Config:
    """Those of the topic, without its budgets and without anything that asks for more than is there."""
    crawl = replace(config.crawl, seeds=seeds, pages=0, requests=0, minutes=0.0, feeds=False, sitemaps=False)
    return replace(config, crawl=crawl, scope=replace(config.scope, traps=False))
