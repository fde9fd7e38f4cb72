"""How good a judge is: what it said of many pages, held against the truth.

`truth[i]` says whether page i is relevant, `scores[i]` what the judge said of it, 0..1. All figures are of one topic.

| figure | what it asks |
|---|---|
| precision, recall, F1 | what is kept at the judge's own threshold |
| best F1, average precision, AUC | whether relevant pages come before the others, wherever the threshold |
| calibration error, Brier score | whether 0.7 means that seven pages of ten are relevant |

Pages with equal scores cannot be told apart, so no figure depends on their order. What cannot be said, as the recall of
nothing, is nan.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Truth = NDArray[np.bool_]
Scores = NDArray[np.float64]

BINS = 15
"""Of a reliability diagram (Guo et al. 2017)."""


class JudgeMeasure(NamedTuple):
    better: Literal["higher", "lower", "neither"]
    doc: str


MEASURES = {
    "f1": JudgeMeasure("higher", "Harmonic mean of precision and recall at the judge's own threshold."),
    "precision": JudgeMeasure("higher", "Share of the pages kept that are relevant."),
    "recall": JudgeMeasure("higher", "Share of the relevant pages that are kept."),
    "best-f1": JudgeMeasure("higher", "F1 at the threshold that, knowing the truth, is best for the topic."),
    "average-precision": JudgeMeasure("higher", "Mean precision over the places at which relevant pages stand."),
    "auc": JudgeMeasure("higher", "Chance that a relevant page scores higher than an irrelevant one."),
    "calibration-error": JudgeMeasure("lower", f"Mean gap between score and truth, over {BINS} bins of equal width."),
    "adaptive-calibration-error": JudgeMeasure("lower", f"The same over {BINS} bins of equally many pages."),
    "brier": JudgeMeasure("lower", "Mean squared distance of score and truth."),
    "kept": JudgeMeasure("neither", "Share of all pages that are kept."),
    "ms-a-page": JudgeMeasure("lower", "CPU milliseconds to judge a page that is parsed. Differs by machine."),
    "fit-seconds": JudgeMeasure("lower", "CPU seconds to begin and to hear of the pages. Differs by machine."),
}
"""Every figure of a judge; the last two are timed by whoever lets it judge."""


class ReliabilityBin(NamedTuple):
    """Pages of similar score: how many, what was said of them on average, and how many of them are relevant."""

    score: float
    relevant: float
    pages: int


def figures(truth: Truth, scores: Scores, threshold: float) -> dict[str, float]:
    """All figures of one topic that need no clock."""
    kept = scores >= threshold
    precision, recall, f1 = _kept_well(truth, kept)
    return {
        "f1": f1,
        "precision": precision,
        "recall": recall,
        "best-f1": best_f1(truth, scores),
        "average-precision": average_precision(truth, scores),
        "auc": auc(truth, scores),
        "calibration-error": calibration_error(reliability(truth, scores)),
        "adaptive-calibration-error": calibration_error(reliability(truth, scores, adaptive=True)),
        "brier": brier(truth, scores),
        "kept": float(kept.mean()) if len(kept) else math.nan,
    }


def f1_at(truth: Truth, scores: Scores, threshold: float) -> float:
    return _kept_well(truth, scores >= threshold)[2]


def _kept_well(truth: Truth, kept: Truth) -> tuple[float, float, float]:
    """Precision, recall, F1. Who keeps nothing has a precision of 0, as nothing it kept was relevant."""
    both, said, true = int((kept & truth).sum()), int(kept.sum()), int(truth.sum())
    if not true:
        return (math.nan, math.nan, math.nan)
    return (both / said if said else 0.0, both / true, 2 * both / (said + true))


def best_f1(truth: Truth, scores: Scores) -> float:
    """Highest F1 over all thresholds."""
    if not truth.any():
        return math.nan
    both, said = _by_threshold(truth, scores)
    return float((2 * both / (said + truth.sum())).max())


def average_precision(truth: Truth, scores: Scores) -> float:
    """Sum over thresholds of precision * what is gained in recall."""
    if not truth.any():
        return math.nan
    both, said = _by_threshold(truth, scores)
    return float((np.diff(both, prepend=0) * both / said).sum() / truth.sum())


def _by_threshold(truth: Truth, scores: Scores) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each score as a threshold, from the highest down: how many relevant pages are kept, and how many in all."""
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(order) - 1)
    return np.cumsum(truth[order])[ends], ends + 1


def auc(truth: Truth, scores: Scores) -> float:
    """Area under the ROC curve, as the Mann-Whitney statistic; equal scores count half."""
    relevant = int(truth.sum())
    others = len(truth) - relevant
    if not relevant or not others:
        return math.nan
    above = float(_middle_ranks(scores)[truth].sum()) - relevant * (relevant + 1) / 2
    return above / (relevant * others)


def _middle_ranks(scores: Scores) -> Scores:
    """1 for the lowest; equal scores share the middle of their ranks."""
    _, group, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    middles = np.cumsum(sizes) - (sizes - 1) / 2
    return np.asarray(middles[group], dtype=np.float64)


def reliability(truth: Truth, scores: Scores, *, adaptive: bool = False, bins: int = BINS) -> list[ReliabilityBin]:
    """The reliability diagram: bins of equal width or, adaptive, of equally many pages as far as ties allow."""
    if not len(scores):
        return []
    places = (_middle_ranks(scores) - 0.5) / len(scores) if adaptive else scores
    number = np.clip((places * bins).astype(np.int64), 0, bins - 1)
    pages = np.bincount(number, minlength=bins)
    said = np.bincount(number, weights=scores, minlength=bins)
    true = np.bincount(number, weights=truth, minlength=bins)
    return [
        ReliabilityBin(float(said[each] / pages[each]), float(true[each] / pages[each]), int(pages[each]))
        for each in np.flatnonzero(pages)
    ]


def calibration_error(diagram: list[ReliabilityBin]) -> float:
    """Expected calibration error: the mean gap between what was said and what was true, over pages."""
    pages = sum(each.pages for each in diagram)
    if not pages:
        return math.nan
    return sum(each.pages * abs(each.score - each.relevant) for each in diagram) / pages


def brier(truth: Truth, scores: Scores) -> float:
    return float(((scores - truth) ** 2).mean()) if len(scores) else math.nan
