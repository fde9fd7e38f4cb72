"""The upper bound of every comparison: a strategy that knows the answers. It lives in the lab and cannot crawl."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from scenthound.lab.crawls.web_statistics import WebStatistics
from scenthound.model import Link, MergeRule, Ranked, Visit

NAME = "oracle"
TARGET = 2.0


class Oracle:
    """Knows the targets and every link of the web, and takes the nearest target, step by step.

        priority = 2                                 of a target
                 = 1 / (1 + d) + n / 10,000          of any other page

    | symbol | meaning |
    |---|---|
    | d | fewest links from the page to a target |
    | n | targets the page links to that no page so far has, at most 1,000; where n = 0, d counts as 2 or more |

    Greedy, so not the best crawl there is; but a strategy that comes near it leaves little to be found.
    """

    merge: MergeRule = "last"  # what a page is worth falls as its targets become known from elsewhere

    def __init__(self, statistics: WebStatistics, targets: Collection[str]) -> None:
        goals = [url for url in targets if url in statistics.number]
        self._targets = frozenset(goals)
        self._number = statistics.number
        self._distance = statistics.distances(goals)
        self._known: set[str] = set()
        is_goal = np.zeros(len(statistics.pages), dtype=bool)
        is_goal[[statistics.number[url] for url in goals]] = True
        leading = is_goal[statistics.targets]
        self._leads_to: dict[int, set[str]] = {}
        sources, reached = statistics.sources[leading].tolist(), statistics.targets[leading].tolist()
        for source, target in zip(sources, reached, strict=True):
            self._leads_to.setdefault(source, set()).add(statistics.pages[target])

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        self._known.add(visit.page.url)
        self._known.update(link.url for link in visit.page.links if link.url in self._targets)
        return [Ranked(link=link, priority=self._priority(link)) for link in visit.page.links]

    def _priority(self, link: Link) -> float:
        if link.url in self._targets:
            return TARGET
        number = self._number.get(link.url)
        if number is None:
            return 0.0  # an address that is missing, or moved
        distance = int(self._distance[number])
        new = len(self._leads_to.get(number, set()) - self._known)
        if distance == 1 and not new:
            distance = 2
        return 1 / (1 + distance) + min(new, 1000) / 10_000
