"""What one worker fetched, all learn from: every `EVERY` seconds, and before a worker asks for more pages.

Where strategy and judge can say what a page taught them (`SharesExperience`: some hundred bytes, see
`experience_format`), each worker tells that of its own pages, in one row of a table, and takes in what the others told
since the last time, at most `MOST` pages of it, the newest where there are more. Nobody parses a page twice. What
a row says was worked out from what its worker knew, so several together know nearly what one would that sees all.

Where one of them learns and cannot say what, a worker reads back the pages that others have stored, parses them, shows
them to its judge and lets its strategy learn from them, at most `MOST_READ` of them every `READ_EVERY` seconds.

Nothing of it is truth: what is lost costs nothing but a lesson. Where neither strategy nor judge learns, nothing is
told and nothing is read.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from secrets import token_hex
from typing import Protocol

from scenthound.cluster.experience_format import UNREADABLE, Learner, Told, packed, told, unpacked
from scenthound.config import Config
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.crawl_snapshots import learn_again
from scenthound.crawler.link_filter import LinkFilter
from scenthound.library.shards import shard_of
from scenthound.library.stored_pages import visit_of
from scenthound.model import Step
from scenthound.protocols.crawl import (
    Clock,
    HearsMisses,
    HearsMoves,
    HearsRefusals,
    Learns,
    SharesExperience,
    Strategy,
    TakesExperience,
    Watches,
)
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage
from scenthound.protocols.shards import SharedLibrary

EVERY = 1.0
MOST = 400
READ_EVERY = 5.0
MOST_READ = 200


class SharedLearning(Protocol):
    """Lets the parts of one worker learn from what others do, and the others from it."""

    strategy: Strategy

    def __call__(self, step: Step) -> None:
        """Hears of every answer of its own worker, as soon as it was learned from."""
        ...

    async def catch_up(self) -> int:
        """From how many pages of others was learned; 0 where it is too early, or nobody learns."""
        ...


def shared_learning(
    parts: CrawlParts, config: Config, library: SharedLibrary, shards: frozenset[int], last: int, clock: Clock
) -> SharedLearning:
    """`last`: the page up to which they have learned. From the next one on it is done here."""
    learners = [
        each
        for each, kinds in (
            (parts.strategy, (Learns, HearsMisses, HearsMoves, HearsRefusals)),
            (parts.judge, (Watches,)),
        )
        if any(hook(each, kind) is not None for kind in kinds)
    ]
    if all(hook(each, SharesExperience) and hook(each, TakesExperience) for each in learners):
        return ToldLearning(parts, library, clock)
    return ReadBackLearning(parts, config, library, shards, last, clock)


class ToldLearning:
    """By what workers tell each other."""

    def __init__(self, parts: CrawlParts, library: SharedLibrary, clock: Clock = time.monotonic) -> None:
        self.strategy = parts.strategy
        learners: dict[Learner, object] = {"judge": parts.judge, "strategy": parts.strategy}
        self._tellers = {name: hook(each, SharesExperience) for name, each in learners.items()}
        self._takers = {name: hook(each, TakesExperience) for name, each in learners.items()}
        self._is_any = any(self._tellers.values())
        self._library = library
        self._clock = clock
        self._name = token_hex(6)
        self._to_tell: list[Told] = []
        self._heard = library.last_told() if self._is_any else 0
        self._due = clock()
        self._alone = asyncio.Lock()

    def __call__(self, step: Step) -> None:
        for name, teller in self._tellers.items():  # the judge first, as it learns first
            if teller is not None and (experience := teller.experience()) is not None:
                self._to_tell.append(told(name, experience))

    async def catch_up(self) -> int:
        if not self._is_any or self._clock() < self._due or self._alone.locked():
            return 0
        async with self._alone:
            to_tell, self._to_tell = self._to_tell, []
            rows = await asyncio.to_thread(self._exchange, packed(to_tell) if to_tell else b"")
            self._due = self._clock() + EVERY
        newest: deque[tuple[str, Told]] = deque(maxlen=MOST * len(self._tellers))
        for self._heard, teller, content in rows:
            newest.extend((teller, each) for each in unpacked(content))
        return sum(self._take(each, teller) for teller, each in newest)

    def _exchange(self, content: bytes) -> list[tuple[int, str, bytes]]:
        if content:
            self._library.tell(self._name, content)
        return self._library.told_since(self._heard, self._name)

    def _take(self, each: Told, teller: str) -> int:
        """1 where it was a page. What cannot be read, as of a worker of another version, teaches nothing."""
        taker = self._takers[each.learner]
        if taker is None:
            return 0
        try:
            taker.take_experience(each.snapshot(), teller)
        except UNREADABLE:
            return 0
        return int(each.learner == "strategy" or self._takers["strategy"] is None)


class ReadBackLearning:
    """By reading their pages once more."""

    def __init__(
        self,
        parts: CrawlParts,
        config: Config,
        library: Library,
        shards: frozenset[int],
        last: int,
        clock: Clock = time.monotonic,
    ) -> None:
        self.strategy = parts.strategy
        self._parts = parts
        self._config = config
        self._library = library
        self._shards = shards
        self._last = last
        self._clock = clock
        self._due = clock() + READ_EVERY
        self._links = LinkFilter(config, parts.scope)
        self._watcher = hook(parts.judge, Watches)

    def __call__(self, step: Step) -> None:
        """The library tells the others."""

    async def catch_up(self) -> int:
        if self._clock() < self._due:
            return 0
        learned = self.read_back()
        self._due = self._clock() + READ_EVERY
        return learned

    def read_back(self) -> int:
        newest: deque[StoredPage] = deque(maxlen=MOST_READ)
        for page in self._library.pages(after=self._last):
            self._last = page.seq
            if shard_of(page.host) not in self._shards:
                newest.append(page)
        learned = 0
        for page in newest:
            if (each := visit_of(self._library, page, self._config.topic.language, whole=True)) is None:
                continue
            if self._watcher is not None:
                self._parts.judge(each.visit.page)  # it may have something to learn before it speaks
                self._watcher.saw(each.visit.page)
            learn_again(self._parts.strategy, each.visit, each.hops, self._links)
            learned += 1
        return learned
