"""What is said of training pages by what the other sites taught: the one honest look at what was learned.

The sites of a fold are held back, the rest teaches, and every page of the fold is asked about. From these words follow
the classifier's balance and error rate (`classifier.py`), and whether it helps at all (`label_check.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from scenthound.sites.centroids import Floats, Labels, Rows, class_centroids, log_odds, nearest
from scenthound.sites.folds import FOLDS

Flags = npt.NDArray[np.bool_]

MOST_ODDS = 5.0

WORST = 0.5
"""`p_err` at most: a classifier that is wrong more often than right says nothing, rather than the opposite."""


class HeldBack:
    """Log-odds and truth of training pages; NaN for a page that says nothing. `sites` numbers the site of each."""

    def __init__(self, odds: Floats, truth: Flags, sites: Labels) -> None:
        self.odds = odds
        self.truth = truth
        self.sites = sites

    def balance(self, without: int = -1) -> tuple[float, float]:
        """Bias and error rate, as all pages give them; or all but those of one site, so that it has no say in them."""
        counted = ~np.isnan(self.odds) & (self.sites != without)
        odds, truth = self.odds[counted], self.truth[counted]
        bias = middle(odds, truth)
        return bias, error_rate(odds - bias, truth)

    def error_rate(self) -> float:
        counted = ~np.isnan(self.odds)
        return error_rate(self.odds[counted], self.truth[counted])

    def confidences(self, site: int) -> tuple[list[float], float]:
        """Of a site's pages, in their order, and the error rate to read them with; 1/2 for one that says nothing."""
        bias, p_err = self.balance(without=site)
        odds = self.odds[self.sites == site] - bias
        told = 1.0 / (1.0 + np.exp(-np.nan_to_num(odds, nan=0.0)))
        return told.tolist(), p_err


def cross_checked(
    rows: Rows,
    labels: Labels,
    page_folds: Labels,
    wanted: Sequence[bool],
    clusters: int,
    random: Random,
) -> Floats:
    """Log-odds of training pages, each as said by what was learned from the sites of the other folds.

    Pages that say nothing are left out, as NaN: they carry no weight in a site's posterior either.
    """
    odds = np.full(len(rows), np.nan)
    telling, is_wanted = rows.any(axis=1), np.asarray(wanted)
    for fold in range(FOLDS):
        test, rest = (page_folds == fold) & telling, page_folds != fold
        if not test.any() or len(np.unique(labels[rest & telling])) < len(wanted):
            continue
        centroids, class_of = class_centroids(rows[rest], labels[rest], len(wanted), clusters, random)
        sides = np.where(is_wanted[class_of], 0, 1)
        odds[test] = log_odds(nearest(rows[test] @ centroids.T, sides, 2))
    return odds


def middle(odds: Floats, truth: Flags) -> float:
    """Half-way between the means of the two classes; 0 where one of them is absent. No page counts beyond e^5 to 1."""
    if truth.all() or not truth.any():
        return 0.0
    tame = np.clip(odds, -MOST_ODDS, MOST_ODDS)
    return float(tame[truth].mean() + tame[~truth].mean()) / 2


def error_rate(odds: Floats, truth: Flags) -> float:
    """1 - accuracy: the share of pages that were put on the wrong side."""
    return min(WORST, float(((odds > 0) != truth).mean())) if len(odds) else WORST
