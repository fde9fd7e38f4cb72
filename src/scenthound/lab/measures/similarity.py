"""Measures by similarity to pages known to be relevant: those of Batsakis (4.2) and Liu (3.4, 7.1).

With cos(p, d) from vectors.py, S the pages downloaded so far, E the relevant examples and T the targets:

    harvest ratio                 |{p ∈ S : max_{d∈E} cos(p, d) > 0.75}| / |S|
    average similarity            mean_{p∈S} max_{d∈E} cos(p, d)
    precision at γ                |{p ∈ S : max_{d∈T} cos(p, d) >= γ}| / |S|
    maximum average similarity    max_{d∈T} mean_{p∈S} cos(p, d)        Liu's eq. 10, as printed
    mean maximum similarity       mean_{p∈S} max_{d∈T} cos(p, d)        what the text around eq. 10 describes
    APR                           mean_γ precision_γ / baseline's precision_γ        Liu's eq. 40
"""

from __future__ import annotations

import numpy as np

from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Curve, Evidence, Matrix, Trace, held, nearest, ratio, running_mean

HARVEST_THRESHOLD = 0.75
PRECISION_THRESHOLDS = (0.5, 0.6, 0.7, 0.8)


@measure("harvest-ratio", unit="share", needs=("to_examples",))
def harvest_ratio(trace: Trace, evidence: Evidence) -> Curve:
    """Share of the pages whose cosine to the nearest relevant example is above 0.75 (Batsakis 4.2)."""
    return running_mean(nearest(_rows(evidence.to_examples, trace)) > HARVEST_THRESHOLD)


@measure("average-similarity", unit="cosine", needs=("to_examples",))
def average_similarity(trace: Trace, evidence: Evidence) -> Curve:
    """Mean cosine of the pages to the relevant example nearest to each (Batsakis 4.2)."""
    return running_mean(nearest(_rows(evidence.to_examples, trace)))


def precision(nearest_target: Curve, threshold: float) -> Curve:
    """Share of the pages with a target at `threshold` or nearer."""
    return running_mean(nearest_target >= threshold)


def _register_precision(threshold: float) -> None:
    doc = f"Share of the pages whose cosine to the nearest target is {threshold} or more (Liu 3.4)."

    @measure(f"precision-{threshold}", unit="share", needs=("to_targets",), doc=doc)
    def precision_at(trace: Trace, evidence: Evidence) -> Curve:
        return precision(nearest(_rows(evidence.to_targets, trace)), threshold)


for _threshold in PRECISION_THRESHOLDS:
    _register_precision(_threshold)


@measure("maximum-average-similarity", unit="cosine", needs=("to_targets",))
def maximum_average_similarity(trace: Trace, evidence: Evidence) -> Curve:
    """Largest mean cosine of the pages to one and the same target (Liu's eq. 10 as printed)."""
    rows = _rows(evidence.to_targets, trace)
    means = np.cumsum(rows, axis=0, dtype=np.float64) / np.arange(1, len(rows) + 1)[:, None]
    return nearest(means)


@measure("mean-maximum-similarity", unit="cosine", needs=("to_targets",))
def mean_maximum_similarity(trace: Trace, evidence: Evidence) -> Curve:
    """Mean cosine of the pages to the target nearest to each (Liu's eq. 10 as its text describes it)."""
    return running_mean(nearest(_rows(evidence.to_targets, trace)))


@measure("apr", unit="ratio", needs=("to_targets", "baseline"))
def apr(trace: Trace, evidence: Evidence) -> Curve:
    """Average precision relative to the baseline crawl, over thresholds 0.5-0.8 (Liu's eq. 40).

    As the text around the equation has it, the ratio is taken at each threshold and then averaged. At a threshold
    where the baseline has found nothing there is no ratio: it is left out, and where none is left the APR is unknown.
    Liu's baseline, "BFS", is `best-first-targets`. A baseline that ended early keeps its last precision.
    """
    similarities = nearest(_rows(evidence.to_targets, trace))
    baseline = np.asarray(evidence.baseline, dtype=np.float64)
    ratios = np.array(
        [
            ratio(
                precision(similarities, threshold), held(precision(baseline, threshold), len(similarities), start=0.0)
            )
            for threshold in PRECISION_THRESHOLDS
        ]
    )
    return ratio(np.nansum(ratios, axis=0), np.isfinite(ratios).sum(axis=0))


def _rows(similarities: Matrix | None, trace: Trace) -> Matrix:
    """The rows of the trace's pages: one each, or whoever made the evidence confused two crawls."""
    assert similarities is not None, "evaluate() leaves out measures without evidence"
    if len(similarities) < len(trace.pages):
        raise ValueError(f"{len(trace.pages)} pages, but similarities of {len(similarities)}")
    return similarities[: len(trace.pages)]
