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

from scenthound.bounded_cache import Memo
from scenthound.learn.links.feature_hashing import FeatureHasher
from scenthound.model import Link, Topic
from scenthound.protocols.crawl import Idf
from scenthound.text.query import Query

DENSE = 4
"""Places that are not hashed."""

REMEMBERED = 20_000
"""Texts of each kind whose words are remembered, about 8 MB: menus repeat theirs, and what waits is judged again."""

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Said = tuple[list[int], float]
"""The places of a text's words, and its likeness to the query."""


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
        anchor, context, url = (FeatureHasher(size, kind, DENSE) for kind in (1, 2, 3))
        self._anchor = Memo[str, Said](lambda text: self._read(text, anchor), REMEMBERED)
        self._context = Memo[str, Said](lambda text: self._read(text, context), REMEMBERED)
        self._url = Memo[str, Said](lambda text: (self._places(text.partition("//")[2], url), 0.0), REMEMBERED)

    def rows(self, links: Sequence[Link], relevances: Sequence[float]) -> Rows:
        """A row for each link, given the relevance of the page it is on."""
        places: list[int] = []
        values: list[float] = []
        starts: list[int] = []
        for link, relevance in zip(links, relevances, strict=True):
            starts.append(len(places))
            anchor, like_anchor = self._anchor[link.anchor or link.title]
            context, like_context = self._context[link.context]
            url, _ = self._url[link.url]
            places += 0, 1, 2, 3
            values += 1.0, relevance, like_anchor, like_context
            places += anchor
            places += context
            places += url
            if words := len(anchor) + len(context) + len(url):
                values += [1.0 / sqrt(words)] * words
        return Rows(np.array(places, dtype=np.intp), np.array(values), np.array(starts, dtype=np.intp))

    def of_url(self, url: str) -> list[int]:
        """The places of a URL's words: host, path and query alike."""
        return self._url[url][0]

    def _read(self, text: str, slots: FeatureHasher) -> Said:
        terms = self._terms(text)
        return list(map(slots.__getitem__, terms)), self._likeness(terms)

    def _places(self, text: str, slots: FeatureHasher) -> list[int]:
        return list(map(slots.__getitem__, self._terms(text)))

    def _likeness(self, terms: list[str]) -> float:
        if not terms or self._query.vector.keys().isdisjoint(terms):
            return 0.0
        return self._query.of_counts(Counter(terms))
