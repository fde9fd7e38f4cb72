"""Hints are commands that work: they begin as the program was started."""

import ast
import os
import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli.main import COMMANDS, app
from scenthound.cli.started_as import STARTED_AS, as_started, program

ROOT = Path(__file__).parents[2]
NAMES = "|".join({command.name.partition(" ")[0] for command in COMMANDS})
SHOWN = re.compile(rf"\bscenthound (?:{NAMES})\b")


def test_a_program_has_its_own_name_where_nobody_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STARTED_AS, raising=False)
    assert (program(), as_started("Try: scenthound crawl x")) == ("scenthound", "Try: scenthound crawl x")


def test_commands_are_said_as_they_were_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STARTED_AS, "./run")
    assert as_started("Try: scenthound crawl x") == "Try: ./run crawl x"
    assert as_started("scenthound is a crawler; see ./scenthound crawl") == (
        "scenthound is a crawler; see ./scenthound crawl"
    )
    monkeypatch.setenv(STARTED_AS, "/my tools/run")
    assert program() == "'/my tools/run'"


def test_an_extra_is_added_to_what_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STARTED_AS, raising=False)
    hint = "Install it with: pip install 'scenthound[web]'"
    assert as_started(hint) == hint
    monkeypatch.setenv(STARTED_AS, "./run")
    assert as_started(hint) == "Install it with: ./run python -m pip install -e '.[web]'"
    monkeypatch.setenv(STARTED_AS, "/tools/run")
    assert as_started(hint) == "Install it with: /tools/run python -m pip install -e '/tools[web]'"


def test_errors_and_help_say_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(STARTED_AS, "./run")
    runner = CliRunner()
    assert "./run seeds birds --into crawls/birds" in runner.invoke(app, ["crawl", "birds"]).stderr
    told = runner.invoke(app, ["crawl", "--help"]).stdout
    assert "./run crawl --demo" in told
    assert not SHOWN.search(told.partition("Usage")[2].partition("\n")[2])


def test_the_script_says_how_it_was_called(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    stand_in = venv / "bin" / "scenthound"
    stand_in.write_text('#!/bin/sh\necho "$SCENTHOUND_STARTED_AS"\n')
    stand_in.chmod(0o755)
    wanted = subprocess.run(
        ["bash", "-c", 'cat "$1/requirements/run.lock" "$1/pyproject.toml" | cksum; echo "$1"', "x", str(ROOT)],
        capture_output=True,
        check=True,
        text=True,
    )
    (venv / ".installed-run").write_text(wanted.stdout)
    environment = {**os.environ, "SCENTHOUND_VENV": str(venv)}
    told = subprocess.run(["./run", "status"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout == "./run\n"


def _commands_in(path: Path) -> list[str]:
    """Texts that name a command outright. Docstrings, helps and errors pass through `as_started` on their way out."""
    tree = ast.parse(path.read_text())
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        drawing = _is_call(node, "print", "echo", "write")
        explained = isinstance(node, ast.keyword) and node.arg == "help"
        if explained or _is_call(node, "_complain") or (isinstance(node, (ast.Raise, ast.Expr)) and not drawing):
            passed |= set(ast.walk(node))
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in passed
        if SHOWN.search(node.value)
    ]


def _is_call(node: ast.AST, *names: str) -> bool:
    call = node.value if isinstance(node, ast.Expr) else node
    if not isinstance(call, ast.Call):
        return False
    return getattr(call.func, "id", getattr(call.func, "attr", "")) in names


@pytest.mark.parametrize("path", sorted((ROOT / "src/scenthound/cli").rglob("*.py")), ids=lambda path: path.stem)
def test_no_view_names_the_program_outright(path: Path) -> None:
    assert not _commands_in(path)


def test_one_that_did_would_be_noticed(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text('console.print("Next: scenthound crawl x")\n')
    assert _commands_in(wrong)
