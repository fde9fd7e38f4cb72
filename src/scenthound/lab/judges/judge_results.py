"""Results of an experiment with judges: a line for each trial, as `crawls/results.py` has a line for each crawl.

    FOLDER/experiment.toml     what was asked
    FOLDER/judges.jsonl        a JSON object a trial: web, topic, judge, what was given, all figures
    FOLDER/report.html, report.md

A row a topic: means over other topics, or with one web left out, are a matter of picking rows.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, field
from xxhash import xxh3_64_hexdigest

from scenthound import registry
from scenthound.config import Config
from scenthound.lab.code_digest import code_digest
from scenthound.lab.crawls.results import STORING, whole
from scenthound.lab.crawls.results import UNUSED as CRAWL_UNUSED
from scenthound.lab.judges.judge_experiment import Given, Trial
from scenthound.lab.judges.simulated_answers import AnswerPoint
from scenthound.lab.measures.judgements import ReliabilityBin

LINES = "judges.jsonl"
MEASURES = "scenthound.lab.measures.judgements"

UNUSED = (
    *(place for place in CRAWL_UNUSED if place not in ("lab/measures/judgements.py", "crawler/examples.py")), *STORING,
    "frontier/", "library/", "crawler/engine.py", "crawler/answer_digest.py", "lab/crawls/runner.py",
    "lab/crawls/evidence.py", "lab/crawls/web_statistics.py", "lab/crawls/lessons.py", "strategies/",
)  # fmt: skip
"""In reach of a trial, but never called."""


class JudgeRow(Struct, frozen=True):
    """One trial."""

    key: str
    web: str
    topic: str
    judge: str  # label: name and parameters
    name: str
    params: dict[str, Any]
    given: Given
    threshold: float
    pages: int
    relevant: int
    figures: dict[str, float | None]
    reliability: list[ReliabilityBin]
    answers: list[AnswerPoint]
    settings: dict[str, Any]
    web_identity: str
    software: dict[str, str] = field(default_factory=dict)
    machine: dict[str, str | int | None] = field(default_factory=dict)
    code: str = ""
    at: str = ""

    def number(self, measure: str) -> float:
        """A figure; nan where it was not measured."""
        value = self.figures.get(measure)
        return math.nan if value is None else value


def trial_key(trial: Trial, settings: Config, web_identity: str, answers: int) -> str:
    """The same for the same trial, and for no other."""
    judge = [trial.judge.name, trial.judge.params]
    facts = [web_identity, judge, whole(trial.topic), trial.given, whole(settings), answers, code_of(trial.judge.name)]
    return xxh3_64_hexdigest(msgspec.json.encode(facts, order="deterministic"))


@cache
def code_of(judge: str) -> str:
    """A digest of the code that makes such a trial and measures it, and of no other judge."""
    return code_digest(trial_roots(judge), UNUSED)


def trial_roots(judge: str) -> tuple[str, ...]:
    return ("scenthound.lab.judges.judge_runner", MEASURES, registry.judge.get(judge).__module__)
