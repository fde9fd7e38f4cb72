from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np

from scenthound.bounded_cache import BoundedCache
from scenthound.errors import ConfigError
from scenthound.learn.snapshot_arrays import column, keys_of, refill
from scenthound.model import Block, MergeRule, Page, Ranked, Topic, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.protocols.snapshots import Snapshot
from scenthound.registry import strategy
from scenthound.text.weight_table import NORMS, TERMS, Norm, TermStatistics, WeightTable
from scenthound.urls import fingerprint

REMEMBERED = 100_000
"""Links whose known parents are remembered (some 30 MB); those found longest ago are forgotten first."""

Seeds = Literal["none", "relevant", "all"]

Holding = tuple[float, float, int]
"""Of the blocks that are known to hold a link: the best relevance, the sum of all, how many."""


@strategy("blocks")
@dataclass
class Blocks:
    """Links by the relevance of the blocks that hold them (Aastha 4).

    Believes that a page speaks of several things, each under a heading of its own, and that a link is about what its
    block is about, whatever the rest of the page says.

        score(u) = mu * R(t, b) + (1 - mu) * (mean over known parents p of u of R(t, b_p))
        priority = score(u)       if R(t, b) > limit
                   score(u) - 1   otherwise: after all links of relevant blocks

    | symbol | parameter or meaning |
    |---|---|
    | mu | `mu` |
    | limit | `limit`: the relevancy limit |
    | t | the weight table of `terms` terms, out of keywords and of what tells most about the pages below |
    | pages of t | example pages; seed pages as they are fetched (`seeds`: none, relevant, all); found ones, see below |
    | keywords | `keywords`: they come first in t; else they stand in only until there are pages to build it from |
    | b_p | the block of page p that holds the link: a heading up to the next, or a part of the page's structure |
    | b | the most relevant b_p, so that the score does not depend on which parent was read last |
    | R(t, b) | cosine of weight table and block terms |
    | | `norm`: the length of a block is that of all its terms (`block`), or of those in the table (`table`) |
    | others | `others`: whether links of blocks below the limit are followed at all |
    | | `best_block`: whether b is the best of all b_p; else it is the one on the page that was just read |

    With `rebuild_every` = n the table is built anew after every n pages found relevant, from them, seeds and examples.
    The document builds it from seed pages: `seeds = "all"`, `keywords = false`; it also has `norm = "table"`, extracts
    links from relevant blocks alone, and takes b as it comes: that is its published form. Seeds that are the front
    doors of a site say little of the topic, and keywords much; `docs/sources.md` has both in figures. Tunnelling (4.6)
    is an option of any strategy; with it, links of irrelevant blocks on irrelevant pages are limited in number.
    Parents are remembered for 100,000 links.
    """

    published: ClassVar[Presets] = {
        "aastha": {"seeds": "all", "keywords": False, "norm": "table", "others": False, "best_block": False}
    }

    mu: float = 0.5
    limit: float = 0.1
    terms: int = TERMS
    seeds: Seeds = "none"
    keywords: bool = True
    rebuild_every: int = 0
    norm: Norm = "block"
    others: bool = True
    best_block: bool = True
    merge: ClassVar[MergeRule] = "last"  # the score of a link found again is worked out here, from all its parents
    table_: WeightTable = field(init=False, repr=False)
    term_statistics_: TermStatistics = field(init=False, repr=False)
    topic_: Topic = field(init=False, repr=False)
    held_: BoundedCache[int, Holding] = field(init=False, repr=False)
    read_: tuple[tuple[Block, ...], list[float]] = field(init=False, repr=False, default=((), []))

    def __post_init__(self) -> None:
        if not 0 <= self.mu <= 1:
            raise ValueError("mu must be from 0 to 1")
        if not 0 <= self.limit <= 1:
            raise ValueError("limit must be from 0 to 1")
        if self.terms < 1:
            raise ValueError("terms must be at least 1")
        if self.seeds not in get_args(Seeds):
            raise ValueError("seeds must be none, relevant or all: which seed pages make the table")
        if self.norm not in NORMS:
            raise ValueError("norm must be block or table: whose terms make up the length of a block")
        if self.rebuild_every < 0:
            raise ValueError("rebuild_every must not be negative; 0 keeps the table as it is")
        self.held_ = BoundedCache(REMEMBERED)

    def begin(self, context: Context) -> None:
        self.topic_ = context.topic
        self.term_statistics_ = TermStatistics(context.idf, context.examples)
        self.table_ = self._built()
        if not self.table_:
            raise ConfigError(
                'The strategy "blocks" compares blocks with words of the topic, and there are none. '
                "Add keywords = [...] or examples = [...] under [topic]."
            )

    def retopic(self, context: Context) -> None:
        """A new table, with the new keywords in it; what is known of links stays."""
        self.topic_ = context.topic
        self.table_ = self._built() or self.table_

    def learn(self, visit: Visit) -> None:
        self._count_terms(visit)
        relevances = self.table_.of_blocks(visit.page)
        self.read_ = visit.page.blocks, relevances
        held = self.held_.entries
        for link, here in zip(visit.page.links, _of_links(visit.page, relevances), strict=True):
            number = fingerprint(link.url)
            best, total, parents = held.pop(number, (0.0, 0.0, 0))
            held[number] = max(best, here), total + here, parents + 1  # at the end: forgotten last
        self.held_.forget()

    def _count_terms(self, visit: Visit) -> None:
        """Seed pages make a new table at once, others every so many."""
        seed = not visit.depth and (self.seeds == "all" or (self.seeds == "relevant" and visit.relevant))
        if seed or (visit.relevant and self.rebuild_every):
            self.term_statistics_.add(visit.page.terms)
            if seed or self.term_statistics_.pages % self.rebuild_every == 0:
                self.table_ = self._built() or self.table_

    def _built(self) -> WeightTable:
        if self.keywords or not self.term_statistics_:
            made = WeightTable.of(self.topic_, self.term_statistics_, self.terms)
        else:
            made = self.term_statistics_.table(self.terms)
        return self._table(made.weights)

    def _table(self, weights: Mapping[str, float]) -> WeightTable:
        return WeightTable(weights, self.topic_.language, self.norm)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        relevances = self._relevances(visit.page)
        held = self.held_.entries
        ranked = []
        for link, here in zip(visit.page.links, _of_links(visit.page, relevances), strict=True):
            best, total, parents = held.get(fingerprint(link.url), (here, here, 1))
            block = best if self.best_block else here
            score = self.mu * block + (1 - self.mu) * total / parents
            if block > self.limit:
                ranked.append(Ranked(link=link, priority=score))
            elif self.others:
                ranked.append(Ranked(link=link, priority=score - 1.0))
        return ranked

    def vouches(self, ranked: Ranked) -> bool:
        """Whether tunnelling is to take the link as direct although its page is irrelevant: its block is not."""
        return ranked.priority >= 0.0

    def snapshot(self) -> Snapshot:
        holdings, size = self.held_.entries.values(), len(self.held_)
        arrays = {
            "links": keys_of(self.held_),
            "best": column((best for best, _, _ in holdings), size),
            "total": column((total for _, total, _ in holdings), size),
            "parents": column((parents for _, _, parents in holdings), size, np.int64),
        }
        return Snapshot(1, {"table": self.table_.weights, "statistics": self.term_statistics_.kept()}, arrays)

    def restore(self, snapshot: Snapshot) -> None:
        values, arrays = snapshot.of_version(1)
        best, total, parents = (arrays[name].tolist() for name in ("best", "total", "parents"))
        self.table_ = self._table(values["table"])
        self.term_statistics_.take_back(values["statistics"])
        refill(self.held_, arrays["links"], zip(best, total, parents, strict=True))

    def _relevances(self, page: Page) -> list[float]:
        blocks, relevances = self.read_
        return relevances if blocks is page.blocks else self.table_.of_blocks(page)


def _of_links(page: Page, relevances: Sequence[float]) -> list[float]:
    """For each link the relevance of the block that holds it."""
    known = len(relevances)
    return [relevances[link.block] if link.block < known else 0.0 for link in page.links]
