"""Use cases have no screen: whatever the command line does, a second face can do as well."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "scenthound"
FILES = sorted((SOURCE / "app").rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_neither_prints_nor_draws_nor_reads_the_command_line(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not {name.partition(".")[0] for name in names} & {"typer", "click", "rich", "signal", "sys"}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "input")


def test_the_command_line_is_options_and_drawing() -> None:
    """What is neither of both, and no business of the terminal, belongs to `app`."""
    ours = {path.name for path in (SOURCE / "cli").glob("*.py")}
    assert ours == {"__init__.py", "main.py", "interrupts.py", "started_as.py", "single_keys.py", "library_folders.py"}
