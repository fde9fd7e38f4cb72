"""Harvest rate: the running share of pages that somebody calls relevant. It matters who."""

from __future__ import annotations

import numpy as np

from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Curve, Evidence, Trace, running_mean


@measure("harvest-rate", unit="share", needs=("verdicts",))
def harvest_rate(trace: Trace, evidence: Evidence) -> Curve:
    """Share of the pages that a classifier trained apart from the crawl calls relevant (Aastha 4.7.1)."""
    assert evidence.verdicts is not None, "evaluate() leaves out measures without evidence"
    if len(evidence.verdicts) < len(trace.pages):
        raise ValueError(f"{len(trace.pages)} pages, but verdicts on {len(evidence.verdicts)}")
    return running_mean(evidence.verdicts[: len(trace.pages)])


@measure("informed-harvest-rate", unit="share", needs=("informed",))
def informed_harvest_rate(trace: Trace, evidence: Evidence) -> Curve:
    """Share of the pages that a classifier which knows the entire relevant set calls relevant (Aastha 4.7.1)."""
    assert evidence.informed is not None, "evaluate() leaves out measures without evidence"
    if len(evidence.informed) < len(trace.pages):
        raise ValueError(f"{len(trace.pages)} pages, but verdicts on {len(evidence.informed)}")
    return running_mean(evidence.informed[: len(trace.pages)])


@measure("own-relevance", unit="score", better="neither")
def own_relevance(trace: Trace, evidence: Evidence) -> Curve:
    """Mean relevance the crawl's own judge gave: what the crawl believed, and no measure of success."""
    return running_mean(np.array([request.relevance for request in trace.pages], dtype=np.float64))
