"""The pages that stand for all that were seen: so many, whatever the number of pages, and the same in any order.

Kept are the pages of the smallest fingerprints, which is a fair sample, and those that say most of the topic's words,
because there are few of them and they set the scale. A page that came twice counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappush, heappushpop

from scenthound import urls
from scenthound.learn.relevance.page_rows import PageRow

SAMPLE, BEST = 600, 100


class PageSample:
    def __init__(self, evidence: Callable[[PageRow], float], sample: int = SAMPLE, best: int = BEST) -> None:
        self.seen = 0
        self._evidence = evidence
        self._fair = _Highest(sample)
        self._best = _Highest(best)

    def add(self, row: PageRow | None) -> bool:
        """One page more, and whether it is kept; None: one of which it is known that it is not."""
        self.seen += 1
        if row is None:
            return False
        kept = self._fair.add(-urls.fingerprint(row.url), row)
        if (said := self._evidence(row)) > 0:
            kept = self._best.add(said, row) or kept
        return kept

    def rows(self) -> list[PageRow]:
        """All that are kept, in an order that depends on nothing else, and in which the first ones are a fair draw."""
        kept = self._fair.rows | self._best.rows
        return [kept[url] for url in sorted(kept, key=lambda url: (urls.fingerprint(url), url))]

    def kept(self) -> tuple[list[PageRow], list[PageRow]]:
        """The fair sample, and the best; some pages are both."""
        return list(self._fair.rows.values()), list(self._best.rows.values())

    def take_back(self, seen: int, fair: Iterable[PageRow], best: Iterable[PageRow]) -> None:
        """Makes it what it was when so many were seen and these were kept."""
        self.seen, self._fair, self._best = seen, _Highest(self._fair.most), _Highest(self._best.most)
        for row in fair:
            self._fair.add(-urls.fingerprint(row.url), row)
        for row in best:
            self._best.add(self._evidence(row), row)

    def rank_again(self, evidence: Callable[[PageRow], float]) -> None:
        """Chooses the best anew, of those that are kept: the topic's words have changed."""
        kept, self._evidence, self._best = self.rows(), evidence, _Highest(self._best.most)
        for row in kept:
            if (said := evidence(row)) > 0:
                self._best.add(said, row)


class _Highest:
    """The rows of the highest values, by URL."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.rows: dict[str, PageRow] = {}
        self._values: list[tuple[float, str]] = []

    def add(self, value: float, row: PageRow) -> bool:
        """Whether it is among them, for now."""
        if row.url in self.rows:
            return True
        if len(self._values) < self.most:
            heappush(self._values, (value, row.url))
        elif (value, row.url) > self._values[0]:
            del self.rows[heappushpop(self._values, (value, row.url))[1]]
        else:
            return False
        self.rows[row.url] = row
        return True
