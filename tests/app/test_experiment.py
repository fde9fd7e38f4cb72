from pathlib import Path

import pytest

from scenthound.app.experiment import plan_experiment
from scenthound.errors import UsageError


def test_what_is_given_goes_before_what_the_file_says(tmp_path: Path) -> None:
    made = plan_experiment(None, {"generated": 300, "strategies": "best-first,best-n-first(n=4)", "pages": None})
    assert made.strategies == ["best-first", "best-n-first(n=4)"]
    path = tmp_path / "experiment.toml"
    path.write_text('generated = 300\nstrategies = ["random"]\npages = 20\n')
    assert plan_experiment(path, {"pages": 7}).pages == 7


def test_mistakes() -> None:
    with pytest.raises(UsageError, match="Say what to compare"):
        plan_experiment(None, {"generated": 300})
    with pytest.raises(UsageError, match="--budget-counts"):
        plan_experiment(None, {"strategies": "random", "budget": "minutes"})


def test_help_is_one_of_three_kinds() -> None:
    assert (
        plan_experiment(None, {"generated": 300, "strategies": "best-first", "given": "keywords"}).given == "keywords"
    )
    with pytest.raises(UsageError, match="--given is keywords, examples or lessons"):
        plan_experiment(None, {"generated": 300, "strategies": "best-first", "given": "keywords,examples"})
