"""How little of each site was seen so far, among the sites a crawl was started from.

    little seen (site) = log((1 + usual) / (1 + pages of it))                   where a start page is on it
                       = log((1 + usual) / (1 + max(pages of it, usual)))       elsewhere
    usual              = pages / start sites

Whoever names fifteen start pages on fifteen sites wants to hear of all of them. A site that nobody named has no such
claim: it counts as seen as much as the usual start site, or every link that leaves a site would come first. Where there
is one start site it has 0 all the time, so that links that were ranked earlier are not ahead because of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log1p
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound import urls
from scenthound.urls import fingerprint

PLACES = 1 << 16
"""For sites: two may share one, and are then taken for one."""

Floats = npt.NDArray[np.float64]


class StartSites:
    def __init__(self) -> None:
        self._pages: npt.NDArray[np.int32] = np.zeros(PLACES, np.int32)
        self._start: npt.NDArray[np.bool_] = np.zeros(PLACES, np.bool_)
        self._seen, self._starts = 0, 0

    @staticmethod
    def place(url: str) -> int:
        return fingerprint(urls.host(url)) % PLACES

    def places(self, links: Sequence[str]) -> list[int]:
        """Of several URLs: most of a page are of one site."""
        hosts = [urls.host(url) for url in links]
        known = {host: fingerprint(host) % PLACES for host in set(hosts)}
        return [known[host] for host in hosts]

    def add(self, url: str, start: bool) -> None:
        """A page was fetched; `start`: it is one the crawl began with."""
        self.add_at(self.place(url), start)

    def add_at(self, place: int, start: bool) -> None:
        self._pages[place] += 1
        self._seen += 1
        if start:
            self._begin(place)

    def move(self, home: int, place: int, start: bool) -> None:
        """A link to the one site leads to the other. If it was a start page, the other is a start site in its place,
        wherever it leads on to."""
        empty = bool(self._start[home]) and not self._pages[home]
        if empty:
            self._start[home] = False
            self._starts -= 1
        if start or empty:
            self._begin(place)

    def _begin(self, place: int) -> None:
        if not self._start[place]:
            self._start[place] = True
            self._starts += 1

    def __call__(self, places: npt.NDArray[np.int32]) -> Floats:
        pages, usual = self._pages[places], self._usual()
        seen = np.where(self._start[places], pages, np.maximum(pages, usual))
        little: Floats = np.log1p(usual) - np.log1p(seen)
        return little

    def of_one(self, place: int) -> float:
        pages, usual = int(self._pages[place]), self._usual()
        return log1p(usual) - log1p(pages if self._start[place] else max(pages, usual))

    def _usual(self) -> float:
        return self._seen / max(1, self._starts)

    def kept(self) -> dict[str, Any]:
        """As arrays of a snapshot: the places that are not empty."""
        places = np.flatnonzero((self._pages > 0) | self._start)
        return {"places": places, "pages": self._pages[places], "start": self._start[places]}

    def take_back(self, arrays: Mapping[str, Any]) -> None:
        places = arrays["places"]
        self._pages[:], self._start[:] = 0, False
        self._pages[places], self._start[places] = arrays["pages"], arrays["start"]
        self._seen, self._starts = int(self._pages.sum()), int(self._start.sum())
