"""An experiment with judges: from a file or from words, and its figures as plain data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from scenthound.app.experiment import plain
from scenthound.errors import UsageError
from scenthound.lab.entry_spelling import split_list
from scenthound.lab.judges.judge_experiment import GIVEN, JudgeExperiment, load_judge_experiment
from scenthound.lab.report.judge_summary import GivenSummary, JudgeSummary
from scenthound.lab.web_plan import read_toml

ALSO = ("web", "generated", "web_seed", "topics", "only", "baseline")
"""Options that an experiment with judges has in common with one with strategies."""

OWN = ("judges", "answers")


def is_about_judges(path: Path | None, given: dict[str, Any]) -> bool:
    """Whether judges are to be measured rather than strategies."""
    if given.get("judges") is not None:
        return True
    if path is not None and given.get("strategies") is None and "judges" in read_toml(path):
        return True
    for name in OWN:
        if given.get(name) is not None:
            raise UsageError(f"--{name} goes with --judges: scenthound lab --judges auto,keywords --{name} ...")
    return False


def plan_judge_experiment(path: Path | None, given: dict[str, Any]) -> JudgeExperiment:
    """The experiment a file describes, with what is given in the place of what it says; or one of what is given."""
    given = {key: value for key, value in given.items() if value is not None}
    for key in given:
        if key not in (*ALSO, *OWN, "given"):
            option = {"budget": "budget-counts"}.get(key, key).replace("_", "-")
            raise UsageError(f"--{option} is about crawls. With --judges nothing is crawled: leave it out.")
    if isinstance(judges := given.get("judges"), str):
        given["judges"] = split_list(judges)
    if isinstance(known := given.get("given"), str):
        given["given"] = _given(known)
    return msgspec.structs.replace(load_judge_experiment(path), **given) if path else JudgeExperiment(**given)


def _given(text: str) -> list[str]:
    found = split_list(text)
    for each in found:
        if each not in GIVEN:
            raise UsageError(f"--given is {' or '.join(GIVEN)}, or both, separated by a comma; not {each!r}.")
    return found


def plain_judge_figures(summary: JudgeSummary) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "web": summary.web,
        "baseline": summary.baseline,
        "topics": summary.topics,
        "given": {
            part.given: {judge: _figures(summary, part, judge) for judge in part.judges} for part in summary.parts
        },
        "chosen_by_other_topics": {
            part.given: {"f1": plain(msgspec.to_builtins(part.chosen)), "choices": part.choices}
            for part in summary.parts
        },
    }


def _figures(summary: JudgeSummary, part: GivenSummary, judge: str) -> dict[str, Any]:
    return {
        "threshold": summary.thresholds[judge],
        "measures": {
            name: plain(msgspec.to_builtins(table[judge])) for name, table in part.estimates.items() if judge in table
        },
        "against_baseline": {
            name: plain(msgspec.to_builtins(table[judge])) for name, table in part.comparisons.items() if judge in table
        },
        "by_topic": {name: plain(table[judge]) for name, table in part.values.items() if judge in table},
        "reliability": [each._asdict() for each in part.reliability[judge]],
        "answers": {
            str(n): plain({"f1": msgspec.to_builtins(f1), "gain": msgspec.to_builtins(part.gains[judge][n])})
            for n, f1 in part.answers.get(judge, {}).items()
        },
    }
