"""Waiting links as rows of numbers, a column for each feature: what they say of themselves, and what the crawl has
learned since.

    of the link alone     keywords, lists, place in the site (`own_features.py`)
    by the judge          what it would think of a page with the link's words, where it can imagine one
    by the crawl so far   its words, the pages that have it, what other links of page and list led to, its site, and
                          whether anything was seen of its section

What is behind them changes with every page, and is only read here; whoever learns keeps it up to date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scenthound.learn.ranking.link_evidence import SECTION, SITE, LinkEvidence, Numbers, Places, Values
from scenthound.learn.ranking.link_model import LinkModel
from scenthound.learn.ranking.new_ground import NewGround
from scenthound.learn.ranking.outcome_records import OutcomeRecords
from scenthound.learn.ranking.own_features import COLUMNS
from scenthound.learn.ranking.start_sites import StartSites
from scenthound.learn.relevance.imagined_pages import PARTS
from scenthound.protocols.crawl import Imagines

PRIOR = {
    "anchor": 0.5,
    "context": 0.06,
    "heading": 0.24,
    "address": 0.1,
    "inherited": 0.15,
    "address alone": 0.54,
    "short address": 0.27,
    "another folder": 1.5,
    "near": 0.5,
    "kind": 1.0,
    "anchor as title": 0.28,
    "anchor as text": 0.49,
    "context as text": 0.78,
    "address words": 0.47,
    "link": 0.35,
    "parents": 0.25,
    "page record": 0.34,
    "list record": 0.17,
    "little seen": 2.0,
    "new ground": 30.0,
}
"""Each feature and its weight before anything is learned; the first, in the order of COLUMNS, are of the link alone."""

STATIC = len(COLUMNS)
ANCHOR = COLUMNS.index("anchor")
PARENTS_SHRINK = 2.0

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WaitingFeatures:
    """Reads what was learned of words, of lists, of sites and of their sections."""

    words: LinkModel
    records: OutcomeRecords
    sites: StartSites
    ground: NewGround

    def __call__(self, evidence: LinkEvidence, rows: Numbers, judge: Imagines | None, mean: float) -> Floats:
        """Of these rows. `mean`: relevance of all pages so far, which counts where few pages have a link."""
        sums, number = evidence.parents[rows].T
        parents = (sums + PARENTS_SHRINK * mean) / (number + PARENTS_SHRINK)
        learned = (
            self.words(evidence.words[rows]),
            parents,
            *self.records(evidence.lists[rows]),
            self.sites(evidence.places[rows, SITE]),
            self.ground(evidence.places[rows, SECTION], evidence.best[rows, ANCHOR] > 0),
        )
        features = np.empty((len(rows), len(PRIOR)))
        features[:, :STATIC] = evidence.best[rows]
        features[:, STATIC : STATIC + PARTS] = _imagined(evidence, rows, judge)
        for place, column in enumerate(learned, STATIC + PARTS):
            features[:, place] = column
        return features

    def places(self, links: Sequence[str]) -> Places:
        """Of URLs, where their sites and their sections are counted."""
        return np.array([self.sites.places(links), self.ground.places(links)], np.int32).T

    def of_one(self, evidence: LinkEvidence, row: int, judge: Imagines | None, mean: float) -> Floats:
        """The same of a single link, where arrays would take longer to make than to fill."""
        features = np.zeros(len(PRIOR))
        features[:STATIC] = evidence.best[row]
        if judge is not None:
            features[STATIC : STATIC + PARTS] = evidence.imagined_of(row, _version(judge), judge.imagine)
        relevance, parents = evidence.parents[row].tolist()
        features[STATIC + PARTS :] = (
            self.words.of_one(evidence.words[row]),
            (relevance + PARENTS_SHRINK * mean) / (parents + PARENTS_SHRINK),
            *self.records.of_one(evidence.lists[row].tolist()),
            self.sites.of_one(int(evidence.places[row, SITE])),
            self.ground.of_one(int(evidence.places[row, SECTION]), bool(evidence.best[row, ANCHOR] > 0)),
        )
        return features


def _imagined(evidence: LinkEvidence, rows: Numbers, judge: Imagines | None) -> Values:
    if judge is None:
        return np.zeros((len(rows), PARTS), np.float32)
    return evidence.imagined_with(rows, _version(judge), judge.imagine)


def _version(judge: Imagines) -> int:
    version: int = getattr(judge, "version_", 0)
    return version
