"""Experiments with judges from plan to report, on a web of a dozen pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound import registry
from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.judges.judge_experiment import load_judge_experiment
from scenthound.lab.judges.judge_results import JudgeRow
from scenthound.lab.run_judges import run_judges, write_judge_reports
from scenthound.model import Page
from tests.lab.judges.small_trial import write_trial


class Counting(ExperimentWatch):
    def __init__(self, stop_after: int = 1000) -> None:
        self.total = self.there = self.done = 0
        self.stop_after = stop_after

    def begin(self, total: int, there: int) -> None:
        self.total, self.there = total, there

    def ended(self, topic: str | None) -> None:
        self.done += 1
        if self.done == self.stop_after:
            raise KeyboardInterrupt


def figures(rows: list[JudgeRow]) -> dict[tuple[str, str, str], dict[str, float | None]]:
    timed = ("ms-a-page", "fit-seconds")
    return {
        (row.judge, row.topic, row.given): {name: each for name, each in row.figures.items() if name not in timed}
        for row in rows
    }


def test_an_interrupted_experiment_goes_on_where_it_stopped(tmp_path: Path) -> None:
    plan = write_trial(tmp_path, judges=["keywords", "topic-vector"])
    folder = tmp_path / "lab"
    with pytest.raises(KeyboardInterrupt):
        run_judges(plan, folder, watch=Counting(stop_after=3))
    watch = Counting()
    outcome = run_judges(plan, folder, watch=watch)
    assert (watch.total, watch.there, watch.done) == (8, 3, 5)
    assert (len(outcome.rows), outcome.made, outcome.failures) == (8, 5, [])
    again = run_judges(plan, folder)
    assert (again.made, again.rows) == (0, outcome.rows)
    fresh = run_judges(plan, folder, fresh=True)
    assert fresh.made == 8
    assert figures(fresh.rows) == figures(outcome.rows)


def test_two_processes_find_the_same_as_one(tmp_path: Path) -> None:
    plan = write_trial(tmp_path, judges=["auto", "keywords"], answers=3)
    alone = run_judges(plan, tmp_path / "one", jobs=1)
    together = run_judges(plan, tmp_path / "two", jobs=2)
    assert len(alone.rows) == 8
    assert figures(alone.rows) == figures(together.rows)
    assert [row.answers for row in alone.rows] == [row.answers for row in together.rows]


def test_who_cannot_judge_by_keywords_refuses_and_costs_nothing_else(tmp_path: Path) -> None:
    outcome = run_judges(write_trial(tmp_path), tmp_path / "lab")
    assert {(each.judge, each.given) for each in outcome.refusals} == {("examples", "keywords")}
    assert not outcome.failures
    assert len(outcome.rows) == 6
    assert {row.number("f1") for row in outcome.rows if row.judge == "examples"} == {1.0}


@dataclass
class FaultyJudge:
    def __call__(self, page: Page) -> float:
        raise ZeroDivisionError("no luck")


@pytest.fixture
def faulty() -> Iterator[str]:
    registry.judge.names()
    registry.judge("faulty")(FaultyJudge)
    yield "faulty"
    del registry.judge._entries["faulty"]


def test_a_judge_that_fails_costs_its_own_trials_only(tmp_path: Path, faulty: str) -> None:
    outcome = run_judges(write_trial(tmp_path, judges=["keywords", faulty], given=["keywords"]), tmp_path / "lab")
    assert {each.judge for each in outcome.failures} == {faulty}
    assert "ZeroDivisionError: no luck" in outcome.failures[0].reason
    assert {row.judge for row in outcome.rows} == {"keywords"}


def test_the_report_needs_nothing_else_and_the_plan_reads_back(tmp_path: Path) -> None:
    plan = write_trial(tmp_path, judges=["keywords", "blocks(mode=mean)"], answers=5)
    outcome = run_judges(plan, tmp_path / "lab")
    assert write_judge_reports(outcome, "scenthound lab <x>") is not None
    html = (tmp_path / "lab" / "report.html").read_text()
    assert not re.search(r"(src|href)=|@import|url\(", html)
    assert "scenthound lab &lt;x&gt;" in html
    assert html.count("Reliability of blocks(mode=mean)") == 4  # heading and title of a picture, keywords and examples
    assert "Learning from answers" in html
    assert outcome.rows[0].code in html
    assert load_judge_experiment(tmp_path / "lab" / "experiment.toml") == plan
    assert "| blocks(mode=mean) |" in (tmp_path / "lab" / "report.md").read_text()


def test_a_generated_web_brings_its_own_topics(tmp_path: Path) -> None:
    from scenthound.lab.judges.judge_experiment import JudgeExperiment

    outcome = run_judges(JudgeExperiment(judges=["keywords"], generated=300, given=["keywords"]), tmp_path)
    (row,) = outcome.rows
    assert row.web == "generated-300-1"
    assert row.pages > 100
    assert row.number("auc") > 0.5
