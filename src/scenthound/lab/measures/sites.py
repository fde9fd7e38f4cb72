"""Measures of crawlers and classifiers whose finds are websites (Ester 3.3, 4.2, 5.2).

A crawl for sites is a log of looks: page by page, whose site it is of, and whether that site was then held relevant
(`scenthound.sites.measures`, which has the formulas). As curves over the pages of a trace:

    pprs-rate             pages downloaded / relevant sites found     the effort a relevant site takes; lower is better
    website-harvest-rate  relevant sites found / sites looked at      how well the external crawler chooses

A site classifier is held against labelled sites: precision, recall and F, pages a site, each with an interval.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Curve, Evidence, Trace, ratio
from scenthound.lab.statistics import RESAMPLES, Estimate
from scenthound.sites.measures import Log, found_curve, pprs_curve

WINDOW = 5_000
"""Pages of the pprs-rate's window (Ester, Figure 7)."""


class SiteScores(Struct, frozen=True):
    """A site classifier against the truth, with intervals; `pages` is how many it needed a site."""

    precision: Estimate
    recall: Estimate
    f: Estimate
    pages: Estimate


# A crawl


@measure("pprs-rate", unit="pages/site", better="lower", needs=("looks",))
def pprs_rate(trace: Trace, evidence: Evidence) -> Curve:
    """Pages downloaded for each relevant website found so far (Ester 3.3)."""
    log = _log(trace, evidence)
    return ratio(np.arange(1, len(log) + 1), np.array(found_curve(log)[1:], dtype=np.float64))


@measure("pprs-rate-window", unit="pages/site", better="lower", needs=("looks",))
def pprs_rate_window(trace: Trace, evidence: Evidence) -> Curve:
    """Pages downloaded for each relevant website found, over the last 5,000 pages (Ester 5.3)."""
    return np.array(pprs_curve(_log(trace, evidence), WINDOW), dtype=np.float64)


@measure("website-harvest-rate", unit="share", needs=("looks",))
def website_harvest_rate(trace: Trace, evidence: Evidence) -> Curve:
    """Share of relevant websites found among the websites looked at so far (Ester 4.2)."""
    log = _log(trace, evidence)
    first = {look.site: place for place, look in reversed(list(enumerate(log)))}
    begun = np.zeros(len(log))
    begun[list(first.values())] = 1.0
    return ratio(np.array(found_curve(log)[1:], dtype=np.float64), np.cumsum(begun))


def _log(trace: Trace, evidence: Evidence) -> Log:
    assert evidence.looks is not None, "evaluate() leaves out measures without evidence"
    if len(evidence.looks) < len(trace.pages):
        raise ValueError(f"{len(trace.pages)} pages, but looks at {len(evidence.looks)}")
    return evidence.looks[: len(trace.pages)]


# A classifier


def precision_recall_f(truth: ArrayLike, said: ArrayLike) -> tuple[float, float, float]:
    """Of what was called relevant, how much is; of what is, how much was called so; their harmonic mean.

    Nothing called relevant has no precision (nan); nothing relevant has no recall. F is 0 where nothing was found.
    """
    is_so, called = np.asarray(truth, dtype=np.bool_), np.asarray(said, dtype=np.bool_)
    if is_so.shape != called.shape:
        raise ValueError(f"{is_so.shape} truths cannot be compared with {called.shape} verdicts")
    hits, calls, all_so = (float(cells.sum()) for cells in (is_so & called, called, is_so))
    return _quotient(hits, calls), _quotient(hits, all_so), _quotient(2 * hits, calls + all_so)


def scores(
    truth: Sequence[bool],
    said: Sequence[bool],
    pages: Sequence[int],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> SiteScores:
    """All figures of a classifier, with percentile bootstrap intervals: sites are drawn with replacement."""
    drawn = _draws(len(truth), resamples, seed)
    is_so, called = np.asarray(truth, dtype=np.float64), np.asarray(said, dtype=np.float64)
    hits, calls, all_so = drawn @ (is_so * called), drawn @ called, drawn @ is_so
    means = precision_recall_f(is_so, called)
    resampled = ratio(hits, calls), ratio(hits, all_so), ratio(2 * hits, calls + all_so)
    looked = np.asarray(pages, dtype=np.float64)
    of_pages = drawn @ looked / max(1, len(looked))
    mean_pages = float(looked.mean()) if len(looked) else np.nan
    precision, recall, f = (
        _estimate(mean, values, len(truth), level) for mean, values in zip(means, resampled, strict=True)
    )
    return SiteScores(precision, recall, f, _estimate(mean_pages, of_pages, len(truth), level))


def f_difference(
    truth: Sequence[bool],
    said: Sequence[bool],
    other: Sequence[bool],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> Estimate:
    """F of one classifier minus F of another on the same sites, with its paired bootstrap interval."""
    drawn = _draws(len(truth), resamples, seed)
    is_so = np.asarray(truth, dtype=np.float64)
    both = [np.asarray(calls, dtype=np.float64) for calls in (said, other)]
    f = [ratio(2 * (drawn @ (is_so * calls)), drawn @ (calls + is_so)) for calls in both]
    mean = precision_recall_f(truth, said)[2] - precision_recall_f(truth, other)[2]
    return _estimate(mean, f[0] - f[1], len(truth), level)


def _draws(sites: int, resamples: int, seed: int) -> NDArray[np.float64]:
    """How often each site is in each resample."""
    if not sites:
        return np.zeros((resamples, 0))
    return np.random.default_rng(seed).multinomial(sites, np.full(sites, 1 / sites), size=resamples).astype(np.float64)


def _estimate(mean: float, resampled: Curve, n: int, level: float) -> Estimate:
    known = resampled[np.isfinite(resampled)]
    if not len(known) or not np.isfinite(mean):
        return Estimate(mean, np.nan, np.nan, 0, n)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(float(mean), float(low), float(high), n, n)


def _quotient(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
