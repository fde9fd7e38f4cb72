import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli import main

runner = CliRunner()
SMALL = ["lab", "--generated", "300", "--pages", "20", "--strategies", "breadth-first,best-n-first(n=4)", "-j", "1"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_an_experiment_from_the_command_line(here: Path) -> None:
    result = runner.invoke(main.app, [*SMALL, "--no-bounds"])
    assert result.exit_code == 0, result.stderr
    assert "breadth-first (baseline)" in result.stdout
    assert "best-n-first(n=4)" in result.stdout
    (folder,) = (here / "lab").iterdir()
    assert {"experiment.toml", "results.jsonl", "report.html", "report.md"} <= {path.name for path in folder.iterdir()}
    assert "report.html" in result.stderr

    again = runner.invoke(main.app, ["lab", str(folder / "experiment.toml"), "--into", str(folder), "--json"])
    assert again.exit_code == 0, again.stderr
    assert "2 of 2 results were there already" in " ".join(again.stderr.split())
    figures = json.loads(again.stdout)
    assert set(figures["strategies"]) == {"breadth-first", "best-n-first(n=4)"}
    assert figures["strategies"]["breadth-first"]["measures"]["recall-area"]["of"] == 1
    assert "recall-area" in figures["strategies"]["best-n-first(n=4)"]["against_baseline"]

    tables = runner.invoke(main.app, ["lab", str(folder / "experiment.toml"), "--into", str(folder), "--markdown"])
    assert "| breadth-first (baseline) |" in tables.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["lab"], 2, "Say what to compare"),
        (["lab", "none.toml"], 2, "There is no experiment"),
        (["lab", "--strategies", "random"], 2, "No web was named"),
        (["lab", "--strategies", "random", "--web", "no.warc"], 2, "--topics FILE"),
        (["lab", "--generated", "300", "--strategies", "radnom"], 2, "Did you mean 'random'?"),
        (["lab", "--generated", "300", "--strategies", "random", "--topics", "t"], 2, "brings its own topics"),
        (["lab", "--generated", "50", "--strategies", "random"], 2, "too few"),
        (["lab", "--web", "no.warc", "--topics", "t", "--strategies", "random"], 2, "no file of topics"),
        (["lab", "--generated", "300", "--strategies", "random", "--budget-counts", "x"], 2, "pages or requests"),
        (["lab", "--generated", "300", "--strategies", "random", "--only", "stamps"], 2, "no topic called"),
    ],
    ids=str,
)
def test_mistakes_are_named_and_leave_nothing_behind(here: Path, arguments: list[str], code: int, message: str) -> None:
    result = runner.invoke(main.app, arguments)
    assert (result.exit_code, "Traceback" in result.stderr) == (code, False)
    assert message in " ".join(result.stderr.split())
    assert not (here / "lab").exists()


def test_ctrl_c_says_that_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.cli.views.lab_progress.run_experiment", interrupted)
    result = runner.invoke(main.app, SMALL)
    assert result.exit_code == 130
    assert "the same command goes on" in " ".join(result.stderr.split())


JUDGES = ["lab", "--generated", "300", "--judges", "keywords,topic-vector", "-j", "1"]


def test_judges_from_the_command_line(here: Path) -> None:
    result = runner.invoke(main.app, [*JUDGES, "--given", "keywords,examples", "--answers", "5"])
    assert result.exit_code == 0, result.stderr
    assert "from keywords alone" in result.stdout
    assert "from keywords, examples and counterexamples" in result.stdout
    assert "keywords (baseline)" in result.stdout
    assert "5 answers" in result.stdout
    (folder,) = (here / "lab").iterdir()
    assert {path.name for path in folder.iterdir()} == {"experiment.toml", "judges.jsonl", "report.html", "report.md"}

    again = runner.invoke(main.app, ["lab", str(folder / "experiment.toml"), "--into", str(folder), "--json"])
    assert again.exit_code == 0, again.stderr
    assert "4 of 4 results were there already" in " ".join(again.stderr.split())
    figures = json.loads(again.stdout)["given"]["keywords"]
    assert set(figures) == {"keywords", "topic-vector"}
    assert figures["topic-vector"]["against_baseline"]["f1"]["ties"] in (0, 1)
    tables = runner.invoke(main.app, ["lab", str(folder / "experiment.toml"), "--into", str(folder), "--markdown"])
    assert "| keywords (baseline) |" in tables.stdout


def test_judges_that_need_examples_say_so(here: Path) -> None:
    arguments = ["lab", "--generated", "300", "--judges", "keywords,examples", "--given", "keywords", "-j", "1"]
    result = runner.invoke(main.app, arguments)
    assert result.exit_code == 0
    assert "examples does not judge from keywords alone" in " ".join(result.stderr.split())
    nothing = runner.invoke(main.app, [*arguments[:4], "examples", *arguments[5:]])
    assert nothing.exit_code == 1
    assert "nothing to report" in " ".join(nothing.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lab", "--generated", "300", "--judges", "keyword"], "Did you mean 'keywords'?"),
        (["lab", "--judges", "auto"], "No web was named"),
        (["lab", "--judges", "auto", "--web", "no.warc"], "--topics FILE"),
        (["lab", "--generated", "300", "--judges", "auto", "--given", "words"], "--given is keywords or examples"),
        (["lab", "--generated", "300", "--judges", "auto", "--pages", "9"], "--pages is about crawls"),
        (["lab", "--generated", "300", "--strategies", "random", "--answers", "9"], "--answers goes with --judges"),
        (["lab", "--generated", "300", "--judges", "auto", "--only", "stamps"], "no topic called"),
    ],
    ids=str,
)
def test_mistakes_with_judges_are_named_and_leave_nothing_behind(
    here: Path, arguments: list[str], message: str
) -> None:
    result = runner.invoke(main.app, arguments)
    assert (result.exit_code, "Traceback" in result.stderr) == (2, False)
    assert message in " ".join(result.stderr.split())
    assert not (here / "lab").exists()


def test_ctrl_c_among_judges_says_that_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.cli.views.judge_lab.run_judges", interrupted)
    result = runner.invoke(main.app, JUDGES)
    assert result.exit_code == 130
    assert "the same command goes on" in " ".join(result.stderr.split())
