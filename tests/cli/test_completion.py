"""What the shell is told when somebody presses Tab: by the installed program, as a shell asks it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("scenthound")


def asked(shell: str, line: str) -> list[str]:
    """What completes the last word of a line, in the way that the shells' own scripts ask."""
    words = line.split(" ")
    told = {
        "_SCENTHOUND_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run([PROGRAM], env={**os.environ, **told}, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("scenthound expo", "export"),
        ("scenthound export crawls/ferns --form", "--format"),
        ("scenthound export crawls/ferns --format wac", "wacz"),
        ("scenthound crawl --strategy best-first-an", "best-first-anchor"),
    ],
)
def test_commands_options_and_names_are_completed(line: str, offered: str) -> None:
    assert offered in asked("bash", line)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script_of_its_own(shell: str) -> None:
    told = {"_SCENTHOUND_COMPLETE": f"source_{shell}"}
    done = subprocess.run([PROGRAM], env={**os.environ, **told}, capture_output=True, text=True, check=True)
    assert "_SCENTHOUND_COMPLETE" in done.stdout
