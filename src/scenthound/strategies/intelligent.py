from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import log
from operator import mul
from typing import ClassVar

import numpy as np
from msgspec import Struct

from scenthound.bounded_cache import BoundedCache, Memo
from scenthound.learn.links.feature_hashing import FeatureHasher
from scenthound.learn.links.interest import CAUTION, InterestRatios, Places, RunningMean
from scenthound.learn.snapshot_arrays import column, for_part, joined, keys_of, of_part, parted, refill
from scenthound.model import Link, Page, Ranked, Visit
from scenthound.protocols.crawl import Context, Idf, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.text.analysis import Analyzer, analyzer
from scenthound.urls import fingerprint

PARENTS = 20_000
"""Pages whose words and children are remembered, about 15 MB."""

URLS = 50_000
"""URLs whose tokens are remembered, about 12 MB, because what waits is judged again; all forgotten when full."""

LEVELS = (0.25, 1.0, 4.0, 16.0)
"""Where a page of so many times the usual relevance stands among linking pages."""


class Parent(Struct):
    """What is remembered of a page for the sake of its links."""

    words: Places
    relevance: float
    children: int = 0  # followed so far
    fruits: float = 0.0  # their relevance, summed


@strategy("intelligent")
@dataclass
class Intelligent:
    """Learns while it crawls which signs tell that a page is relevant (Aggarwal, Al-Garawi, Yu; Batsakis 2.3, Liu 1).

    Believes nothing beforehand. Whether topics cluster, whether words or URLs or neighbours tell, is for the web at
    hand to show: each sign counts by how much more often than usual relevant pages followed it.

        I(C, E)   = P(C | E) / P(C)
        priority  = content * mean over words of log I(C, word in the linking page)
                  + url     * mean over tokens of log I(C, token in the URL)
                  + link    * log I(C, linking page as relevant as it is)
                  + sibling * log I(C, siblings followed so far)

    | symbol | meaning, parameter |
    |---|---|
    | C | the page is relevant; P(C) is the mean relevance so far, P(C given E) that of the pages that followed E |
    | words | the `words` heaviest of the page by tf-idf |
    | I(C, siblings) | mean relevance of the linking page's links that were followed, over P(C) |
    | content, url, link, sibling | `content`, `url`, `link`, `sibling`: weights |
    | significance | `significance`: words and tokens nearer to P(C) than that, in standard errors, say nothing |

    Relevance is taken as a probability, so a judge that says only yes or no gives back the paper's counts. Two changes:
    logarithms of word ratios are averaged over the significant ones, where the paper multiplies (words come in company,
    and a product of thirty ratios drowns the other three); and of several linking pages the best one counts.

    Words and tokens are hashed into arrays of 2^`bits` numbers, and the last 20,000 pages are remembered: nothing
    grows. Every `rescore_every` pages the links that wait are judged anew.

    Source: Aggarwal, Al-Garawi, Yu, "Intelligent crawling on the World Wide Web with arbitrary predicates" (2001).
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    content: float = 1.0
    url: float = 1.0
    link: float = 1.0
    sibling: float = 1.0
    significance: float = 1.0
    words: int = 64
    bits: int = 18
    rescore_every: int = 10

    analyzer_: Analyzer = field(init=False, repr=False)
    idf_: Idf = field(init=False, repr=False)
    word_: FeatureHasher = field(init=False, repr=False)
    token_: FeatureHasher = field(init=False, repr=False)
    usual_: RunningMean = field(init=False, repr=False)
    of_words_: InterestRatios = field(init=False, repr=False)
    of_tokens_: InterestRatios = field(init=False, repr=False)
    of_parents_: InterestRatios = field(init=False, repr=False)
    parents_: BoundedCache[int, Parent] = field(init=False, repr=False)
    read_: Memo[str, list[int]] = field(init=False, repr=False)  # tokens of URLs

    def __post_init__(self) -> None:
        if min(self.content, self.url, self.link, self.sibling, self.significance) < 0:
            raise ValueError("content, url, link, sibling and significance must not be negative")
        if self.words < 1 or self.rescore_every < 1:
            raise ValueError("words and rescore_every must be at least 1")
        if not 8 <= self.bits <= 26:
            raise ValueError("bits must be between 8 and 26: 2^bits numbers are kept")

    def begin(self, context: Context) -> None:
        size = 2**self.bits
        self.analyzer_, self.idf_ = analyzer(context.topic.language), context.idf
        self.word_, self.token_ = FeatureHasher(size, kind=1), FeatureHasher(size, kind=2)
        self.usual_ = RunningMean()
        self.of_words_, self.of_tokens_ = InterestRatios(size), InterestRatios(size)
        self.of_parents_ = InterestRatios(len(LEVELS) + 1)
        self.parents_ = BoundedCache(PARENTS)
        self.read_ = Memo(self._tokens, URLS)

    def learn(self, visit: Visit) -> None:
        relevance, parent = visit.relevance, self._parent(visit.link, visit.memory)
        if parent is not None:
            self.of_words_.saw(parent.words, relevance)
            self.of_parents_.saw(self._kind(parent), relevance)
            parent.children += 1
            parent.fruits += relevance
        if visit.link.kind != "seed":
            self.of_tokens_.saw(np.array(self.read_[visit.link.url], dtype=np.intp), relevance)
        self.usual_.saw(relevance)
        self.parents_.put(fingerprint(visit.page.url), Parent(self._words(visit.page), relevance))

    def missed(self, link: Link) -> None:
        """Nothing relevant there: the URL and the siblings should know. What the page says is not to blame."""
        self.of_tokens_.saw(np.array(self.read_[link.url], dtype=np.intp), 0.0)
        if (parent := self._parent(link, None)) is not None:
            parent.children += 1

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        links = visit.page.links
        number = fingerprint(visit.page.url)
        parent = self.parents_.get(number)
        inherited = self._inherited([parent])[0] if parent is not None else 0.0
        memory = struct.pack("<q", number)
        return [Ranked(link, inherited + own, memory) for link, own in zip(links, self._own(links), strict=True)]

    def rescore(self, links: Sequence[Link]) -> list[float]:
        known, sources = self.parents_, dict.fromkeys(link.source for link in links)
        parents = {source: parent for source in sources if (parent := known.get(fingerprint(source))) is not None}
        inherited = dict(zip(parents, self._inherited(list(parents.values())), strict=True))
        return [inherited.get(link.source, 0.0) + own for link, own in zip(links, self._own(links), strict=True)]

    def snapshot(self) -> Snapshot:
        parents, size = list(self.parents_.entries.values()), len(self.parents_)
        words, lengths = joined([parent.words for parent in parents], np.int32)
        arrays = {
            "pages": keys_of(self.parents_),
            "words": words,
            "lengths": lengths,
            "relevances": column((parent.relevance for parent in parents), size),
            "children": column((parent.children for parent in parents), size, np.int64),
            "fruits": column((parent.fruits for parent in parents), size),
        }
        for name, ratios in self._ratios().items():
            arrays |= of_part(name, ratios.kept())
        return Snapshot(1, {"usual": self.usual_.kept()}, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        words = [part.astype(np.intp) for part in parted(arrays["words"], arrays["lengths"])]
        rest = (arrays[name].tolist() for name in ("relevances", "children", "fruits"))
        refill(self.parents_, arrays["pages"], map(Parent, words, *rest))
        for name, ratios in self._ratios().items():
            ratios.take_back(for_part(name, arrays))
        self.usual_.take_back(values["usual"])

    def _ratios(self) -> dict[str, InterestRatios]:
        return {"of words": self.of_words_, "of tokens": self.of_tokens_, "of parents": self.of_parents_}

    # The four signs

    def _inherited(self, parents: Sequence[Parent]) -> list[float]:
        """What pages say of all their links: by their words, their relevance, and where their links have led so far."""
        usual = self.usual_
        if not parents or usual.mean <= 0.0:
            return [0.0] * len(parents)
        words = _means(self.of_words_, [parent.words for parent in parents], usual, self.significance)
        links = self.of_parents_.log_ratios(np.concatenate([self._kind(parent) for parent in parents]), usual)
        siblings = [log((parent.fruits / usual.mean + CAUTION) / (parent.children + CAUTION)) for parent in parents]
        return [
            self.content * of_words + self.link * of_links + self.sibling * of_siblings
            for of_words, of_links, of_siblings in zip(words, links.tolist(), siblings, strict=True)
        ]

    def _own(self, links: Sequence[Link]) -> list[float]:
        """What the URL of each link says."""
        if not links:
            return []
        tokens = [self.read_[link.url] for link in links]
        return [self.url * mean for mean in _means(self.of_tokens_, tokens, self.usual_, self.significance)]

    def _kind(self, parent: Parent) -> Places:
        """How good a page is, in steps from much worse than usual to much better."""
        ratio = parent.relevance / self.usual_.mean if self.usual_.mean else 1.0
        return np.array([bisect_right(LEVELS, ratio)], dtype=np.intp)

    # Events

    def _parent(self, link: Link, memory: bytes | None) -> Parent | None:
        if memory is not None and len(memory) == 8:
            return self.parents_.get(struct.unpack("<q", memory)[0])
        return self.parents_.get(fingerprint(link.source))

    def _words(self, page: Page) -> Places:
        weights = np.fromiter(map(mul, page.terms.values(), map(self.idf_, page.terms)), float, len(page.terms))
        terms = list(page.terms)
        if len(terms) > self.words:
            least = np.partition(weights, -self.words)[-self.words]
            heavier = [terms[place] for place in np.flatnonzero(weights > least)]
            ties = sorted((terms[place] for place in np.flatnonzero(weights == least)), reverse=True)
            terms = heavier + ties[: self.words - len(heavier)]
        return np.unique(np.array([self.word_[term] for term in terms], dtype=np.intp))

    def _tokens(self, url: str) -> list[int]:
        """Host, path and query, cut into words; the scheme first, so that there is always one."""
        terms = self.analyzer_.terms(url.partition("//")[2])
        return [self.token_["://"], *map(self.token_.__getitem__, terms)]


def _means(
    interest: InterestRatios, events: Sequence[Sequence[int] | Places], usual: RunningMean, significance: float
) -> list[float]:
    """Of each list of events, the mean of the log ratios that are not 0; 0 where all are."""
    lengths = np.fromiter(map(len, events), np.intp, len(events))
    flat = np.fromiter(chain.from_iterable(events), np.intp, int(lengths.sum()))
    logs = np.append(interest.log_ratios(flat, usual, significance), 0.0)  # where an empty list at the end may start
    starts = np.cumsum(lengths) - lengths
    sums, telling = np.add.reduceat(logs, starts), np.add.reduceat(logs != 0.0, starts, dtype=np.intp)
    means: list[float] = np.where(lengths > 0, sums / np.maximum(telling, 1), 0.0).tolist()
    return means
