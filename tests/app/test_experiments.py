"""Experiments of the lab as the dashboard has them: means, bounds, curves; nothing where there is nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from scenthound.app.experiments import is_experiment, read_experiment
from scenthound.errors import UsageError
from tests.app.small_experiment import small_experiment


def test_an_experiment_is_told(tmp_path: Path) -> None:
    folder = small_experiment(tmp_path / "first")
    assert is_experiment(folder)
    found = read_experiment(folder)
    assert (found.name, found.crawls, found.topics) == ("first", 4, ["cats", "dogs"])
    assert [strategy.name for strategy in found.strategies] == ["auto", "breadth-first"]
    assert [strategy.baseline for strategy in found.strategies] == [False, True]
    leading = next(iter(found.measures))
    assert found.strategies[0].figures[leading].mean == pytest.approx(0.75)
    assert found.strategies[0].figures[leading].topics == 2
    assert found.positions == [1, 2, 3]
    for name in found.shown:
        assert len(found.strategies[0].curves[name]) == 3
    assert msgspec.json.encode(found)


def test_where_there_are_no_results(tmp_path: Path) -> None:
    assert not is_experiment(tmp_path)
    folder = small_experiment(tmp_path / "first")
    (folder / "results.jsonl").write_text("torn")
    with pytest.raises(UsageError, match="no results yet"):
        read_experiment(folder)
