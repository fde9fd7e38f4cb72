"""Where nothing was seen yet, for crawls that bring hardly anything any more.

    new ground (link) = barren * max(named, NAMESAKES / (NAMESAKES + pages))
    named             = 1 where the link's text names the topic, else 0
    pages             = those of sections that are called as its is, or of its host where it has none, and links into
                        them that brought no page
    barren            = max(0, 1 - (recent + DUST) / (FALLEN * usual))
    recent            = mean relevance of the last pages, each older one counting for 1 - RATE of the next
    usual             = mean relevance of all pages

A section is the first folder of an address, and sections of one name are alike wherever they are: who has read
`/travel/` on four hosts knows what a fifth one has. As long as relevant pages come, this says nothing. Once they have
become rare, what is known to be best has been fetched, and what waits is known to be poor, but for places nobody has
been to: relevant pages behind pages that do not speak of the topic are found by going there, and not by going on. What
names the topic comes before such places all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.urls import fingerprint

PLACES = 1 << 16
"""For sections: two may share one, and are then taken for one."""

NAMESAKES = 6.0
FALLEN, RATE = 0.3, 0.06
DUST = 0.005
"""Relevance that means nothing: where all pages have less, none of them has become rare."""

Floats = npt.NDArray[np.float64]


class NewGround:
    def __init__(self) -> None:
        self._pages: npt.NDArray[np.int32] = np.zeros(PLACES, np.int32)
        self._number, self._sum, self._recent = 0, 0.0, 0.0

    @staticmethod
    def place(url: str) -> int:
        return fingerprint(_section(url)) % PLACES

    def places(self, links: Sequence[str]) -> list[int]:
        """Of several URLs: most of a page are of few sections."""
        sections = [_section(url) for url in links]
        known = {section: fingerprint(section) % PLACES for section in set(sections)}
        return [known[section] for section in sections]

    def add_at(self, section: int, site: int, relevance: float) -> None:
        """A page was fetched. `site`: the place of its host, of which all pages count."""
        self._pages[section] += 1
        self._pages[site] += site != section
        self._recent += (RATE if self._number else 1.0) * (relevance - self._recent)
        self._number += 1
        self._sum += relevance

    def miss_at(self, section: int) -> None:
        """A link brought no page: where links are dead there is no ground."""
        self._pages[section] += 1

    def barren(self) -> float:
        """How little came lately, beside what is usual: 0 as long as enough does, 1 where nothing comes."""
        little, lately = FALLEN * self._sum / max(1, self._number), self._recent + DUST
        return 1.0 - lately / little if lately < little else 0.0

    def seen(self, place: int) -> int:
        """Pages of sections of that name, and links that brought none."""
        return int(self._pages[place])

    def __call__(self, places: npt.NDArray[np.int32], named: npt.NDArray[np.bool_]) -> Floats:
        found: Floats = self.barren() * np.maximum(named, NAMESAKES / (NAMESAKES + self._pages[places]))
        return found

    def of_one(self, place: int, named: bool) -> float:
        return self.barren() * max(named, NAMESAKES / (NAMESAKES + self.seen(place)))

    def kept(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """As a snapshot: the places that are not empty."""
        places = np.flatnonzero(self._pages)
        values = {"number": self._number, "sum": self._sum, "recent": self._recent}
        return values, {"places": places, "pages": self._pages[places]}

    def take_back(self, values: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        self._number, self._sum, self._recent = values["number"], values["sum"], values["recent"]
        self._pages[:] = 0
        self._pages[arrays["places"]] = arrays["pages"]


def _section(url: str) -> str:
    """The first folder; of an address that has none, the host."""
    host, _, path = url.partition("://")[2].partition("?")[0].partition("/")
    folder, slash, _ = path.partition("/")
    return folder if slash else host
