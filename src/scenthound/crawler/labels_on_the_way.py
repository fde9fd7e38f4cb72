"""Labels that are set, and words of the topic that are changed while a crawl runs, change its course.

    labels.jsonl grows ──▶ another judge and another strategy, which know the new labels
                             │ they go through all stored pages, beside the crawl, which goes on
                             ▼
    in one moment: judgements written, waiting links ranked anew, and from the next page on the crawl has these two

Another topic is told to judge and strategy at once, so that the next page is judged by it; then the same is done.

So it has what a crawl would have that was stopped and went on, and was not stopped. Pages that come meanwhile are gone
through as well, before the change. After each pass it rests `REST` times as long as that took, however many labels are
set: at most a fifth of the crawl's time goes into it.

Not where the topic is rebuilt from pages found: there labels wait for the end of the crawl.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from itertools import islice

from msgspec.structs import replace

from scenthound.config import Config, named
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.crawl_judgements import JudgedCrawl, present_parts
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.crawl_snapshots import CrawlSnapshots, made_with
from scenthound.crawler.judge_again import JudgedPages, JudgingPass
from scenthound.crawler.present_judge import LABELS, TOPIC, digest_of, present_context
from scenthound.crawler.rank_again import RankingAgain
from scenthound.crawler.read_back import WORTH_A_PROCESS, PageBack, read_back, read_one
from scenthound.crawler.topic_update import retopic
from scenthound.errors import ScenthoundError
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.judges.threshold import threshold_of
from scenthound.protocols.crawl import Begins, Clock, Watches
from scenthound.protocols.hooks import hook

EVERY = 1.0
"""Seconds between two looks at the labels. A look costs what it costs to ask for the size of a file."""

REST = 4.0

FEW = 8
"""Pages that are left for the moment of the change: while more have come during a pass, it goes through them first."""


class LabelsOnTheWay:
    """Watches the labels of a crawl's library. `on_judged` hears what came of each pass, and why it was made."""

    def __init__(
        self,
        digest: PageDigest,
        frontier: PoliteFrontier,
        crawl: JudgedCrawl,
        snapshots: CrawlSnapshots,
        *,
        on_judged: Callable[[JudgedPages, list[str]], None] = lambda judged, why: None,
        every: float = EVERY,
        clock: Clock = time.monotonic,
    ) -> None:
        self._digest = digest
        self._frontier = frontier
        self._crawl = crawl
        self._snapshots = snapshots
        self._on_judged = on_judged
        self._every = every
        self._clock = clock
        self._known = self._labels()
        self._changed = asyncio.Event()  # the topic is another one

    async def watch(self) -> None:
        """Until it is cancelled."""
        pause = self._every
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), pause)
            started = self._clock()
            try:
                if self._changed.is_set() or self._labels() != self._known:
                    await self.take_in()
            except ScenthoundError:
                pass  # such as a line that somebody is still writing; if it stays so, the end of the crawl says it
            pause = max(self._every, REST * (self._clock() - started))

    def change_topic(self, config: Config) -> None:
        """Another topic: judge and strategy are told at once, as far as that costs nothing they have learned."""
        self._crawl = replace(self._crawl, config=config)
        library, examples = self._crawl.library, self._crawl.examples
        context = replace(present_context(config, library, examples), judge=self._digest.judge)
        if (judge := hook(self._digest.judge, Begins)) is not None:
            judge.begin(context)
        retopic(self._digest.strategy, context)
        # What they know now is of both topics: it is not to be taken for what one of them would have taught.
        parts = CrawlParts(self._digest.strategy, self._digest.judge, self._digest.scope)
        self._snapshots.go_on_with(parts, made_with(config, library, examples))
        self._changed.set()

    async def take_in(self) -> JudgedPages:
        """Lets the crawl go on by the labels and the topic of now."""
        why = [name for name, so in ((TOPIC, self._changed.is_set()), (LABELS, self._labels() != self._known)) if so]
        self._changed.clear()
        config, library, examples = self._crawl.config, self._crawl.library, self._crawl.examples
        labels, digest, made = (
            self._labels(),
            digest_of(config, library, examples),
            made_with(config, library, examples),
        )
        parts = await present_parts(self._crawl)
        ranking = RankingAgain(config, parts.strategy, parts.scope, library)
        work = JudgingPass(library, parts.judge, threshold_of(config), ranking)
        await self._go_through(work, library.counts().fetched)
        while (new := self._new_since(work)) > FEW:
            ranking.widen(library)
            await self._go_through(work, new, watcher=hook(parts.judge, Watches))
        # From here on nothing else happens until all is in place.
        ranking.widen(library)
        for stored in library.pages(after=work.last):
            _see(work, read_one(library, stored, config.topic.language), hook(parts.judge, Watches))
        judged = work.finish(digest, named(config.crawl.judge, "judge")[0])
        self._go_on_with(parts, ranking, made)
        self._digest.tally.relevant = judged.relevant
        self._known = labels
        self._on_judged(judged, why or [LABELS])
        return judged

    def _labels(self) -> dict[str, bool | None]:
        return {url: label.relevant for url, label in self._crawl.library.labels().items()}

    def _new_since(self, work: JudgingPass) -> int:
        return sum(1 for _ in self._crawl.library.pages(after=work.last))

    async def _go_through(self, work: JudgingPass, pages: int, watcher: Watches | None = None) -> None:
        """The next pages after those seen. `watcher`: who has not seen them yet."""
        library, language = self._crawl.library, self._crawl.config.topic.language
        pool = self._crawl.parser_pool if pages >= WORTH_A_PROCESS else None
        wanted = islice(library.pages(after=work.last), pages)
        async for back in read_back(library, wanted, language, pool, self._crawl.read):
            _see(work, back, watcher)

    def _go_on_with(self, parts: CrawlParts, ranking: RankingAgain, made: str) -> None:
        self._digest.go_on_with(parts.strategy, parts.judge)
        self._frontier.rank_again(ranking.priorities())
        self._snapshots.go_on_with(parts, made)
        self._snapshots.hurry()


def _see(work: JudgingPass, back: PageBack, watcher: Watches | None) -> None:
    work.see(back)
    if watcher is not None and back.page is not None:
        watcher.saw(back.page)
