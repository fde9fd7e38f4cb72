"""Keeps what is stored in step with the judge: before a crawl goes on, and once more when it ends.

Before: topic, labels, threshold, examples or judge may have changed since the pages were judged. At the end: a judge
that learns from pages knows more than when the first ones came. Either is seen by the digest (`present_judge`), and
then all pages are judged again, so that counts, report and search tell one story. The links that wait are ranked anew
where the change was a person's; where only the judge learned more, they wait as the crawl has left them, so that it
goes on as if nobody had stopped it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from scenthound.config import Config, named
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.judge_again import JudgedPages, judge_again
from scenthound.crawler.kept_pages import KeptPages
from scenthound.crawler.present_judge import PAGES, differences, digest_of, present_context, show_pages, stored_sample
from scenthound.crawler.rank_again import RankingAgain
from scenthound.crawler.read_back import WORTH_A_PROCESS, PageBack, Turns, read_back
from scenthound.judges.threshold import threshold_of
from scenthound.parse.parser_pool import ParserPool
from scenthound.protocols.crawl import Context, Judge, Progress, Watches
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage

MakeParts = Callable[[Config, Context], CrawlParts]


class JudgedCrawl(Struct, frozen=True):
    """A crawl, as far as judging its pages goes."""

    config: Config
    library: Library
    examples: ExamplePages
    make_parts: MakeParts
    parser_pool: ParserPool | None = None
    ranks: bool = True  # False: links wait in an order that no strategy for pages gave them
    read: dict[str, PageBack] = {}  # stored pages that the judge was shown: they need not be read again to be judged
    kept: KeptPages | None = None  # pages that came in this crawl: they need not be read back at all


class CrawlJudgements:
    """The judgements of one crawl's library. `stopping` is asked between pages; what it stops is done next time.

    `on_judged` is told what came of it, and what had changed: topic, judge, threshold, examples, labels or pages.
    """

    def __init__(
        self,
        *,
        progress: Progress | None = None,
        stopping: Callable[[], bool] = lambda: False,
        on_judged: Callable[[JudgedPages, list[str]], None] = lambda judged, why: None,
    ) -> None:
        self.progress = progress
        self.stopping = stopping
        self.on_judged = on_judged
        self._crawl: JudgedCrawl | None = None

    def waits(self, crawl: JudgedCrawl) -> bool:
        """Whether nothing has changed but the pages that the judge has learned from: then there is time at the end."""
        self._crawl = crawl
        before, now = crawl.library.judged_by(), self._digest(crawl)
        return bool(before) and set(differences(before, now)) <= {PAGES}

    async def before(self, crawl: JudgedCrawl, parts: CrawlParts) -> bool:
        """Brings the library up to date. Whether the strategy has relived all visits on the way."""
        self._crawl = crawl
        library, digest = crawl.library, self._digest(crawl)
        if library.judged_by() == digest:
            return False
        if not library.counts().fetched:
            library.note_judged_by(digest)
            return False
        if parts.topic_update is None:
            await self._judge(crawl, parts)
            return True
        await self._judge(crawl)  # the strategy is yet to relive how the topic changed on the way: another one ranks
        return False

    def change_settings(self, config: Config) -> None:
        """What somebody changed while the crawl runs; `after` goes by it."""
        if self._crawl is not None:
            self._crawl = replace(self._crawl, config=config)

    async def after(self) -> JudgedPages | None:
        """What the judge thinks of all pages now; None where it thinks what it thought."""
        if self._crawl is None or self._crawl.library.judged_by() == self._digest(self._crawl):
            return None
        return await self._judge(self._crawl)

    def _digest(self, crawl: JudgedCrawl) -> str:
        return digest_of(crawl.config, crawl.library, crawl.examples)

    async def _judge(self, crawl: JudgedCrawl, parts: CrawlParts | None = None) -> JudgedPages:
        why = differences(crawl.library.judged_by(), self._digest(crawl))
        if parts is None and why == [PAGES]:
            crawl = replace(crawl, ranks=False)  # or it would not go on as it was
        judged = await judge_stored(
            crawl, parts or await present_parts(crawl), progress=self.progress, stopping=self.stopping
        )
        self.on_judged(judged, why)
        return judged


async def present_parts(crawl: JudgedCrawl, context: Context | None = None, turns: Turns | None = None) -> CrawlParts:
    """Strategy and judge as of now; the judge has seen what is stored, the strategy has yet to learn it."""
    context = context or present_context(crawl.config, crawl.library, crawl.examples)
    parts = crawl.make_parts(crawl.config, context)
    await show_read_back(parts.judge, context, crawl, turns)
    return parts


async def show_read_back(judge: Judge, context: Context, crawl: JudgedCrawl, turns: Turns | None = None) -> None:
    """As `present_judge.show_stored`, on every core, and page by page: a crawl that is under way goes on meanwhile."""
    library = crawl.library
    if (watcher := hook(judge, Watches)) is not None and (sample := stored_sample(library)):
        pool, language = crawl.parser_pool if len(sample) >= WORTH_A_PROCESS else None, context.topic.language
        if pool is not None:
            pool.read_for(judge)
        crawl.read.clear()
        there = {} if crawl.kept is None else _at_hand(crawl.kept, sample, language)
        async for back in read_back(library, sample, language, pool, there, turns):
            crawl.read[back.stored.url] = back
            if back.page is not None:
                watcher.saw(back.page)
        show_pages(judge, context, ())  # it has seen them, and begins anew with them


def _at_hand(kept: KeptPages, sample: Sequence[StoredPage], language: str) -> dict[str, PageBack]:
    pages = ((stored, kept.page(stored, language)) for stored in sample)
    return {stored.url: PageBack(stored, page, whole=True) for stored, page in pages if page is not None}


async def judge_stored(
    crawl: JudgedCrawl,
    parts: CrawlParts,
    *,
    progress: Progress | None = None,
    stopping: Callable[[], bool] = lambda: False,
) -> JudgedPages:
    """Judges all pages of the crawl's library by what is known now, and ranks its waiting links anew."""
    config, library = crawl.config, crawl.library
    return await judge_again(
        library,
        parts.judge,
        threshold_of(config),
        digest_of(config, library, crawl.examples),
        language=config.topic.language,
        name=named(config.crawl.judge, "judge")[0],
        ranking=RankingAgain(config, parts.strategy, parts.scope, library) if crawl.ranks else None,
        parser_pool=crawl.parser_pool,
        read=crawl.read,
        progress=progress,
        stopping=stopping,
    )
