from pathlib import Path
from typing import Any

import pytest

from scenthound.errors import ConfigError, UnknownName
from scenthound.lab.judges.judge_experiment import (
    JudgeExperiment,
    check,
    load_judge_experiment,
    settings,
    trials_of,
)
from tests.lab.judges.small_trial import write_trial
from tests.lab.small import topic


def test_a_plan_reads_back(tmp_path: Path) -> None:
    plan = write_trial(tmp_path, judges=["auto", "blocks(mode=mean)"], given=["keywords"], answers=7)
    path = tmp_path / "experiment.toml"
    path.write_text(plan.as_toml())
    assert load_judge_experiment(path) == plan
    assert [entry.label for entry in plan.entries()] == ["auto", "blocks(mode=mean)"]
    assert plan.baseline_label() == "auto"


def test_the_baseline_is_tried_too(tmp_path: Path) -> None:
    plan = write_trial(tmp_path, judges=["auto"], baseline="keywords")
    assert [entry.label for entry in plan.entries()] == ["auto", "keywords"]
    assert plan.baseline_label() == "keywords"


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"judges": []}, ConfigError, "No judge was named"),
        ({"judges": ["keyword"]}, UnknownName, "Did you mean 'keywords'"),
        ({"judges": ["blocks(mood=mean)"]}, ConfigError, "no parameter 'mood'"),
        ({"judges": ["auto"], "given": []}, ConfigError, "--given keywords,examples"),
        ({"judges": ["auto"], "answers": -1}, ConfigError, "answers must be"),
        ({"judges": ["auto"], "generated": 0}, ConfigError, "--topics FILE"),
    ],
    ids=str,
)
def test_what_cannot_run_is_refused(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        check(JudgeExperiment(**({"generated": 300} | given)))


def test_a_topic_is_tried_by_what_it_has(tmp_path: Path) -> None:
    plan = write_trial(tmp_path)
    bare, blind = topic(keywords=plan.lab_topics()[0].keywords), topic(relevant_examples=("http://a.test/x",))
    assert {trial.given for trial in trials_of(plan, [bare])} == {"keywords"}
    assert {trial.given for trial in trials_of(plan, [blind])} == {"examples"}
    with pytest.raises(ConfigError, match="No topic has"):
        trials_of(plan, [topic()])


def test_keywords_alone_means_that_no_example_is_told(tmp_path: Path) -> None:
    plan = write_trial(tmp_path)
    trials = {trial.given: settings(plan, trial) for trial in trials_of(plan, plan.lab_topics())}
    assert trials["keywords"].topic.examples == trials["keywords"].topic.counterexamples == []
    assert len(trials["examples"].topic.examples) == len(trials["examples"].topic.counterexamples) == 2
    assert trials["keywords"].topic.keywords == trials["examples"].topic.keywords
