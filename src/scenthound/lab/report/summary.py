"""What the results of an experiment say: means with intervals, comparisons with the baseline, mean curves with bands.

Crawls that differ in their seed alone are averaged first, so that a topic is one observation however often it was
crawled; means, intervals and tests are over topics.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from scenthound.lab.crawls import results
from scenthound.lab.crawls.experiment import BOUNDS
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.measures.registry import Measure, measure
from scenthound.lab.measures.trace import Evidence, Request, Trace
from scenthound.lab.report.share_intervals import share, share_differences
from scenthound.lab.statistics import Band, Comparison, Estimate, bootstrap_band, compare, mean_with_interval

LEADING = ("recall-area", "harvest-rate", "harvest-ratio", "average-similarity", "own-relevance")
"""What strategies are ordered by: the first of these that was measured."""

SHOWN = ("recall-area", "target-recall", "harvest-rate")
"""What the leaderboard shows, where measured."""

SHARE = "share"
"""The unit of measures that lie between 0 and 1."""


class ExperimentSummary(Struct):
    """Everything a report tells. Values are by measure, strategy and topic, in that order."""

    web: str
    baseline: str
    strategies: list[str]  # best first
    bounds: list[str]  # those of them that are no contestants
    topics: list[str]
    seeds: int
    budget: int  # the largest of a topic
    leading: str
    shown: list[str]
    values: dict[str, dict[str, dict[str, float]]]
    estimates: dict[str, dict[str, Estimate]]
    comparisons: dict[str, dict[str, Comparison]]
    positions: list[int]
    bands: dict[str, dict[str, Band]]
    curves: dict[str, dict[str, dict[str, NDArray[np.float64]]]]
    rows: list[ResultRow]

    def never(self, name: str, strategy: str) -> bool:
        """Whether the strategy got there on no topic at all."""
        values = list(self.values.get(name, {}).get(strategy, {}).values())
        return bool(values) and all(map(math.isinf, values))

    def of(self, name: str, strategy: str) -> Estimate:
        return self.estimates.get(name, {}).get(strategy) or Estimate(math.nan, math.nan, math.nan, 0, 0)


def summarise(rows: Sequence[ResultRow], baseline: str) -> ExperimentSummary:
    """The rows must be of one experiment; `baseline` is a label among them, else the first there is takes its part."""
    rows = with_apr(rows, baseline)
    labels = list(dict.fromkeys(row.strategy for row in rows))
    baseline = baseline if baseline in labels else next((label for label in labels if label not in BOUNDS), labels[0])
    names = [each.name for each in measure.all() if any(row.final.get(each.name) is not None for row in rows)]
    values = {name: _by_strategy(rows, name) for name in names}
    leading = next((name for name in LEADING if name in values), names[0])
    estimates = {
        name: {label: _estimate(list(topics.values()), measure.get(name)) for label, topics in table.items()}
        for name, table in values.items()
    }
    order = sorted(labels, key=lambda label: -_known(estimates[leading][label].mean))
    shown = [name for name in SHOWN if name in values] or [leading]
    curves, positions = _curves(rows, [*shown, "average-similarity"])
    return ExperimentSummary(
        web=rows[0].web,
        baseline=baseline,
        strategies=order,
        bounds=[label for label in order if label in BOUNDS],
        topics=sorted({row.topic for row in rows}),
        seeds=len({row.seed for row in rows}),
        budget=max(row.budget for row in rows),
        leading=leading,
        shown=shown,
        values=values,
        estimates=estimates,
        comparisons={name: _compared(values[name], baseline, measure.get(name)) for name in names},
        positions=positions,
        bands={
            name: {label: bootstrap_band(np.array(list(topics.values()))) for label, topics in table.items()}
            for name, table in curves.items()
        },
        curves=curves,
        rows=list(rows),
    )


def with_apr(rows: Sequence[ResultRow], baseline: str) -> list[ResultRow]:
    """The rows with Liu's APR, which can only be told when the baseline's crawl of the same topic is there, too."""
    reference = {(row.topic, row.seed): row.likeness for row in rows if row.strategy == baseline}
    apr = measure.get("apr")
    found = []
    for row in rows:
        likeness = reference.get((row.topic, row.seed))
        if likeness and row.likeness:
            trace = Trace(tuple(Request("") for _ in row.likeness))
            evidence = Evidence(to_targets=np.array(row.likeness)[:, None], baseline=np.array(likeness))
            final = {**row.final, "apr": results.plain(apr.final(trace, evidence))}
            row = results.replaced(row, final)
        found.append(row)
    return found


def _known(value: float) -> float:
    return value if math.isfinite(value) else -math.inf


def _by_strategy(rows: Iterable[ResultRow], name: str) -> dict[str, dict[str, float]]:
    """Strategy -> topic -> mean over seeds. One seed that never got there makes the mean infinite: it is no mean."""
    gathered: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        gathered.setdefault(row.strategy, {}).setdefault(row.topic, []).append(row.number(name))
    return {
        strategy: {topic: float(np.mean(values)) for topic, values in topics.items()}
        for strategy, topics in gathered.items()
    }


def _estimate(values: Sequence[float], of: Measure) -> Estimate:
    found = mean_with_interval(values)
    return share(found) if of.unit == SHARE else found


def _compared(values: dict[str, dict[str, float]], baseline: str, of: Measure) -> dict[str, Comparison]:
    """Bounds are no contestants: they are not tested, and do not make Holm's correction stricter for the others."""
    contestants = {label: topics for label, topics in values.items() if label not in BOUNDS or label == baseline}
    found = compare(contestants, baseline, better=of.better) if baseline in contestants else {}
    return share_differences(found) if of.unit == SHARE else found


def _curves(
    rows: Sequence[ResultRow], names: Sequence[str]
) -> tuple[dict[str, dict[str, dict[str, NDArray[np.float64]]]], list[int]]:
    """Measure -> strategy -> topic -> mean curve over seeds. Budgets may differ: curves are then shares of theirs."""
    points = max((len(row.positions) for row in rows), default=0)
    gathered: dict[str, dict[str, dict[str, list[NDArray[np.float64]]]]] = {}
    for row in rows:
        for name in names:
            if row.curves.get(name):
                curve = np.array([math.nan if value is None else value for value in row.curves[name]])
                if len(curve) != points:
                    curve = curve[np.linspace(0, len(curve) - 1, points).round().astype(int)]
                table = gathered.setdefault(name, {})
                table.setdefault(row.strategy, {}).setdefault(row.topic, []).append(curve)
    longest = max(rows, key=lambda row: (len(row.positions), row.budget))
    means = {
        name: {
            strategy: {topic: np.mean(curves, axis=0) for topic, curves in topics.items()}
            for strategy, topics in table.items()
        }
        for name, table in gathered.items()
    }
    return means, longest.positions
