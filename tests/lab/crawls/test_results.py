import json
import math
from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound.errors import UsageError
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls import results
from scenthound.lab.crawls.experiment import Cell, Experiment, StrategyEntry
from scenthound.lab.crawls.results import cell_key
from scenthound.lab.measures.registry import Measured
from tests.lab.small import row, topic

PLAN = Experiment(strategies=["random"], generated=300)


def key(cell: Cell, web: str = "w", store: bool = False) -> str:
    return cell_key(cell, plans.settings(PLAN, cell), web, store)


def test_a_key_is_another_when_anything_that_matters_is() -> None:
    cell = Cell(StrategyEntry("best-n-first", {"n": 8}), topic(), 1)
    variants = [
        key(cell),
        key(replace(cell, strategy=StrategyEntry("best-n-first", {"n": 9}))),
        key(replace(cell, strategy=StrategyEntry("best-first"))),
        key(replace(cell, seed=2)),
        key(replace(cell, topic=topic(pages=11))),
        key(replace(cell, topic=topic(targets=("http://a.test/x",)))),
        key(cell, web="other"),
        key(cell, store=True),
    ]
    assert len(set(variants)) == len(variants)
    assert key(Cell(StrategyEntry("best-n-first", {"n": 8}), topic(), 1)) == variants[0]


def test_a_key_does_not_depend_on_what_an_encoder_leaves_out() -> None:
    """A setting at its default is the same setting, whichever object says so."""
    cell = Cell(StrategyEntry("random"), topic(), 1)
    spelt = plans.settings(PLAN, cell)
    spelt.topic.language = "".join(["e", "n"])
    assert cell_key(cell, spelt, "w", False) == key(cell)


def test_rows_survive_an_interrupted_write(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results.append(path, row("a"))
    with path.open("ab") as file:
        file.write(b'{"key": "half a li')
    results.append(path, row("b"))
    assert [each.strategy for each in results.read(path)] == ["a", "b"]
    assert list(results.read(tmp_path / "none.jsonl")) == []


def test_numbers_json_does_not_know_come_back() -> None:
    assert [results.plain(value) for value in (1.5, math.nan, math.inf)] == [1.5, None, "never"]
    made = row(final={"a": 1.5, "b": None, "c": "never"})
    assert made.number("a") == 1.5
    assert math.isnan(made.number("b"))
    assert math.isinf(made.number("c"))
    assert math.isnan(made.number("unheard-of"))


def test_a_curve_is_thinned_and_one_that_ended_early_keeps_its_last_value() -> None:
    import numpy as np

    places, curves = results.thin({"x": Measured(1.0, np.array([0.1, 0.2, np.nan]))}, 1000)
    assert (places[0], places[-1], len(places)) == (10, 1000, 100)
    assert curves["x"] == [None] * 100
    places, curves = results.thin({"x": Measured(1.0, np.array([0.1, 0.2]))}, 4)
    assert (places, curves["x"]) == ([1, 2, 3, 4], [0.1, 0.2, 0.2, 0.2])


def test_parquet_holds_a_row_a_crawl(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    results.write_parquet(tmp_path / "r.parquet", [row("a", params={"n": 8}), row("b")])
    table = pq.read_table(tmp_path / "r.parquet").to_pylist()
    assert [each["strategy"] for each in table] == ["a", "b"]
    assert json.loads(table[0]["params"]) == {"n": 8}
    assert table[0]["target-recall"] == 0.5
    assert math.isinf(table[0]["pages-to-80"])
    assert json.loads(table[0]["software"]) == {"scenthound": "0"}


def test_without_pyarrow_the_next_step_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(UsageError, match="extra `parquet`"):
        results.write_parquet(tmp_path / "r.parquet", [row()])
