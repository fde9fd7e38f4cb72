"""Labels that are set, and words of the topic or a threshold that are changed while a crawl runs, change its course.

    labels.jsonl grows ──▶ another judge and another strategy, which know the new labels
                             │ they go through all stored pages, beside the crawl, which goes on
                             ▼
    in one moment: judgements written, waiting links ranked anew, and from the next page on the crawl has these two

At once, before any of that, the judge and the strategy that are in charge are told, and the links at the top of the
frontier are ranked by what they say then: the next page is judged by the new words and labels. What these teach about
other words follows with the change.

So it has what a crawl would have that was stopped and went on, and was not stopped. Pages that come meanwhile are gone
through as well, before the change. After each pass it rests `REST` times as long as that took, however many labels are
set: at most a fifth of the crawl's time goes into it. What takes long, a judge that learns anew, is done in a thread.

Not where the topic is rebuilt from pages found: there labels wait for the end of the crawl.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from scenthound.config import Config, named
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.context import make_context
from scenthound.crawler.crawl_judgements import JudgedCrawl, present_parts
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.crawl_snapshots import CrawlSnapshots, made_with
from scenthound.crawler.judge_again import JudgedPages, JudgingPass
from scenthound.crawler.present_judge import LABELS, THRESHOLD, TOPIC, digest_of, present_context
from scenthound.crawler.rank_again import RankingAgain
from scenthound.crawler.read_back import WORTH_A_PROCESS, PageBack, Turns, read_back, read_one
from scenthound.crawler.rescored_links import rescored
from scenthound.crawler.topic_update import retopic
from scenthound.errors import ScenthoundError
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.judges.labelled import LabelledJudge, labels_of
from scenthound.judges.threshold import threshold_of
from scenthound.model import Waiting
from scenthound.protocols.crawl import Begins, Clock, Context, Retopics, Watches
from scenthound.protocols.hooks import hook

EVERY = 1.0
"""Seconds between two looks at the labels. A look costs what it costs to ask for the size of a file."""

REST = 4.0

AT_ONCE = 200
"""Links at the top of the frontier that are ranked by a new topic or label before anything else happens."""

FEW = 8
"""Pages that are left for the moment of the change: while more have come during a pass, it goes through them first."""


class LabelsOnTheWay:
    """Watches the labels of a crawl's library. `on_judged` hears what came of each pass, and why it was made;
    `on_moved` of links that have another priority at once."""

    def __init__(
        self,
        digest: PageDigest,
        frontier: PoliteFrontier,
        crawl: JudgedCrawl,
        snapshots: CrawlSnapshots,
        *,
        on_judged: Callable[[JudgedPages, list[str]], None] = lambda judged, why: None,
        on_moved: Callable[[Sequence[Waiting]], None] = lambda rows: None,
        every: float = EVERY,
        clock: Clock = time.monotonic,
    ) -> None:
        self._digest = digest
        self._frontier = frontier
        self._crawl = crawl
        self._snapshots = snapshots
        self._on_judged = on_judged
        self._on_moved = on_moved
        self._every = every
        self._clock = clock
        self._known = self._labels()
        self._told: dict[str, bool | None] = self._known  # labels that the judge in charge has heard of
        self._context: tuple[object, Context] | None = None  # what labels said, and what was known of the topic then
        self._changed = asyncio.Event()  # the topic is another one
        self._threshold = threshold_of(crawl.config)  # by which pages were judged
        self._look = asyncio.Event()  # somebody says that there are labels
        self._work: JudgingPass | None = None

    async def watch(self) -> None:
        """Until it is cancelled."""
        rested = 0.0
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), self._every)
            self._look.clear()
            started = self._clock()
            try:
                labels = self._hear_labels()
                if self._changed.is_set() or (self._is_due(labels) and started >= rested):
                    await self.take_in()
                    rested = self._clock() + REST * (self._clock() - started)
            except ScenthoundError:
                pass  # such as a line that somebody is still writing; if it stays so, the end of the crawl says it

    def look(self) -> None:
        """Somebody has just set a label: it need not be waited for, nor need a pass that is under way."""
        with contextlib.suppress(ScenthoundError):
            self._hear_labels()
        self._look.set()

    def _is_due(self, labels: dict[str, bool | None]) -> bool:
        return labels != self._known or threshold_of(self._digest.config) != self._threshold

    def progress(self) -> tuple[int, int] | None:
        """How many of the stored pages were judged again, and how many are to be; None: nothing is under way."""
        work = self._work
        return None if work is None else (work.result.pages + work.result.unread, self._digest.tally.pages)

    # At once

    def change_topic(self, config: Config) -> None:
        """Another topic: judge and strategy are told at once, as far as that costs nothing they have learned."""
        self._crawl = replace(self._crawl, config=config)
        self._follow_topic()
        self._changed.set()
        self._look.set()

    def _follow_topic(self) -> None:
        context = self._present_context()
        judge = self._digest.judge
        if (quick := hook(judge, Retopics)) is not None:
            quick.retopic(context)
        elif (slow := hook(judge, Begins)) is not None:
            slow.begin(context)
        retopic(self._digest.strategy, context)
        self._tell(context)

    def _hear_labels(self) -> dict[str, bool | None]:
        """The labels of now. Of others than before, what was said of a page counts at once, and what is like it is
        judged by that, too."""
        labels = self._labels()
        if labels != self._told:
            context = self._present_context()
            if (judge := hook(self._digest.judge, Begins)) is not None:
                judge.begin(context)
            self._tell(context)
            self._told = labels
        return labels

    def _catch_up(self, labels: dict[str, bool | None]) -> None:
        """Judge and strategy have just taken over, and know these labels: what was said since counts for them, too."""
        self._told = labels
        if self._changed.is_set():
            self._follow_topic()
        self._hear_labels()

    def _tell(self, context: Context) -> None:
        digest = self._digest
        if isinstance(digest.judge, LabelledJudge):
            digest.judge.labels = labels_of(context)
        # What they know now is of both topics: it is not to be taken for what one of them would have taught.
        parts = CrawlParts(digest.strategy, digest.judge, digest.scope)
        config, library, examples = self._crawl.config, self._crawl.library, self._crawl.examples
        self._snapshots.go_on_with(parts, made_with(config, library, examples))
        self._on_moved(rescored(digest.strategy, self._frontier, AT_ONCE))

    def _present_context(self) -> Context:
        """What is known of the topic now. Labelled pages are read once for the labels there are."""
        crawl, labels = self._crawl, self._labels()
        key = (labels, crawl.config.topic.language)
        if self._context is None or self._context[0] != key:
            context = present_context(crawl.config, crawl.library, crawl.examples)
        else:
            known = self._context[1]
            folder = crawl.library.folder or Path()
            context = make_context(crawl.config, known.examples, known.counterexamples, folder=folder)
            context = replace(context, labels=known.labels)
        self._context = key, context
        return replace(context, judge=self._digest.judge)

    # Then, beside the crawl

    async def take_in(self) -> JudgedPages:
        """Lets the crawl go on by the labels and the topic of now."""
        labels = self._labels()
        self._crawl = replace(self._crawl, config=self._digest.config)  # a threshold may be another one, too
        config, library, examples = self._crawl.config, self._crawl.library, self._crawl.examples
        threshold = threshold_of(config)
        changes = {
            TOPIC: self._changed.is_set(),
            LABELS: labels != self._known,
            THRESHOLD: threshold != self._threshold,
        }
        self._changed.clear()
        digest, made = digest_of(config, library, examples), made_with(config, library, examples)
        parts = await present_parts(self._crawl, replace(self._present_context(), judge=None), Turns())
        ranking = RankingAgain(config, parts.strategy, parts.scope, library)
        self._work = work = JudgingPass(library, parts.judge, threshold, ranking)
        try:
            await self._judge_stored(work, ranking)
        finally:
            self._work = None
        # From here on nothing else happens until all is in place.
        ranking.widen(library)
        for stored in library.pages(after=work.last):
            _see(work, read_one(library, stored, config.topic.language), hook(parts.judge, Watches))
        judged = work.finish(digest, named(config.crawl.judge, "judge")[0])
        self._go_on_with(parts, ranking, made)
        self._digest.tally.relevant = judged.relevant
        self._known, self._threshold = labels, threshold
        self._catch_up(labels)
        self._on_judged(judged, [name for name, so in changes.items() if so])
        return judged

    async def _judge_stored(self, work: JudgingPass, ranking: RankingAgain) -> None:
        """Goes through what is stored, until there is hardly anything left to go through."""
        library, watcher = self._crawl.library, hook(work.judge, Watches)
        if (first := next((back.page for back in self._crawl.read.values() if back.page), None)) is not None:
            await asyncio.to_thread(work.judge, first)  # it learns before its first word, which takes a while
        await self._go_through(work, library.counts().fetched)
        while (new := self._new_since(work)) > FEW:
            ranking.widen(library)
            await self._go_through(work, new, watcher=watcher)

    def _labels(self) -> dict[str, bool | None]:
        return {url: label.relevant for url, label in self._crawl.library.labels().items()}

    def _new_since(self, work: JudgingPass) -> int:
        return sum(1 for _ in self._crawl.library.pages(after=work.last))

    async def _go_through(self, work: JudgingPass, pages: int, watcher: Watches | None = None) -> None:
        """The next pages after those seen. `watcher`: who has not seen them yet."""
        library, language = self._crawl.library, self._crawl.config.topic.language
        pool = self._crawl.parser_pool if pages >= WORTH_A_PROCESS else None
        wanted = islice(library.pages(after=work.last), pages)
        async for back in read_back(library, wanted, language, pool, self._crawl.read, Turns()):
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
