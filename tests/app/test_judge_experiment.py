from pathlib import Path
from typing import Any

import pytest

from scenthound.app.judge_experiment import is_about_judges, plain_judge_figures, plan_judge_experiment
from scenthound.errors import UsageError
from scenthound.lab.report.judge_summary import summarise_judges
from tests.lab.judges.small_trial import judge_row


def test_what_is_given_goes_before_what_the_file_says(tmp_path: Path) -> None:
    made = plan_judge_experiment(None, {"generated": 300, "judges": "auto,blocks(mode=mean,terms=4)", "only": None})
    assert made.judges == ["auto", "blocks(mode=mean,terms=4)"]
    assert made.given == ["keywords", "examples"]
    path = tmp_path / "experiment.toml"
    path.write_text('generated = 300\njudges = ["auto"]\nanswers = 20\n')
    assert plan_judge_experiment(path, {"answers": 7, "given": "keywords"}).answers == 7
    assert is_about_judges(path, {})
    assert not is_about_judges(path, {"strategies": "random"})
    assert not is_about_judges(None, {"strategies": "random"})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"given": "keyword"}, "--given is keywords or examples"),
        ({"strategies": "random"}, "--strategies is about crawls"),
        ({"host_pages": 4}, "--host-pages is about crawls"),
        ({"budget": "requests"}, "--budget-counts is about crawls"),
    ],
    ids=str,
)
def test_mistakes(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan_judge_experiment(None, {"judges": "auto", **given})


def test_options_of_judges_without_judges() -> None:
    with pytest.raises(UsageError, match="--answers goes with --judges"):
        is_about_judges(None, {"strategies": "random", "answers": 20})


def test_figures_as_plain_data() -> None:
    rows = [judge_row("a"), judge_row("b", figures={"f1": 0.75})]
    found = plain_judge_figures(summarise_judges(rows, "a"))
    ours = found["given"]["keywords"]["b"]
    assert ours["measures"]["f1"]["mean"] == 0.75
    assert ours["against_baseline"]["f1"]["wins"] == 1
    assert ours["by_topic"]["f1"] == {"ferns": 0.75}
    assert ours["by_topic"]["recall"] == {"ferns": None}
    assert ours["answers"]["5"]["f1"]["mean"] == 0.7
    assert ours["reliability"][0] == pytest.approx({"score": 0.1, "relevant": 0.0, "pages": 6})
