"""Experiments of the lab that were made, for whoever wants to see and compare them: figures, intervals, curves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from scenthound.errors import UsageError
from scenthound.lab.crawls.experiment import load_experiment
from scenthound.lab.crawls.results import LINES, ResultRow, read_rows
from scenthound.lab.measures.registry import measure
from scenthound.lab.report.summary import ExperimentSummary, summarise

PLAN = "experiment.toml"


class MeasuredMean(Struct, frozen=True):
    mean: float | None  # None: on no topic, or never reached
    low: float | None
    high: float | None
    topics: int
    better: bool | None = None  # than the baseline, beyond chance; None: no test, or not beyond it


class LabStrategy(Struct, frozen=True):
    name: str
    bound: bool  # an oracle, not a contestant
    baseline: bool
    figures: dict[str, MeasuredMean]  # by measure
    curves: dict[str, list[float | None]]


class LabExperiment(Struct, frozen=True):
    """An experiment as it stands."""

    name: str
    web: str
    topics: list[str]
    seeds: int
    budget: int
    crawls: int
    measures: dict[str, str]  # measure -> what it says, the leading one first
    shown: list[str]  # measures with curves
    positions: list[int]  # of the points of curves: pages or requests
    strategies: list[LabStrategy]  # best first


def is_experiment(folder: Path) -> bool:
    """Has the lab left results here?"""
    return (folder / PLAN).is_file() and (folder / LINES).is_file()


def read_experiment(folder: Path) -> LabExperiment:
    rows = list(read_rows(folder / LINES, ResultRow))
    if not rows:
        raise UsageError(f"{folder} has no results yet. Go on with it: scenthound lab {folder / PLAN} --into {folder}")
    return _told(folder.name, summarise(rows, load_experiment(folder / PLAN).baseline_label()))


def _told(name: str, summary: ExperimentSummary) -> LabExperiment:
    measured = [each for each in measure.all() if each.name in summary.estimates]
    measured.sort(key=lambda each: (each.name != summary.leading, each.name not in summary.shown))
    return LabExperiment(
        name=name,
        web=summary.web,
        topics=summary.topics,
        seeds=summary.seeds,
        budget=summary.budget,
        crawls=len(summary.rows),
        measures={each.name: each.doc for each in measured},
        shown=[each for each in summary.shown if each in summary.bands],
        positions=summary.positions,
        strategies=[_strategy(summary, label) for label in summary.strategies],
    )


def _strategy(summary: ExperimentSummary, label: str) -> LabStrategy:
    figures = {}
    for name in summary.estimates:
        found, against = summary.of(name, label), summary.comparisons.get(name, {}).get(label)
        better = None
        if against is not None and against.clear:
            better = (against.difference.mean > 0) is (measure.get(name).better == "higher")
        figures[name] = MeasuredMean(_plain(found.mean), _plain(found.low), _plain(found.high), found.n, better)
    curves = {name: _points(bands[label].mean) for name, bands in summary.bands.items() if label in bands}
    return LabStrategy(label, label in summary.bounds, label == summary.baseline, figures, curves)


def _points(values: Iterable[float]) -> list[float | None]:
    return [_plain(round(float(value), 4)) for value in values]


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None
