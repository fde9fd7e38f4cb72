"""What tells relevant pages from ordinary ones, field by field, and from which mixture of it on a page is relevant.

    z_f(page) = w_f . x_f(page) + b_f                       logistic regression on the words of field f, tf-idf
    total     = sum over fields of  a_f (z_f - m_f) / s_f   m_f, s_f: mean and deviation over ordinary pages
    a_f       = mean of the relevant pages in that scale, over their variance; 0 to 3

    u = (1 - k) (total - ordinary) / (reference - ordinary) + k evidence / most evidence
    p = 1 / (1 + exp(-SLOPE (u - HALFWAY)))                 u: 0 for an ordinary page, 1 for one plainly on the topic

The weight a_f is that of a Gaussian naive Bayes with equal variances. It lets the examples say which fields tell
something on this web, and its bound keeps one field from deciding alone: all examples of one folder share its name.
The relevant pages enter it by scores of fits they were not part of, so that fields with many words, which can fit
anything, are not believed more.

The keywords keep a part k of their own, 0.3 without examples and less with each of them: what the best pages have
beside the keywords may be the mark of one site, and must not put off a page that says the words.

`reference` is the mean of the best three pages seen, or four fifths of the mean of the known relevant ones, whichever
is more. So a web that has nothing of the topic does not have its least bad pages called relevant; and where examples
come from another site than the crawl, the pages of this one set the scale.

`ordinary` is a mean over the sample of pages seen, each as much as it is not relevant, by its keywords at first and
then by the model itself in a few rounds: a crawl that does well has seen mostly relevant pages. A page with none of the
telling words is added a few times, for crawls that have hardly seen another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.relevance import kernel_logistic
from scenthound.learn.relevance.keyword_evidence import PLAINLY, KeywordEvidence
from scenthound.learn.relevance.page_rows import ADDRESS, FIELDS, FORM, PLACES, PageRow

HALFWAY = 0.45
SLOPE = 12.0
STRENGTH = {FORM: 3.0}
DEFAULT_STRENGTH = 30.0
MOST_OF_ONE_FIELD = 3.0
KEYWORDS_WEIGHT, KEYWORDS_TRUST = 2.0, 4.0
"""The weight of the keywords' evidence before there are examples to say it, and how many examples that is worth."""

SAID_PART, SAID_PAGES = 0.3, 5
FOLDS = 4
TOTAL_WEIGHT = 60.0
REFERENCE_PAGES = 3
REFERENCE_SHARE = 0.8
EMPTY_PAGES = 5.0
ROUNDS = 3
FARTHEST = 6.0
"""Deviations that relevant pages are at most away from ordinary ones, in one field: where no ordinary page has a title
with a telling word, a page that has one is no miracle yet."""

COMMON, COMMON_FORM = 0.6, 0.9
"""A word on more than this share of pages tells nothing; of addresses and forms there are few different ones."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class KnownPage(Struct, frozen=True):
    row: PageRow
    relevant: bool
    weight: float = 1.0


class FieldModel(Struct, frozen=True):
    """What one field says: the weight of each place, already times the idf that its word has in the length."""

    idf: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]
    offset: float
    middle: float = 0.0
    spread: float = 1.0
    share: float = 0.0  # a_f

    def score(self, row: PageRow, field: int) -> float:
        words = row.fields[field]
        values = words.values * self.idf[words.places]
        length = float(np.sqrt(values @ values))
        return self.offset + (float(values @ self.weights[words.places]) / length if length else 0.0)

    def part(self, row: PageRow, field: int) -> float:
        return self.share * (self.score(row, field) - self.middle) / self.spread if self.share else 0.0


class RelevanceModel(Struct, frozen=True):
    fields: tuple[FieldModel, ...]
    evidence: KeywordEvidence
    evidence_middle: float
    evidence_spread: float
    evidence_share: float
    ordinary: float
    reference: float
    held_out: dict[str, float]  # totals of known pages by fits without them, by URL
    said: float = 0.0  # the part of u that the keywords alone have
    most_said: float = 1.0  # the evidence of the pages that say most

    def __call__(self, row: PageRow) -> float:
        return probability(self.position(row))

    def position(self, row: PageRow) -> float:
        """u: 0 for an ordinary page, 1 for one that is plainly relevant."""
        total = self.held_out.get(row.url)
        learned = ((self.total(row) if total is None else total) - self.ordinary) / (self.reference - self.ordinary)
        return (1.0 - self.said) * learned + self.said * self.evidence(row) / self.most_said

    def total(self, row: PageRow) -> float:
        said = self.evidence_share * (self.evidence(row) - self.evidence_middle) / self.evidence_spread
        return said + sum(model.part(row, field) for field, model in enumerate(self.fields))


def probability(position: float) -> float:
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, SLOPE * (position - HALFWAY)))))


def _logistic(positions: Floats) -> Floats:
    """`probability` of many."""
    likely: Floats = 1.0 / (1.0 + np.exp(-np.clip(SLOPE * (positions - HALFWAY), -30.0, 30.0)))
    return likely


def fitted(
    known: Sequence[KnownPage], sample: Sequence[PageRow], evidence: KeywordEvidence, trust: float
) -> RelevanceModel | None:
    """The model of pages that are known and pages that were seen; None where both kinds of page cannot be told apart.

    `trust`: how many of the known relevant pages somebody vouched for; the others were taken for their keywords.
    """
    relevant = np.array([page.relevant for page in known], bool)
    if not relevant.any() or relevant.all():
        return None
    weights = _balanced(known, relevant)
    rows = [*(page.row for page in known), *sample]
    at = _places(known, sample)
    fits = [_fit_field(field, rows, relevant, weights) for field in range(len(FIELDS))]
    columns = [column for _, column in fits]
    said = np.array([evidence(row) for row in rows])
    return _mixed([model for model, _ in fits], columns, said, relevant, weights, at, rows, evidence, trust)


def _balanced(known: Sequence[KnownPage], relevant: Flags) -> Floats:
    """Weights of the known pages: as given within each kind, and both kinds together the same."""
    weights = np.array([page.weight for page in known])
    for side in (relevant, ~relevant):
        weights[side] *= 0.5 * TOTAL_WEIGHT / weights[side].sum()
    return weights


def _places(known: Sequence[KnownPage], sample: Sequence[PageRow]) -> npt.NDArray[np.intp]:
    """Where the pages of the sample are among all rows; known pages stand first, and only there."""
    first = {page.row.url: number for number, page in enumerate(known)}
    return np.array([first.get(row.url, len(known) + number) for number, row in enumerate(sample)], np.intp)


def _fit_field(field: int, rows: Sequence[PageRow], relevant: Flags, weights: Floats) -> tuple[FieldModel, Floats]:
    """The model of one field, and its score of every row; of the known ones, which stand first, by held-out fits."""
    lengths = [len(row.fields[field].places) for row in rows]
    number = np.repeat(np.arange(len(rows)), lengths)
    places = np.concatenate([row.fields[field].places for row in rows])
    idf = _idf(places, len(rows), COMMON_FORM if field in (ADDRESS, FORM) else COMMON)
    values = np.concatenate([row.fields[field].values for row in rows]) * idf[places]
    squares = np.bincount(number, values * values, len(rows))
    values = values / np.sqrt(np.maximum(squares, 1e-12))[number]

    known = len(relevant)
    few = number < known
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
    return FieldModel(idf, table, b), scores


def _honest(scores: Floats, products: Floats, relevant: Flags, weights: Floats, strength: float) -> Floats:
    """Scores of the known pages by fits without them; of a single one nobody can say, so half its score is taken."""
    folds = min(FOLDS, int(relevant.sum()), int((~relevant).sum()))
    if folds < 2:
        return scores / 2
    return kernel_logistic.held_out(products, relevant, weights, strength, folds)


def _idf(places: npt.NDArray[np.int32], pages: int, common: float) -> npt.NDArray[np.float32]:
    """log of pages over pages with the word; 0 for words on one page alone, and for those on most pages."""
    found = np.bincount(places, minlength=PLACES)
    tells = (found >= min(2, pages - 1)) & (found <= common * pages)
    return np.where(tells, np.log((pages + 1) / (found + 0.5)), 0.0).astype(np.float32)


def _mixed(
    models: Sequence[FieldModel],
    columns: Sequence[Floats],
    said: Floats,
    relevant: Flags,
    weights: Floats,
    at: npt.NDArray[np.intp],
    rows: Sequence[PageRow],
    evidence: KeywordEvidence,
    trust: float,
) -> RelevanceModel:
    """The fields put together. What is ordinary depends on what is relevant, so it takes a few rounds."""
    known = len(relevant)
    good = weights[:known] * relevant
    good = good / good.sum()
    if not len(at):
        at = np.flatnonzero(~relevant)
    unlike = 1.0 - _logistic(said[at] / PLAINLY)
    said_part = SAID_PART * KEYWORDS_TRUST / (trust + KEYWORDS_TRUST) if evidence else 0.0
    most_said = max(float(np.sort(said[at])[-SAID_PAGES:].mean()), PLAINLY)
    for _ in range(ROUNDS):
        background = np.append(unlike, EMPTY_PAGES)
        mixture = np.zeros(len(rows))
        fields = []
        for model, column in zip(models, columns, strict=True):
            middle, spread = _moments(np.append(column[at], model.offset), background)
            spread = max(spread, abs(float(column[:known] @ good) - middle) / FARTHEST)
            share = _share((column[:known] - middle) / spread, good)
            fields.append(FieldModel(model.idf, model.weights, model.offset, middle, spread, share))
            mixture += share * (column - middle) / spread
        middle, spread = _moments(np.append(said[at], 0.0), background)
        spread = max(spread, 0.05)
        share = _share((said[:known] - middle) / spread, good)
        share = (trust * share + KEYWORDS_TRUST * KEYWORDS_WEIGHT) / (trust + KEYWORDS_TRUST) if evidence else 0.0
        mixture += share * (said - middle) / spread
        ordinary = float(mixture[at] @ unlike / max(unlike.sum(), 1e-9))
        best = np.sort(mixture[at])[-REFERENCE_PAGES:]
        reference = max(float(best.mean()), ordinary + REFERENCE_SHARE * (float(mixture[:known] @ good) - ordinary))
        reference = max(reference, ordinary + 1e-6)
        learned = (mixture[at] - ordinary) / (reference - ordinary)
        unlike = 1.0 - _logistic((1.0 - said_part) * learned + said_part * said[at] / most_said)
    held_out = {rows[number].url: float(mixture[number]) for number in range(known)}
    return RelevanceModel(
        tuple(fields), evidence, middle, spread, share, ordinary, reference, held_out, said_part, most_said
    )


def _moments(values: Floats, weights: Floats) -> tuple[float, float]:
    middle = float(values @ weights / weights.sum())
    spread = float(np.sqrt((values - middle) ** 2 @ weights / weights.sum()))
    return middle, max(spread, 1e-6)


def _share(scaled: Floats, good: Floats) -> float:
    """a_f: how far relevant pages are from ordinary ones, for how much they differ among themselves."""
    mean = float(scaled @ good)
    variance = 0.5 * (max(float((scaled - mean) ** 2 @ good), 1.0) + 1.0)
    return min(max(0.0, mean) / variance, MOST_OF_ONE_FIELD)
