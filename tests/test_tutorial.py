"""docs/tutorial.md is run as it stands: every `sh` block, in order, in an empty folder."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound.cli.main import app

PAGE = (Path(__file__).parents[1] / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
LINES = [line for block in BLOCKS for line in block.splitlines()]
SEARCH = "scenthound search crawls/orchids orchids --limit 3 --json"


def test_the_tutorial_works_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert LINES[0] == "pip install scenthound"
    said = {}
    for line in LINES[1:]:
        program, *arguments = shlex.split(line)
        if "URL" in arguments:
            arguments[arguments.index("URL")] = json.loads(said[SEARCH])["hits"][0]["url"]
        assert program == "scenthound"
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception!r}"
        said[line] = done.output
    assert "100 pages" in said["scenthound status crawls/orchids"]
    assert (tmp_path / "orchids.jsonl").read_text().count("\n") > 10
    assert len(list((tmp_path / "orchids-markdown").rglob("*.md"))) > 10
    assert (tmp_path / "orchids-site" / "index.html").is_file()
