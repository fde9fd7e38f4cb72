"""What waiting links are worth when all pages are seen again: each visit is told to the strategy once more.

A strategy ranks the links of a page by what the page says and how relevant it is. When pages are judged again, that is
another number, for pages that were visited long ago, too. Here their visits are relived in their order: a strategy that
learns learns from them, all rank their links anew, and what several pages say of a link is merged by the strategy's
rule, as it was the first time. A strategy that keeps by itself what pages say of a link is asked when all are seen, of
each link that waits. Otherwise links that no stored page shows (redirects, sitemaps) keep what they have.

Kept in two numbers a link, however many wait.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from scenthound import urls
from scenthound.bounded_cache import Memo
from scenthound.config import Config
from scenthound.crawler.engine import SEED_PRIORITY
from scenthound.crawler.link_filter import LinkFilter
from scenthound.library.stored_pages import redirects_to, visits
from scenthound.merge_rules import merged_priority
from scenthound.model import Link, MergeRule, Visit
from scenthound.protocols.crawl import HearsMisses, HearsMoves, Learns, NotesLinks, Progress, Rescores, Strategy
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.protocols.records import UrlRow
from scenthound.scope.scope import Scope

REMEMBERED = 100_000  # URLs with their places
ASKED_AT_ONCE = 1_000  # links


class RankingAgain:
    """Gathers new priorities for the links of a library that wait, visit by visit."""

    def __init__(self, config: Config, strategy: Strategy, scope: Scope, library: Library) -> None:
        self.strategy = strategy
        self.learner = hook(strategy, Learns)
        self.rescorer = hook(strategy, Rescores)
        self.noter = hook(strategy, NotesLinks) if self.rescorer is not None else None
        self.rule: MergeRule = getattr(strategy, "merge", "max")
        self._library = library
        self._filter = LinkFilter(config, scope)
        waiting = (number for number, waits in library.known() if waits)
        self._ids = np.sort(np.fromiter(waiting, dtype=np.int64))
        self._priorities = np.full(len(self._ids), np.nan)
        self._evidence = np.zeros(len(self._ids), dtype=np.int32)
        self._places = Memo[str, int](self._place, REMEMBERED)  # the pages of a site share most of their links
        self._heard: set[int] = set()
        self._hear_misses(library)
        self._take([(Link(url=url), SEED_PRIORITY) for url in config.crawl.seeds])

    def saw(self, visit: Visit, row: UrlRow, *, whole: bool) -> None:
        """`whole`: the page is to the strategy what it was the first time, and so may teach it."""
        if whole and (follower := hook(self.strategy, HearsMoves)) is not None:
            for link, target in redirects_to(self._library, visit.link):
                follower.moved(link, target)
        if self.learner is not None and whole:
            self.learner.learn(visit)
        if not len(self._ids):
            return
        links, onward, _ = self._filter.sort(visit.page, visit.depth + 1, row.hops)
        visit = replace(visit, page=replace(visit.page, links=links))
        if self.noter is not None:
            self.noter.note(visit)
        else:
            self._take([(each.link, each.priority) for each in self.strategy.rank(visit)])
        self._take([(link, row.priority) for link in onward])

    def widen(self, library: Library) -> None:
        """Takes in the links that were found since it began, and those that brought no page. No page that it saw can
        have shown the new ones, or they would have waited then."""
        self._hear_misses(library)
        waiting = np.fromiter((number for number, waits in library.known() if waits), dtype=np.int64)
        new = np.setdiff1d(waiting, self._ids)
        places = np.searchsorted(self._ids, new)
        self._ids = np.insert(self._ids, places, new)
        self._priorities = np.insert(self._priorities, places, np.nan)
        self._evidence = np.insert(self._evidence, places, 0)
        self._places = Memo[str, int](self._place, REMEMBERED)

    def priorities(self) -> Iterator[tuple[int, float]]:
        """(URL's id, priority) of every waiting link that a page spoke of, or that the strategy has something to say
        of."""
        silent = np.isnan(self._priorities)
        for place in np.flatnonzero(~silent):
            yield int(self._ids[place]), float(self._priorities[place])
        if self.rescorer is not None and self.noter is not None:
            numbers = self._ids[silent].tolist()
            for start in range(0, len(numbers), ASKED_AT_ONCE):
                rows = self._library.leases(numbers[start : start + ASKED_AT_ONCE])
                links = [row.link for row in rows if row.link.kind != "seed"]
                ids = [row.id for row in rows if row.link.kind != "seed"]
                found = self.rescorer.rescore(links)
                self._priorities[np.searchsorted(self._ids, ids)] = found  # whoever asks again need not wait again
                yield from zip(ids, found, strict=True)

    def _hear_misses(self, library: Library) -> None:
        if (hearer := hook(self.strategy, HearsMisses)) is None:
            return
        for link in library.failed():
            if (number := urls.fingerprint(link.url)) not in self._heard:
                self._heard.add(number)
                hearer.missed(link)

    def _take(self, found: list[tuple[Link, float]]) -> None:
        places = self._places
        for link, priority in found:
            if (place := places[link.url]) >= 0:
                self._merge(place, priority)

    def _place(self, url: str) -> int:
        """Where a URL stands among those that wait; -1 if it does not."""
        number = urls.fingerprint(url)
        place = int(np.searchsorted(self._ids, number))
        return place if place < len(self._ids) and self._ids[place] == number else -1

    def _merge(self, place: int, priority: float) -> None:
        old, evidence = float(self._priorities[place]), int(self._evidence[place])
        if evidence:
            priority, evidence = merged_priority(old, evidence, priority, 1, self.rule)
        self._priorities[place], self._evidence[place] = priority, max(1, evidence)


def rank_all_again(
    config: Config, strategy: Strategy, scope: Scope, library: Library, progress: Progress | None = None
) -> None:
    """For a strategy that goes on where another one stopped: it learns from all visits, and ranks the links that wait.

    Priorities of two strategies say nothing about each other: one may end at 1 where another begins.
    """
    ranking, whole = RankingAgain(config, strategy, scope, library), library.counts().fetched
    for done, each in enumerate(visits(library, config.topic.language, whole=True)):
        if progress is not None:
            progress(done, whole)
        if (row := library.url_row(each.stored.url)) is not None:
            ranking.saw(each.visit, row, whole=True)
    library.rank_again(ranking.priorities())
