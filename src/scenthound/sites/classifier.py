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
from scenthound.sites.centroids import Floats, class_centroids, log_odds, nearest, shares
from scenthound.sites.folds import fold_numbers
from scenthound.sites.held_back import HeldBack, cross_checked
from scenthound.sites.posterior import corrected
from scenthound.sites.word_space import WordSpace

Site = Sequence[Page]

RELEVANT = "relevant"
OTHER = "other"

CLUSTERS = 8


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
        return cls.train_classes(classes, clusters=clusters, random=random, idf=idf, balanced=balanced)[0]

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
    ) -> tuple[PageClassifier, HeldBack]:
        """As `train`, for any number of classes of which those in `relevant` are sought.

        Also returned is what was said of the training pages by what the other sites taught, class by class.
        """
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
        odds = cross_checked(rows, labels, page_folds, wanted, clusters, random)
        site_numbers = np.repeat(np.arange(len(sites)), [len(site) for site, _ in sites])
        held_back = HeldBack(odds, np.asarray(wanted)[labels], site_numbers)
        bias, p_err = held_back.balance() if balanced else (0.0, held_back.error_rate())
        centroids, class_of = class_centroids(rows, labels, len(names), clusters, random)
        return cls(space, centroids, class_of.tolist(), names, relevant, p_err, bias), held_back

    def without_balance(self, held_back: HeldBack) -> PageClassifier:
        """The same classes by the document's own rule, as `balanced=False` learns them."""
        centroids, class_of = self.centroids, self.class_of.tolist()
        return PageClassifier(self.space, centroids, class_of, self.classes, self.relevant, held_back.error_rate())

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
