"""Page classifiers that scikit-learn trains and we apply: linear SVM, small neural net, decision tree.

All see a page as its tf-idf vector, scaled to length 1. What training leaves behind is copied into plain arrays and
applied here, because scikit-learn takes a millisecond to be asked about one page, and a crawl asks about every one.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from scenthound.errors import ConfigError
from scenthound.learn.pages.calibration import PageModel, Train
from scenthound.learn.pages.naive_bayes import NaiveBayes, Terms
from scenthound.protocols.crawl import Idf

Kind = Literal["bayes", "svm", "net", "tree"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HIDDEN = 8  # units of the neural net
MOST_TERMS = 3000  # kept are those of most pages: what one page alone says teaches nothing
SMALLEST_LEAF = 2  # pages

Floats = npt.NDArray[np.float64]
Cells = tuple[list[int], list[float]]
"""The terms of a page that are in the vocabulary: columns, and weights beside them."""


class WordIndex:
    """Term -> column, and pages as rows of length 1."""

    def __init__(self, pages: Sequence[Terms], idf: Idf) -> None:
        self._idf = idf
        holding = Counter(term for terms in pages for term in terms)
        telling = sorted(holding, key=lambda term: (-holding[term], term))[:MOST_TERMS]
        self._column = {term: n for n, term in enumerate(telling)}

    def row(self, terms: Terms) -> Cells:
        """The length is that of the whole page: words that are unknown still take their share."""
        idf, column = self._idf, self._column
        columns: list[int] = []
        weights: list[float] = []
        squares = 0.0
        for term, n in terms.items():
            weight = n * idf(term)
            squares += weight * weight
            if term in column:
                columns.append(column[term])
                weights.append(weight)
        length = sqrt(squares)
        return (columns, [weight / length for weight in weights]) if length else ([], [])

    def matrix(self, pages: Sequence[Terms]) -> Any:
        from scipy.sparse import csr_matrix

        rows = [self.row(terms) for terms in pages]
        starts = np.cumsum([0, *(len(columns) for columns, _ in rows)])
        columns = [column for row, _ in rows for column in row]
        weights = [weight for _, row in rows for weight in row]
        return csr_matrix((weights, columns, starts), shape=(len(pages), len(self._column)), dtype=np.float64)


class LinearModel:
    """score = w . x + b"""

    def __init__(self, vocabulary: WordIndex, weights: Floats, bias: float) -> None:
        self.vocabulary = vocabulary
        self._weights = weights
        self._bias = bias

    def score(self, terms: Terms) -> float:
        columns, values = self.vocabulary.row(terms)
        return float(self._weights[columns] @ np.array(values)) + self._bias


class NetModel:
    """score = v . tanh(W x + b) + c"""

    def __init__(self, vocabulary: WordIndex, weights: Sequence[Floats], biases: Sequence[Floats]) -> None:
        self.vocabulary = vocabulary
        self._first, self._second = weights
        self._first_bias, self._second_bias = biases

    def score(self, terms: Terms) -> float:
        columns, values = self.vocabulary.row(terms)
        hidden = np.tanh(np.array(values) @ self._first[columns] + self._first_bias)
        return float((hidden @ self._second + self._second_bias)[0])


class TreeModel:
    """score = log odds of the leaf a page falls into, one page of each kind added to it (Laplace)."""

    def __init__(self, vocabulary: WordIndex, tree: Any) -> None:
        self.vocabulary = vocabulary
        self._left, self._right = tree.children_left.tolist(), tree.children_right.tolist()
        self._term, self._limit = tree.feature.tolist(), tree.threshold.tolist()
        pages = tree.weighted_n_node_samples
        self._odds = [
            log((share * n + 1) / ((1 - share) * n + 1)) for share, n in zip(tree.value[:, 0, 1], pages, strict=True)
        ]

    def score(self, terms: Terms) -> float:
        columns, values = self.vocabulary.row(terms)
        row = dict(zip(columns, np.array(values, dtype=np.float32).tolist(), strict=True))  # trees are cut in float32
        node = 0
        while self._left[node] >= 0:
            below = row.get(self._term[node], 0.0) <= self._limit[node]
            node = self._left[node] if below else self._right[node]
        return self._odds[node]


def trainer(kind: Kind, idf: Idf, seed: int) -> Train:
    """What trains a model of that kind from relevant and irrelevant pages."""
    if kind == "bayes":
        return NaiveBayes
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            f'The classifier model "{kind}" needs scikit-learn: install scenthound[learn], or use model = "bayes".'
        ) from error

    def train(relevant: Sequence[Terms], irrelevant: Sequence[Terms]) -> PageModel:
        pages = [*relevant, *irrelevant]
        vocabulary = WordIndex(pages, idf)
        labels = np.array([1] * len(relevant) + [0] * len(irrelevant))
        return _TRAINERS[kind](vocabulary, vocabulary.matrix(pages), labels, seed)

    return train


def _svm(vocabulary: WordIndex, rows: Any, labels: npt.NDArray[np.int_], seed: int) -> PageModel:
    from sklearn.svm import LinearSVC

    svm = LinearSVC(class_weight="balanced", random_state=seed, max_iter=5000).fit(rows, labels)
    return LinearModel(vocabulary, svm.coef_[0], float(svm.intercept_[0]))


def _net(vocabulary: WordIndex, rows: Any, labels: npt.NDArray[np.int_], seed: int) -> PageModel:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier
    from threadpoolctl import threadpool_limits

    net = MLPClassifier((HIDDEN,), activation="tanh", solver="lbfgs", alpha=0.01, max_iter=50, random_state=seed)
    with threadpool_limits(1), warnings.catch_warnings():  # threads cost more than so small a net is worth
        warnings.simplefilter("ignore", ConvergenceWarning)  # stopping early is part of the plan: it keeps it general
        net.fit(rows, labels)
    return NetModel(vocabulary, net.coefs_, net.intercepts_)


def _tree(vocabulary: WordIndex, rows: Any, labels: npt.NDArray[np.int_], seed: int) -> PageModel:
    from sklearn.tree import DecisionTreeClassifier

    smallest = min(SMALLEST_LEAF, max(1, len(labels) // 4))
    tree = DecisionTreeClassifier(min_samples_leaf=smallest, random_state=seed).fit(rows, labels)
    return TreeModel(vocabulary, tree.tree_)


_TRAINERS = {"svm": _svm, "net": _net, "tree": _tree}
