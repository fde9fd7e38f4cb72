"""What one field of a page tells: the weight of each of its words, learned from known pages.

    z(page) = w . x(page) + b        x: 1 + log tf, times idf over the pages seen, brought to length 1

A word on one page alone, or on most of them, tells nothing. The weights are those of a logistic regression; the scores
of the known pages themselves come from fits that left them out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.relevance import kernel_logistic
from scenthound.learn.relevance.kernel_logistic import Flags, Floats
from scenthound.learn.relevance.page_rows import PageRow, Values
from scenthound.learn.relevance.page_words import ADDRESS, FORM
from scenthound.learn.relevance.word_places import PLACES, Places
from scenthound.learn.relevance.word_weights import FieldWeights

FOLDS = 4
STRENGTH = {FORM: 3.0}
DEFAULT_STRENGTH = 30.0
"""How closely the known pages are followed; between 3 and 300 it makes no difference to text."""

COMMON, COMMON_FORM = 0.6, 0.9
"""A word on more than this share of pages tells nothing; of addresses and forms there are few different ones."""


class FieldModel(Struct, frozen=True):
    """What one field says: the weight of each word that tells something, already times the idf that it has in the
    length."""

    words: FieldWeights
    offset: float
    middle: float = 0.0
    spread: float = 1.0
    share: float = 0.0  # a_f

    def part(self, values: Values, weights: Values) -> float:
        """`values`: of the page's words in this field, times their idf; `weights`: those of these words."""
        length = float(np.sqrt(values @ values))
        score = self.offset + (float(values @ weights) / length if length else 0.0)
        return self.share * (score - self.middle) / self.spread


def fit_field(field: int, rows: Sequence[PageRow], relevant: Flags, weights: Floats) -> tuple[FieldModel, Floats]:
    """The model of one field, and its score of every row; of the known ones, which stand first, by held-out fits."""
    lengths = [len(row.fields[field].places) for row in rows]
    number = np.repeat(np.arange(len(rows)), lengths)
    places = np.concatenate([row.fields[field].places for row in rows])
    telling, idf = _idf(places, len(rows), COMMON_FORM if field in (ADDRESS, FORM) else COMMON)
    values = np.concatenate([row.fields[field].values for row in rows]) * idf[places]
    squares = np.bincount(number, values * values, len(rows))
    values = values / np.sqrt(np.maximum(squares, 1e-12))[number]

    known = len(relevant)
    few = (number < known) & (values != 0)  # of the others no product comes
    columns, column = np.unique(places[few], return_inverse=True)
    matrix = np.zeros((known, len(columns)))
    matrix[number[few], column] = values[few]
    products = matrix @ matrix.T
    strength = STRENGTH.get(field, DEFAULT_STRENGTH)
    a, b = kernel_logistic.fit(products, relevant, weights, strength)
    table = np.zeros(PLACES, np.float32)
    table[columns] = matrix.T @ a
    scores: Floats = np.bincount(number, values * table[places], len(rows)).astype(float) + b
    scores[:known] = _honest(scores[:known], products, relevant, weights, strength)
    return FieldModel(FieldWeights(telling, idf[telling], table[telling]), b), scores


def _honest(scores: Floats, products: Floats, relevant: Flags, weights: Floats, strength: float) -> Floats:
    """Scores of the known pages by fits without them; of a single one nobody can say, so half its score is taken."""
    folds = min(FOLDS, int(relevant.sum()), int((~relevant).sum()))
    if folds < 2:
        return scores / 2
    return kernel_logistic.held_out(products, relevant, weights, strength, folds)


def _idf(places: Places, pages: int, common: float) -> tuple[Places, npt.NDArray[np.float32]]:
    """log of pages over pages with the word; 0 for words on one page alone, and for those on most pages. First the
    places of the others, which are few of all, and have all the weights."""
    found = np.bincount(places, minlength=PLACES)
    telling = np.flatnonzero(found >= min(2, pages - 1))
    telling = telling[found[telling] <= common * pages]
    idf = np.zeros(PLACES, np.float32)
    idf[telling] = np.log((pages + 1) / (found[telling] + 0.5))
    return telling.astype(np.int32), idf
