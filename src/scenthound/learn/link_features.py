"""A link as numbers: what it says, what stands around it, where it points to, and how good its page is.

    place  value                        feature
    0      1                            bias
    1      0..1                         relevance of the page it is on
    2      0..1                         cosine(anchor, query)
    3      0..1                         cosine(context, query)
    4...   1 / sqrt(number of words)    words of the anchor, of the context, of the URL: each kind hashed by itself

The words together have length 1, so that a link in a long sentence is no surer of itself than one in a menu.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.slots import Slots
from scenthound.model import Link, Topic
from scenthound.protocols import Idf
from scenthound.text.query import Query

DENSE = 4
"""Places that are not hashed."""

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


class Rows(Struct, frozen=True):
    """Several links: row i is `places[starts[i]:starts[i + 1]]` with the values beside them; none is empty."""

    places: Places
    values: Floats
    starts: Places


class LinkFeatures:
    """Makes rows of links; the same link on a page of the same relevance always gives the same row."""

    def __init__(self, topic: Topic, idf: Idf, size: int) -> None:
        self._query = Query(topic, idf)
        self._terms = self._query.analyzer.terms
        self._anchor, self._context, self._url = (Slots(size, kind, DENSE) for kind in (1, 2, 3))

    def rows(self, links: Sequence[Link], relevances: Sequence[float]) -> Rows:
        """A row for each link, given the relevance of the page it is on."""
        places: list[int] = []
        values: list[float] = []
        starts: list[int] = []
        for link, relevance in zip(links, relevances, strict=True):
            starts.append(len(places))
            anchor, context = self._terms(link.anchor or link.title), self._terms(link.context)
            places += 0, 1, 2, 3
            values += 1.0, relevance, self._likeness(anchor), self._likeness(context)
            before = len(places)
            places += map(self._anchor.__getitem__, anchor)
            places += map(self._context.__getitem__, context)
            places += self.of_url(link.url)
            if words := len(places) - before:
                values += [1.0 / sqrt(words)] * words
        return Rows(np.array(places, dtype=np.intp), np.array(values), np.array(starts, dtype=np.intp))

    def of_url(self, url: str) -> list[int]:
        """The places of a URL's words: host, path and query alike."""
        return list(map(self._url.__getitem__, self._terms(url.partition("//")[2])))

    def _likeness(self, terms: list[str]) -> float:
        if not terms or self._query.vector.keys().isdisjoint(terms):
            return 0.0
        return self._query.of_counts(Counter(terms))
