"""What an estimate of recall has to know of every page that came, in the order of their coming.

It is kept while a crawl runs, and comes from a library as well, number by number the same: relevance as it was judged
first, the link that led to a page, and the order in which links were found, which says how many were known by then.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter

import numpy as np

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler.coverage.known_links_file import kept_links
from scenthound.crawler.coverage.recall_estimate import CrawlFigures, RecallEstimate, estimate_recall
from scenthound.frontier.random_draw import DRAWN
from scenthound.model import Waiting
from scenthound.protocols.library import Library

DOUBLINGS = 4
"""How far back: to the sixteenth part of the crawl."""

SLICE = 10_000


class FirstTimes:
    """When something was first seen, as the number of pages before."""

    def __init__(self) -> None:
        self.times: list[int] = []
        self._seen: set[str] = set()

    def add(self, name: str, time: int) -> None:
        if name not in self._seen:
            self._seen.add(name)
            self.times.append(time)

    def since(self, time: int) -> int:
        return len(self.times) - bisect_left(self.times, time)


class CrawlRecord:
    """Running totals, an entry a page."""

    def __init__(self) -> None:
        self.missed = 0  # requests that brought no page
        self._found = array("l", [0])  # relevant pages among so many first ones
        self.known: dict[int, int] = {0: 0}  # number of pages -> links known by then, at a few points
        self._draws = array("l", [0])
        self._draws_brought = array("l", [0])
        self._drawn: set[int] = set()  # pages that were drawn
        self._together: Counter[int] = Counter()  # page -> relevant pages that it led to
        self._squares = 0
        self._hosts = FirstTimes()
        self._relevant_hosts = FirstTimes()

    @property
    def pages(self) -> int:
        return len(self._found) - 1

    @property
    def found(self) -> int:
        return self._found[-1]

    def add(self, lease: Waiting, relevant: bool) -> None:
        """A page that came."""
        source = urls.fingerprint(lease.link.source) if lease.link.source else lease.id
        drawn = lease.priority == DRAWN
        if drawn:
            self._drawn.add(lease.id)
        if relevant:
            self._squares += 2 * self._together[source] + 1
            self._together[source] += 1
            self._relevant_hosts.add(lease.host, self.pages)
        self._hosts.add(lease.host, self.pages)
        self._found.append(self._found[-1] + relevant)
        self._draws.append(self._draws[-1] + drawn)
        self._draws_brought.append(self._draws_brought[-1] + (relevant and (drawn or source in self._drawn)))

    def recently_found(self, pages: int) -> int:
        """Relevant ones among the last so many."""
        return self.found - self._found[max(0, self.pages - pages)]

    def note_known(self, waiting: int) -> None:
        """So many links are known now: what was asked for, and what waits."""
        self.known[self.pages] = self.pages + self.missed + waiting

    def _new_links(self, pages: int, waiting: int) -> float:
        """That the last so many pages brought."""
        now = self.pages + self.missed + waiting
        points = sorted((self.known | {self.pages: now}).items())
        before = np.interp(self.pages - pages, [point for point, _ in points], [known for _, known in points])
        return now - float(before)

    def figures(self, waiting: int) -> CrawlFigures:
        pages, half, halves = self.pages, self.pages // 2, range(1, DOUBLINGS + 1)
        quarter = pages - 3 * pages // 4
        brought = pages / (pages + self.missed) if pages else 0.0
        return CrawlFigures(
            pages=pages,
            found=self.found,
            doublings=tuple(self.found - self._found[pages >> n] for n in halves),
            # Links come in bursts, and a corner that is all but done with says little of the next.
            new_links=max(self._new_links(last, waiting) / max(1, last) for last in (pages - half, quarter)),
            recent_links=self._new_links(pages - half, waiting),
            brought=brought,
            waiting=waiting,
            clump=self._squares / self.found if self.found else 1.0,
            new_hosts=self._hosts.since(half),
            host_doublings=tuple(self._relevant_hosts.since(pages >> n) for n in halves),
            host_size=self.found / len(self._relevant_hosts.times) if self.found else 0.0,
            draws=(self._draws[-1] - self._draws[half]) / brought if brought else 0.0,
            draws_brought=self._draws_brought[-1] - self._draws_brought[half],
            all_draws=self._draws[-1],
        )


def record_of(library: Library) -> CrawlRecord:
    """The record of all crawls into a library."""
    record = CrawlRecord()
    record.known = kept_links(library.folder, library.counts().fetched)
    rows: list[tuple[int, bool]] = []
    for page in library.pages():
        rows.append((urls.fingerprint(page.url), page.first_relevant and not page.duplicate_of))
        if len(rows) == SLICE:
            _add(record, library, rows)
            rows.clear()
    _add(record, library, rows)
    record.missed = sum(link.kind != "robots" for link in library.failed()) + library.counts().moved
    return record


def asked_coverage(library: Library, config: Config) -> RecallEstimate | None:
    """What is found of what can be reached, where the settings asked for some share of it."""
    if not any(entry.strip().startswith("recall") for entry in config.crawl.until):
        return None
    return estimate_recall(record_of(library).figures(library.counts().waiting), config.crawl.confidence)


def _add(record: CrawlRecord, library: Library, rows: list[tuple[int, bool]]) -> None:
    leases = {lease.id: lease for lease in library.leases([number for number, _ in rows])}
    for number, relevant in rows:
        record.add(leases[number], relevant)
