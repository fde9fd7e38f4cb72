"""What a crawl spent: requests, bytes, CPU time by stage, and what was spent before it on training."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Curve, Evidence, Trace, held

STAGES = ("fetch", "parse", "judge", "rank", "store")


def _all_requests(trace: Trace, evidence: Evidence) -> float:
    return float(len(trace.spent))


def _all_bytes(trace: Trace, evidence: Evidence) -> float:
    return float(sum(request.bytes for request in trace.spent))


@measure("requests", unit="requests", better="lower", total=_all_requests)
def requests(trace: Trace, evidence: Evidence) -> Curve:
    """Requests made, the vain ones included: a missing page costs one."""
    return np.array(trace.page_positions(), dtype=np.float64) + 1


@measure("bytes", unit="bytes", better="lower", total=_all_bytes)
def bytes_received(trace: Trace, evidence: Evidence) -> Curve:
    """Bytes received, those of vain requests included."""
    received = np.cumsum([request.bytes for request in trace.requests], dtype=np.float64)
    return received[np.array(trace.page_positions(), dtype=np.intp)]


@measure("cpu", unit="ms/page", better="lower", needs=("seconds",))
def cpu(trace: Trace, evidence: Evidence) -> Curve:
    """CPU milliseconds a page, over all stages."""
    return _milliseconds_a_page(trace, tuple(trace.seconds))


def _register_stage(stage: str) -> None:
    doc = f"CPU milliseconds a page spent in the stage {stage}."

    @measure(f"cpu-{stage}", unit="ms/page", better="lower", needs=("seconds",), doc=doc)
    def cpu_of_stage(trace: Trace, evidence: Evidence) -> Curve:
        return _milliseconds_a_page(trace, (stage,))


for _stage in STAGES:
    _register_stage(_stage)


def _milliseconds_a_page(trace: Trace, stages: tuple[str, ...]) -> Curve:
    count = np.arange(1, len(trace.pages) + 1)
    total: NDArray[np.float64] = np.zeros(len(count))
    for stage in stages:
        total = total + _seconds_so_far(trace, stage, count)
    return 1000 * total / count


def _seconds_so_far(trace: Trace, stage: str, count: NDArray[np.int64]) -> Curve:
    """Seconds of a stage after each page. Of a total alone every page is taken to have cost the same."""
    seconds = np.array(trace.seconds.get(stage, ()), dtype=np.float64)
    if len(seconds) == 1 and len(count):
        downloaded = sum(request.ok for request in trace.requests)
        return np.asarray(seconds[0] * count / downloaded, dtype=np.float64)
    return held(seconds, len(count), start=np.nan)


@measure("training-seconds", unit="seconds", better="lower", needs=("training",))
def training_seconds(trace: Trace, evidence: Evidence) -> Curve:
    """CPU seconds it took to train the strategy, ahead of the crawl."""
    return np.full(len(trace.pages), float(trace.training["seconds"]))


@measure("training-pages", unit="pages", better="lower", needs=("training",))
def training_pages(trace: Trace, evidence: Evidence) -> Curve:
    """Pages the strategy was trained on. None of them counts as found."""
    return np.full(len(trace.pages), float(trace.training["pages"]))
