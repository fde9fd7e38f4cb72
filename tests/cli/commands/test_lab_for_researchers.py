"""The lab for somebody with a strategy of their own: a file, a log, tables for a paper, and what is missing named."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "from scenthound.cli.main import main; main()"]
MINE = """
from dataclasses import dataclass
from scenthound.model import Ranked, Visit
from scenthound.registry import strategy

@strategy("short-first")
@dataclass
class ShortFirst:
    weight: float = 1.0

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, -self.weight * len(link.url)) for link in visit.page.links]
"""
LAB = ["lab", "--generated", "600", "--pages", "20", "--jobs", "1", "--into", "out"]


def lab(folder: Path, *arguments: str, without: str = "") -> subprocess.CompletedProcess[str]:
    program = list(PROGRAM)
    if without:
        program[2] = f"import sys; sys.modules[{without!r}] = None; {program[2]}"
    return subprocess.run([*program, *LAB, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_a_file_of_ones_own_a_log_and_tables(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    done = lab(tmp_path, "--strategies", "breadth-first,./mine.py")
    assert done.returncode == 0, done.stderr
    assert "short-first" in done.stdout
    assert "crawls done" in done.stderr, "progress is told in a pipe, too"
    with (tmp_path / "out/tables/leaderboard.csv").open() as file:
        head, *rows = csv.reader(file)
    assert head[0] == "strategy"
    assert {row[0] for row in rows} >= {"breadth-first (baseline)", "short-first"}
    latex = (tmp_path / "out/tables/leaderboard.tex").read_text()
    assert latex.startswith(r"\begin{tabular}{l")
    assert r"95\%" not in latex
    assert "short-first & " in latex
    figures = {path.name for path in (tmp_path / "out/figures").iterdir()}
    assert {"target-recall.svg", "target-recall.pdf", "cost-and-benefit.svg", "cost-and-benefit.pdf"} <= figures
    assert (tmp_path / "out/figures/target-recall.pdf").read_bytes().startswith(b"%PDF-")


def test_parameters_of_a_file_of_ones_own_are_compared(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    done = lab(tmp_path, "--strategies", "./mine.py,./mine.py(weight=-1)")
    assert done.returncode == 0, done.stderr
    assert "short-first(weight=-1)" in done.stdout


@pytest.mark.parametrize(
    ("strategies", "told"),
    [
        ("./mine.py(weight=much)", "The parameter 'weight' of the strategy 'short-first' is float, not 'much'."),
        ("./gone.py", "There is no file gone.py. It was looked for in "),
        ("./empty.py", 'Put @strategy("its-name") above the class.'),
        ("./broken.py", "broken.py cannot be loaded: ZeroDivisionError"),
        ("best-n-first(n=many)", "The parameter 'n' of the strategy 'best-n-first' is int, not 'many'."),
    ],
)
def test_what_is_wrong_is_named(strategies: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "empty.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text("1 / 0\n")
    done = lab(tmp_path, "--strategies", strategies)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from scenthound.lab import run_experiment

    monkeypatch.setattr(run_experiment, "find_spec", lambda name: None)
    assert "scenthound[learn]" in run_experiment.NO_SKLEARN
    from typer.testing import CliRunner

    from scenthound.cli.main import app

    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*LAB, "--strategies", "breadth-first"])
    assert "No harvest rate: it is told by a classifier that needs scikit-learn" in done.stderr.replace("\n", " ")
