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

Labels of the crawl's own pages move HALFWAY: where pages near it turn out relevant, it goes down.

`ordinary` is a mean over the sample of pages seen, each as much as it is not relevant, by its keywords at first and
then by the model itself in a few rounds: a crawl that does well has seen mostly relevant pages. A page with none of the
telling words is added a few times, for crawls that have hardly seen another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from scenthound.learn.relevance.field_model import FieldModel, fit_field
from scenthound.learn.relevance.kernel_logistic import Flags, Floats
from scenthound.learn.relevance.keyword_evidence import PLAINLY, KeywordEvidence
from scenthound.learn.relevance.page_rows import PageRow
from scenthound.learn.relevance.page_words import FIELDS
from scenthound.learn.relevance.word_weights import WordWeights

HALFWAY = 0.45
SLOPE = 12.0
HALFWAY_SPREAD, HALFWAY_ROUNDS = 0.07, 10
"""How far labels may move it: the deviation it is thought to have among topics; and the rounds to find where to."""

CERTAIN = 1e-13
"""How far from 0 and 1 a probability is taken to be where a position is made of it."""

MOST_OF_ONE_FIELD = 3.0
KEYWORDS_WEIGHT, KEYWORDS_TRUST = 2.0, 4.0
"""The weight of the keywords' evidence before there are examples to say it, and how many examples that is worth."""

SAID_PART, SAID_PAGES = 0.3, 5
"""The part of u that the keywords keep for themselves, and how many pages say what the most evidence is."""

LEAST_SPREAD = 0.05
"""Of the evidence: on a web without the keywords its deviation is 0."""

TOTAL_WEIGHT = 60.0
REFERENCE_PAGES = 3
REFERENCE_SHARE = 0.8
EMPTY_PAGES = 5.0
ROUNDS = 3
FARTHEST = 6.0
"""Deviations that relevant pages are at most away from ordinary ones, in one field: where no ordinary page has a title
with a telling word, a page that has one is no miracle yet."""


class KnownPage(Struct, frozen=True):
    row: PageRow
    relevant: bool
    weight: float = 1.0
    labelled: bool = False  # a page of this crawl, about which somebody was asked


class RelevanceModel(Struct, frozen=True):
    fields: tuple[FieldModel, ...]
    words: WordWeights  # of all fields
    evidence: KeywordEvidence
    evidence_middle: float
    evidence_spread: float
    evidence_share: float
    ordinary: float
    reference: float
    held_out: dict[str, float]  # totals of known pages by fits without them, by URL
    said: float = 0.0  # the part of u that the keywords alone have
    most_said: float = 1.0  # the evidence of the pages that say most
    halfway: float = HALFWAY

    def __call__(self, row: PageRow) -> float:
        return probability(self.position(row), self.halfway)

    def position(self, row: PageRow) -> float:
        """u: 0 for an ordinary page, 1 for one that is plainly relevant."""
        said = self.evidence(row)
        total = self.held_out.get(row.url)
        learned = (self.total(row, said) if total is None else total) - self.ordinary
        return (1.0 - self.said) * learned / (self.reference - self.ordinary) + self.said * said / self.most_said

    def total(self, row: PageRow, said: float) -> float:
        """`said`: the page's evidence."""
        by_words = self.evidence_share * (said - self.evidence_middle) / self.evidence_spread
        idf, weights = self.words.at(row.places)
        values, end, parts = row.values * idf, 0, []
        for model, words in zip(self.fields, row.fields, strict=True):
            start, end = end, end + len(words.places)
            if model.share:
                parts.append(model.part(values[start:end], weights[start:end]))
        return by_words + sum(parts)


def probability(position: float, halfway: float = HALFWAY) -> float:
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, SLOPE * (position - halfway)))))


def position_of(probability: float) -> float:
    """Of which position that is the probability, where no label has moved HALFWAY."""
    p = min(max(probability, CERTAIN), 1.0 - CERTAIN)
    return HALFWAY + log(p / (1.0 - p)) / SLOPE


def _logistic(positions: Floats) -> Floats:
    """`probability` of many."""
    likely: Floats = 1.0 / (1.0 + np.exp(-np.clip(SLOPE * (positions - HALFWAY), -30.0, 30.0)))
    return likely


def fitted(
    known: Sequence[KnownPage], sample: Sequence[PageRow], evidence: KeywordEvidence, vouched: int
) -> RelevanceModel | None:
    """The model of pages that are known and pages that were seen; None where both kinds of page cannot be told apart.

    `vouched`: how many of the known relevant pages somebody spoke for; the others were taken for their keywords.
    """
    relevant = np.array([page.relevant for page in known], bool)
    if not relevant.any() or relevant.all():
        return None
    weights = _balanced(known, relevant)
    rows = [*(page.row for page in known), *sample]
    fits = [fit_field(field, rows, relevant, weights) for field in range(len(FIELDS))]
    scores = _Scores(
        fields=[column for _, column in fits],
        said=np.array(evidence.of_all(rows)),
        good=weights * relevant / weights[relevant].sum(),
        seen=_places(known, sample) if sample else np.flatnonzero(~relevant),
    )
    found = _mixed([model for model, _ in fits], scores, evidence, vouched, [page.row.url for page in known])
    return replace(found, halfway=_halfway(found, [page for page in known if page.labelled]))


class _Scores(Struct, frozen=True):
    """What is known of all rows, the known pages first."""

    fields: list[Floats]  # z of each field
    said: Floats  # evidence of the keywords
    good: Floats  # of each known page, its share among the relevant ones
    seen: npt.NDArray[np.intp]  # the rows that are the sample


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


def _mixed(
    models: Sequence[FieldModel], scores: _Scores, evidence: KeywordEvidence, vouched: int, known: Sequence[str]
) -> RelevanceModel:
    """The fields put together. What is ordinary depends on what is relevant, so it takes a few rounds."""
    seen, good = scores.seen, scores.good
    trust = KEYWORDS_TRUST / (vouched + KEYWORDS_TRUST) if evidence else 0.0
    said, most_said = SAID_PART * trust, max(float(np.sort(scores.said[seen])[-SAID_PAGES:].mean()), PLAINLY)
    unlike = 1.0 - _logistic(scores.said[seen] / PLAINLY)
    for _ in range(ROUNDS):
        fields = [_placed(model, column, unlike, scores) for model, column in zip(models, scores.fields, strict=True)]
        middle, spread = _moments(np.append(scores.said[seen], 0.0), np.append(unlike, EMPTY_PAGES))
        spread = max(spread, LEAST_SPREAD)
        share = _share((scores.said[: len(good)] - middle) / spread, good)
        share = (1.0 - trust) * share + trust * KEYWORDS_WEIGHT if evidence else 0.0
        totals = share * (scores.said - middle) / spread
        for model, column in zip(fields, scores.fields, strict=True):
            totals += model.share * (column - model.middle) / model.spread
        ordinary = float(totals[seen] @ unlike / max(unlike.sum(), 1e-9))
        reference = _reference(totals, ordinary, scores)
        positions = (1.0 - said) * (totals[seen] - ordinary) / (reference - ordinary)
        unlike = 1.0 - _logistic(positions + said * scores.said[seen] / most_said)
    held_out = dict(zip(known, map(float, totals), strict=False))
    words = WordWeights.of([model.words for model in fields])
    return RelevanceModel(
        tuple(fields), words, evidence, middle, spread, share, ordinary, reference, held_out, said, most_said
    )


def _placed(model: FieldModel, column: Floats, unlike: Floats, scores: _Scores) -> FieldModel:
    """A field on the scale of ordinary pages, with its share in the whole."""
    of_known = column[: len(scores.good)]
    background = np.append(unlike, EMPTY_PAGES)
    middle, spread = _moments(np.append(column[scores.seen], model.offset), background)
    spread = max(spread, abs(float(of_known @ scores.good) - middle) / FARTHEST)
    share = _share((of_known - middle) / spread, scores.good)
    return replace(model, middle=middle, spread=spread, share=share)


def _reference(totals: Floats, ordinary: float, scores: _Scores) -> float:
    """The total of a page that is plainly relevant."""
    best = float(np.sort(totals[scores.seen])[-REFERENCE_PAGES:].mean())
    of_known = float(totals[: len(scores.good)] @ scores.good)
    return max(best, ordinary + REFERENCE_SHARE * (of_known - ordinary), ordinary + 1e-6)


def _halfway(model: RelevanceModel, labelled: Sequence[KnownPage]) -> float:
    """Where pages of this crawl become relevant, as far as labels of them say so: the likeliest place, near HALFWAY.

    Labels are asked for by how doubtful a page is, not by what it is, so among pages of one position they are as often
    yes as pages there are relevant. That does not hold of examples, which were chosen for what they are.
    """
    positions = np.array([model.position(page.row) for page in labelled])
    relevant = np.array([page.relevant for page in labelled], float)
    halfway = HALFWAY
    for _ in range(HALFWAY_ROUNDS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(SLOPE * (positions - halfway), -30.0, 30.0)))
        slope = SLOPE * float((relevant - likely).sum()) + (halfway - HALFWAY) / HALFWAY_SPREAD**2
        bend = SLOPE**2 * float((likely * (1.0 - likely)).sum()) + 1.0 / HALFWAY_SPREAD**2
        halfway -= max(-0.1, min(0.1, slope / bend))
    return halfway


def _moments(values: Floats, weights: Floats) -> tuple[float, float]:
    middle = float(values @ weights / weights.sum())
    spread = float(np.sqrt((values - middle) ** 2 @ weights / weights.sum()))
    return middle, max(spread, 1e-6)


def _share(scaled: Floats, good: Floats) -> float:
    """a_f: how far relevant pages are from ordinary ones, for how much they differ among themselves."""
    mean = float(scaled @ good)
    variance = 0.5 * (max(float((scaled - mean) ** 2 @ good), 1.0) + 1.0)
    return min(max(0.0, mean) / variance, MOST_OF_ONE_FIELD)
