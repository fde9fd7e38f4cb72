"""An experiment of the lab: from a file or from words, and its figures as plain data."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec

from scenthound import registry
from scenthound.errors import UsageError
from scenthound.lab.crawls.experiment import Experiment, load_experiment
from scenthound.lab.entry_spelling import split_list
from scenthound.lab.report.summary import ExperimentSummary

HELP = ("keywords", "examples", "lessons")


def plan_experiment(path: Path | None, given: dict[str, Any]) -> Experiment:
    """The experiment a file describes, with what is given in the place of what it says; or one of what is given."""
    given = {key: value for key, value in given.items() if value is not None}
    if isinstance(strategies := given.get("strategies"), str):
        given["strategies"] = [name for entry in split_list(strategies) for name in _named(entry)]
    if given.get("budget", "pages") not in ("pages", "requests"):
        raise UsageError(f"--budget-counts is pages or requests, not {given['budget']!r}.")
    if given.get("given", "keywords") not in HELP:
        raise UsageError(f"--given is keywords, examples or lessons, one for all strategies; not {given['given']!r}.")
    if path is not None:
        return msgspec.structs.replace(load_experiment(path), **given)
    if not given.get("strategies"):
        raise UsageError(
            "Say what to compare: scenthound lab --generated 3000 --strategies breadth-first,best-first, "
            "or name an experiment's file."
        )
    return Experiment(**given)


def _named(entry: str) -> list[str]:
    """A strategy by its name; a file stands for the strategies in it, with its parameters, if there are any."""
    path, bracket, parameters = entry.partition("(")
    if not path.rstrip().endswith(".py"):
        return [entry]
    found = registry.strategy.load_file(Path(path.strip()).expanduser())
    return [f"{name}{bracket}{parameters}" for name in found]


def plain_figures(summary: ExperimentSummary) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "web": summary.web,
        "baseline": summary.baseline,
        "topics": summary.topics,
        "seeds": summary.seeds,
        "budget": summary.budget,
        "strategies": {
            strategy: {
                "bound": strategy in summary.bounds,
                "measures": {
                    name: plain(msgspec.to_builtins(summary.of(name, strategy)))
                    for name in summary.estimates
                    if summary.of(name, strategy).n
                },
                "against_baseline": {
                    name: plain(msgspec.to_builtins(table[strategy]))
                    for name, table in summary.comparisons.items()
                    if strategy in table
                },
            }
            for strategy in summary.strategies
        },
    }


def plain(value: Any) -> Any:
    """Without the numbers JSON does not know."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
