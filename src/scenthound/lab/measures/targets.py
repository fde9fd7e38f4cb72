"""Measures that know which pages were to be found.

The targets are a sample of all pages about the topic, so recall of targets stands for recall (Aastha 4.7.1):

    R(t) = |C(t) ∩ T| / |T|        C(t): the first t pages downloaded, T: the targets
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Curve, Evidence, Trace, held, ratio, running_mean

LEVELS = (0.5, 0.8, 0.9)
"""Shares of the targets for which `pages-to-...` tells how soon they were found."""


@measure("target-recall", unit="share", needs=("targets",), empty=0.0)
def target_recall(trace: Trace, evidence: Evidence) -> Curve:
    """Share of the targets among the pages downloaded so far."""
    if not evidence.targets:
        return np.full(len(trace.pages), np.nan)
    found: Curve = np.cumsum(_first_finds(trace, evidence)) / len(evidence.targets)
    return found


@measure("recall-area", unit="share", needs=("targets",), empty=0.0)
def recall_area(trace: Trace, evidence: Evidence) -> Curve:
    """Area under the recall curve: mean target recall over 1..budget pages.

    A crawl that ends early keeps its last recall up to the budget, so the curve is as long as the budget.
    """
    recall = target_recall(trace, evidence)
    return running_mean(held(recall, trace.budget or len(recall), start=0.0))


def pages_to(trace: Trace, evidence: Evidence, level: float) -> Curve:
    """How many pages were downloaded when the share `level` of the targets was found; infinite until then."""
    if not evidence.targets:
        return np.full(len(trace.pages), np.nan)
    # Counted in whole targets: a share of 0.9 times 10 targets must not become 9.000000000000002 of them.
    needed = math.ceil(round(level * len(evidence.targets), 9))
    reached = np.cumsum(_first_finds(trace, evidence)) >= needed
    return np.where(reached, np.argmax(reached) + 1.0 if reached.any() else np.inf, np.inf)


def _register_level(level: float) -> None:
    name = f"pages-to-{round(100 * level)}"
    doc = f"Pages downloaded until {round(100 * level)} % of the targets were found; infinite if they never were."

    @measure(name, unit="pages", better="lower", needs=("targets",), empty=math.inf, doc=doc)
    def pages_to_level(trace: Trace, evidence: Evidence) -> Curve:
        return pages_to(trace, evidence, level)


for _level in LEVELS:
    _register_level(_level)


@measure("target-length", unit="links", better="neither", needs=("targets",))
def target_length(trace: Trace, evidence: Evidence) -> Curve:
    """Mean distance from a seed, in links along the way taken, of the targets found (Aastha 4.7.1).

    Tells of tunnelling: a crawl that crosses irrelevant pages finds targets further away. Unknown before the first.
    """
    finds = _first_finds(trace, evidence)
    depths = np.array([request.depth for request in trace.pages], dtype=np.float64)
    return ratio(np.cumsum(depths * finds), np.cumsum(finds))


def _first_finds(trace: Trace, evidence: Evidence) -> NDArray[np.int64]:
    """1 where a target is downloaded for the first time, else 0."""
    waiting = set(evidence.targets or ())
    finds = np.zeros(len(trace.pages), dtype=np.int64)
    for index, request in enumerate(trace.pages):
        if request.url in waiting:
            waiting.remove(request.url)
            finds[index] = 1
    return finds
