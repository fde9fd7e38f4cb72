"""Does a page look like the pages of relevant sites? (Ester 4.3.1)

A class of sites has many kinds of pages: products, contact, terms of use, lists of links. So a class is not one
centroid but several: its training pages are clustered by K-Means, and a page is as near to the class as to the nearest
of its centroids. With `d_k` the cosine distance of the page to class k, kept inside (0, 1),

    confidence of class k = ln d_k / sum over classes j of ln d_j

The nearer class gets the larger share, and near distances count for more: far from everything, confidences are equal.
A page without a word is as far from every class as can be, and says nothing: 1/2.

    symbol     parameter
    CS_k       `clusters` centroids a class, fewer where there are fewer pages
    p_err      1 - accuracy on training pages, in 10-fold cross-validation by site; estimated by `train`

*Balance*, which the document does not have. There are more training sites of other kinds than relevant ones, so the
centroids of the others lie denser, and a page of a site never seen before is nearer to them whatever it is. In the same
cross-validation `train` measures how far: `bias` is the middle between the mean log-odds of pages of relevant sites and
of others, and what `confidence` says is shifted by it. `balanced=False` leaves the rule as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.errors import ModelError
from scenthound.model import Page
from scenthound.protocols.crawl import Idf
from scenthound.sites.centroids import class_centroids
from scenthound.sites.folds import FOLDS, fold_numbers
from scenthound.sites.posterior import corrected
from scenthound.sites.word_space import Rows, WordSpace

Site = Sequence[Page]
Floats = npt.NDArray[np.float64]

RELEVANT = "relevant"
OTHER = "other"

CLUSTERS = 8
NEAREST = 1e-6
"""How far from 0 and 1 a distance stays, so that its logarithm is neither infinite nor nought."""

MOST_ODDS = 5.0

WORST = 0.5
"""`p_err` at most: a classifier that is wrong more often than right says nothing, rather than the opposite."""


class PageClassifier:
    """Classes as sets of centroids. `relevant` names the classes whose sites are sought; all others are not."""

    def __init__(
        self,
        space: WordSpace,
        centroids: npt.ArrayLike,
        class_of: Sequence[int],
        classes: Sequence[str] = (RELEVANT, OTHER),
        relevant: Sequence[str] = (RELEVANT,),
        p_err: float = 0.0,
        bias: float = 0.0,
    ) -> None:
        self.space = space
        self.classes = tuple(classes)
        self.relevant = tuple(relevant)
        self.p_err = p_err
        self.bias = bias
        self.centroids = np.asarray(centroids, dtype=np.float32).reshape(-1, len(space))
        self.class_of = np.asarray(class_of, dtype=np.intp)
        self._by_word = np.ascontiguousarray(self.centroids.T)
        wanted = np.isin(self.class_of, [self.classes.index(name) for name in self.relevant])
        self._sides = np.where(wanted, 0, 1)

    @classmethod
    def train(
        cls,
        relevant_sites: Sequence[Site],
        other_sites: Sequence[Site],
        *,
        clusters: int = CLUSTERS,
        random: Random,
        idf: Idf,
        balanced: bool = True,
    ) -> PageClassifier:
        """From sites known to be relevant and sites known not to be, each as the pages first met in it."""
        classes = {RELEVANT: relevant_sites, OTHER: other_sites}
        return cls.train_classes(classes, clusters=clusters, random=random, idf=idf, balanced=balanced)

    @classmethod
    def train_classes(
        cls,
        classes: Mapping[str, Sequence[Site]],
        relevant: Sequence[str] = (RELEVANT,),
        *,
        clusters: int = CLUSTERS,
        random: Random,
        idf: Idf,
        balanced: bool = True,
    ) -> PageClassifier:
        """As `train`, for any number of classes of which those in `relevant` are sought."""
        names = tuple(classes)
        for name in names:
            if not any(page.terms for site in classes[name] for page in site):
                raise ModelError(f"The class {name!r} has no training page with text. Give it more training sites.")
        sites = [(site, number) for number, name in enumerate(names) for site in classes[name]]
        space = WordSpace.of([site for site, _ in sites], idf)
        if not len(space):
            raise ModelError("The training sites have no words that tell them apart. Give more of them.")
        rows = space.rows([page for site, _ in sites for page in site])
        labels = np.array([number for site, number in sites for _ in site], dtype=np.intp)
        site_folds = fold_numbers([number for _, number in sites], random)
        page_folds = np.array([fold for (site, _), fold in zip(sites, site_folds, strict=True) for _ in site])
        wanted = [name in relevant for name in names]
        odds, truth = cross_checked(rows, labels, page_folds, wanted, clusters, random)
        bias = middle(odds, truth) if balanced else 0.0
        centroids, class_of = class_centroids(rows, labels, len(names), clusters, random)
        return cls(space, centroids, class_of.tolist(), names, relevant, error_rate(odds - bias, truth), bias)

    # What it says of a page

    def confidence(self, page: Page) -> float:
        """That pages like this one are on relevant sites: the ln rule between the relevant classes and all others."""
        cosines = self._cosines(page)
        if not cosines.any():
            return 0.5
        return 1.0 / (1.0 + exp(self.bias - float(log_odds(nearest(cosines[None, :], self._sides, 2))[0])))

    def confidences(self, page: Page) -> dict[str, float]:
        """The share of each class; they sum to 1."""
        near = nearest(self._cosines(page)[None, :], self.class_of, len(self.classes))[0]
        return dict(zip(self.classes, shares(near).tolist(), strict=True))

    def corrected(self, confidence: float) -> float:
        """The confidence after the classifier's own error rate."""
        return corrected(confidence, self.p_err)

    def _cosines(self, page: Page) -> Floats:
        columns, values = self.space.cells(page.terms)
        return np.asarray(values @ self._by_word[columns], dtype=np.float64)

    # What a model file keeps

    def to_state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Arrays, and what JSON can hold."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "centroids": self.centroids,
            "class_of": self.class_of,
            "weights": self.space.weights,
        }
        header = {
            "words": list(self.space.words),
            "unseen": self.space.unseen,
            "classes": list(self.classes),
            "relevant": list(self.relevant),
            "p_err": self.p_err,
            "bias": self.bias,
        }
        return arrays, header

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], header: Mapping[str, Any]) -> PageClassifier:
        try:
            space = WordSpace(header["words"], arrays["weights"], float(header["unseen"]))
            classes, relevant = header["classes"], header["relevant"]
            p_err, bias = float(header["p_err"]), float(header["bias"])
            centroids, class_of = arrays["centroids"], arrays["class_of"]
            if centroids.shape != (len(class_of), len(space)) or len(space.weights) != len(space):
                raise ValueError("arrays of different sizes")
            return cls(space, centroids, class_of.tolist(), classes, relevant, p_err, bias)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(f"This is no model of a site classifier: {error}. Train it again.") from error


def nearest(cosines: npt.NDArray[np.floating[Any]], group_of: npt.NDArray[np.intp], groups: int) -> Floats:
    """Per row, the cosine distance to the nearest centroid of each group, inside (0, 1)."""
    best = np.zeros((len(cosines), groups))
    for group in range(groups):
        best[:, group] = cosines[:, group_of == group].max(axis=1, initial=0.0)
    return np.asarray(np.clip(1.0 - best, NEAREST, 1.0 - NEAREST))


def shares(distances: Floats) -> Floats:
    """`ln d_k / sum_j ln d_j`, along the last axis."""
    logs = np.log(distances)
    return np.asarray(logs / logs.sum(axis=-1, keepdims=True))


def log_odds(distances: Floats) -> Floats:
    """`ln(share / (1 - share))` of the first of two classes, which is `ln(ln d_0 / ln d_1)`."""
    logs = np.log(distances)
    return np.asarray(np.log(logs[:, 0] / logs[:, 1]))


def cross_checked(
    rows: Rows,
    labels: npt.NDArray[np.intp],
    page_folds: npt.NDArray[np.intp],
    wanted: Sequence[bool],
    clusters: int,
    random: Random,
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Log-odds and truth of training pages, each as said by what was learned from the sites of the other folds.

    Pages that say nothing are left out: they carry no weight in a site's posterior either.
    """
    odds: list[Floats] = []
    truth: list[npt.NDArray[np.bool_]] = []
    telling, is_wanted = rows.any(axis=1), np.asarray(wanted)
    for fold in range(FOLDS):
        test, rest = (page_folds == fold) & telling, page_folds != fold
        if not test.any() or len(np.unique(labels[rest & telling])) < len(wanted):
            continue
        centroids, class_of = class_centroids(rows[rest], labels[rest], len(wanted), clusters, random)
        sides = np.where(is_wanted[class_of], 0, 1)
        odds.append(log_odds(nearest(rows[test] @ centroids.T, sides, 2)))
        truth.append(is_wanted[labels[test]])
    if not odds:
        return np.zeros(0), np.zeros(0, dtype=np.bool_)
    return np.concatenate(odds), np.concatenate(truth)


def middle(odds: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """Half-way between the means of the two classes; 0 where one of them is absent. No page counts beyond e^5 to 1."""
    if truth.all() or not truth.any():
        return 0.0
    tame = np.clip(odds, -MOST_ODDS, MOST_ODDS)
    return float(tame[truth].mean() + tame[~truth].mean()) / 2


def error_rate(odds: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """1 - accuracy: the share of pages that were put on the wrong side."""
    return min(WORST, float(((odds > 0) != truth).mean())) if len(odds) else WORST
