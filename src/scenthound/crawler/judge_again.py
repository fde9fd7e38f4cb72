"""Stored pages are judged again, and links that wait are ranked anew: after topic, labels, threshold or judge changed.

One pass over the pages in the order they came: each is read back, judged, and its visit relived by the strategy. What
came of it is written at the end, in a moment, and the digest of what it was made with last of all. So whoever is
stopped or killed on the way has lost nothing but the time: the library says what it said, or, if it happened while
writing, that it is to be done again.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import nlargest

from msgspec import Struct

from scenthound.crawler.rank_again import RankingAgain
from scenthound.crawler.read_back import WORTH_A_PROCESS, PageBack, read_back
from scenthound.gc_tuning import rare_collection
from scenthound.judges.labelled import counts
from scenthound.model import Visit
from scenthound.parse.parser_pool import ParserPool
from scenthound.protocols.crawl import Judge, Progress
from scenthound.protocols.library import Library

WRITTEN_AT_ONCE = 100_000
"""Changed judgements that are kept in memory before they are written."""

SHOWN = 10
"""Pages that came in or went out and are named, the ones with the clearest word first."""


class ChangedPage(Struct, frozen=True):
    """A page that counts now and did not, or no longer does."""

    url: str
    title: str
    before: float
    now: float


class JudgedPages(Struct):
    """What judging again came to."""

    pages: int = 0  # that could be read
    unread: int = 0  # that could not, and keep the judgement they have
    changed: int = 0  # that have another relevance now
    relevant_before: int = 0
    relevant: int = 0
    came_in: int = 0
    went_out: int = 0
    now_in: list[ChangedPage] = []  # some of each
    now_out: list[ChangedPage] = []
    ranked: int = 0  # waiting links with another priority
    finished: bool = False  # False: it was stopped, and nothing is changed


async def judge_again(
    library: Library,
    judge: Judge,
    threshold: float,
    digest: str,
    *,
    language: str,
    name: str = "",
    ranking: RankingAgain | None = None,
    parser_pool: ParserPool | None = None,
    read: dict[str, PageBack] | None = None,
    progress: Progress | None = None,
    stopping: Callable[[], bool] = lambda: False,
) -> JudgedPages:
    """`name` is what people call the judge; `digest` stands for all it was made of (see `present_judge`).

    `read`: pages that were read a moment ago; it is empty afterwards.
    """
    work = JudgingPass(library, judge, threshold, ranking)
    whole = library.counts().fetched
    pool = parser_pool if whole >= WORTH_A_PROCESS else None
    if pool is not None:
        pool.read_for(judge)
    with rare_collection():
        async for back in read_back(library, library.pages(), language, pool, read):
            if stopping():
                return work.result
            work.see(back)
            if progress is not None:
                progress(work.result.pages + work.result.unread, whole)
    return work.finish(digest, name)


class JudgingPass:
    """The pages so far, and what became of them. What it says is written when it is finished."""

    def __init__(self, library: Library, judge: Judge, threshold: float, ranking: RankingAgain | None) -> None:
        self.library = library
        self.judge = judge
        self.threshold = threshold
        self.ranking = ranking
        self.result = JudgedPages()
        self.result.relevant_before = self.result.relevant = library.counts().relevant
        self.last = 0  # the number of the page seen last
        self._changes: list[tuple[str, float, bool]] = []

    def see(self, back: PageBack) -> None:
        stored = back.stored
        self.last = stored.seq
        if back.page is None:
            self.result.unread += 1
            said = counts(self.judge, stored.url, float(stored.relevant), 1.0)  # a label speaks of what it cannot read
            relevance, relevant = stored.relevance if said == stored.relevant else float(said), said
        else:
            self.result.pages += 1
            relevance = self.judge(back.page)
            relevant = counts(self.judge, stored.url, relevance, self.threshold)
        if (relevance, relevant) != (stored.relevance, stored.relevant):
            self._change(back, relevance, relevant)
        if self.ranking is not None and back.page is not None:
            row = self.library.url_row(stored.url)
            if row is not None:
                visit = Visit(row.link, back.page, relevance, relevant, stored.depth, row.memory)
                self.ranking.saw(visit, row, whole=back.whole)

    def _change(self, back: PageBack, relevance: float, relevant: bool) -> None:
        stored, result = back.stored, self.result
        self._changes.append((stored.url, relevance, relevant))
        if relevant != stored.relevant and not stored.duplicate_of:
            page = ChangedPage(stored.url, stored.title, stored.relevance, relevance)
            result.came_in += relevant
            result.went_out += not relevant
            (result.now_in if relevant else result.now_out).append(page)
            result.now_in = nlargest(SHOWN, result.now_in, key=lambda page: page.now)
            result.now_out = nlargest(SHOWN, result.now_out, key=lambda page: -page.now)
        if len(self._changes) >= WRITTEN_AT_ONCE:
            self.write()

    def write(self) -> None:
        """From here on a part may be new and another old; so the library says that it is to be done."""
        if self.library.judged_by():
            self.library.note_judged_by("")
        self.result.changed += self.library.judge_again(self._changes)
        self._changes = []

    def finish(self, digest: str, name: str) -> JudgedPages:
        self.write()
        if self.ranking is not None:
            self.result.ranked = self.library.rank_again(self.ranking.priorities())
        self.library.note_judged_by(digest, name)
        self.result.relevant = self.library.counts().relevant
        self.result.finished = True
        return self.result
