"""How much a page says of the topic's keywords, and in which places.

    evidence = sum over keywords k of  g_k * (bm25_k + 1.5 title_k + headings_k + address_k)  /  sum of g_k

    bm25_k = 2.2 tf / (tf + 1.2 (0.25 + 0.75 words / ORDINARY))     tf, words: of the text without that of links
    g_k    = idf of the word, times its weight;  title_k, headings_k, address_k: 1 where it stands there, else 0

It grows with every mention less and less (at most 2.2, however often), so saying a word two hundred times helps no
page; links count nothing, because what a page links to it is not about; and a word in title, heading or address counts
as a deliberate one. The scale is absolute: 0 says nothing, a page plainly about the topic has 2 to 5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scenthound.learn.relevance.page_rows import PageRow
from scenthound.learn.relevance.page_words import ADDRESS, FIELDS, HEADINGS, TEXT, TITLE
from scenthound.learn.relevance.word_places import PLACES, Places, place
from scenthound.model import Topic
from scenthound.protocols.crawl import Idf
from scenthound.text.analysis import analyzer

ORDINARY = 400.0
"""Words of an ordinary page, links left out."""

K1, B = 1.2, 0.75
IN_TITLE, IN_HEADINGS, IN_ADDRESS = 1.5, 1.0, 1.0
PLAINLY = 2.5
"""The evidence of a page that is plainly about a topic, where nothing is known of the web yet."""

Floats = npt.NDArray[np.float64]


class KeywordEvidence:
    def __init__(self, topic: Topic, idf: Idf) -> None:
        weights: dict[str, float] = {}
        for keyword in topic.keywords:
            terms = analyzer(topic.language).counts(keyword.term)
            for term in terms:
                weights[term] = weights.get(term, 0.0) + keyword.weight / len(terms)
        # An even share of the weight counts 1, so that a topic of plain words weighs them by idf alone.
        self.terms = {term: weight * len(weights) * idf(term) for term, weight in weights.items() if idf(term) > 0}
        self._gains: Floats = np.array(list(self.terms.values()))
        self._places: dict[int, Places] = {
            field: place(field, self.terms) for field in (TEXT, TITLE, HEADINGS, ADDRESS)
        }
        self._wanted = np.zeros(len(FIELDS) * PLACES, np.bool_)  # of the places of all fields, those of keywords
        for field, places in self._places.items():
            self._wanted[places + field * PLACES] = True
        self._last: tuple[PageRow, float] | None = None

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __call__(self, row: PageRow) -> float:
        """Worked out once for the page at hand, which is judged and then shown."""
        if self._last is None or self._last[0] is not row:
            self._last = row, float(self.parts(row).sum()) if self._wanted.take(row.places).any() else 0.0
        return self._last[1]

    def of_all(self, rows: Sequence[PageRow]) -> list[float]:
        """The same of many rows: nearly all say nothing, which is seen at once."""
        lengths = [len(row.places) for row in rows]
        speaks = np.zeros(len(rows), np.bool_)
        if sum(lengths):
            wanted = self._wanted.take(np.concatenate([row.places for row in rows]))
            speaks[np.repeat(np.arange(len(rows)), lengths)[wanted]] = True
        return [self(row) if said else 0.0 for row, said in zip(rows, speaks.tolist(), strict=True)]

    def parts(self, row: PageRow) -> Floats:
        """What each keyword adds, in the order of `terms`."""
        if not self.terms:
            return np.zeros(1)
        often = self._logs(row, TEXT)
        counts = np.where(often > 0, np.exp(often - 1.0), 0.0)
        said = (K1 + 1) * counts / (counts + K1 * (1 - B + B * row.words / ORDINARY))
        for field, worth in ((TITLE, IN_TITLE), (HEADINGS, IN_HEADINGS), (ADDRESS, IN_ADDRESS)):
            said = said + worth * (self._logs(row, field) > 0)
        parts: Floats = self._gains * said / self._gains.sum()
        return parts

    def _logs(self, row: PageRow, field: int) -> Floats:
        """Of each keyword the value in a field, 1 + log of how often; 0 where it is not there."""
        found = row.fields[field]
        same = found.places[None, :] == self._places[field][:, None]
        logs: Floats = (same * found.values[None, :]).sum(axis=1)
        return logs
