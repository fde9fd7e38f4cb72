"""Every command on a library in PostgreSQL: by its folder, by its address, and with the answers that SQLite gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scenthound import config as toml
from scenthound.cli.library_folders import folders_for
from scenthound.cli.main import app
from scenthound.library.library_copy import copy_library
from tests.library.collection import zoo, zoo_config

runner = CliRunner()
OTTERS = "https://www.zoo.example/otters"
ASKED = [
    ("status", "--json"),
    ("explain", OTTERS, "--json"),
    ("explain", "https://www.zoo.example/nowhere"),
    ("search", "otter", "river", "--json"),
    ("show", OTTERS),
    ("changes", "--json"),
    ("coverage", "--json"),
    ("export", "--format", "jsonl"),
    ("label",),
    ("revisit", "--dry-run", "--now"),
    ("sites",),
    ("forms",),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = zoo(tmp_path / "zoo")
    toml.save(zoo_config(), place / "topic.toml")
    return place


def said(folder: Path | str, command: str, *arguments: str) -> tuple[int, str]:
    result = runner.invoke(app, [command, str(folder), *arguments])
    assert result.exit_code != 70, result.output
    return result.exit_code, result.output


def test_the_same_answers_by_folder_and_by_address(folder: Path, tmp_path: Path, postgres: str) -> None:
    shared = tmp_path / "shared"
    result = runner.invoke(app, ["library", "copy", str(folder), postgres, "--into", str(shared)])
    assert result.exit_code == 0, result.output
    assert postgres in result.output
    for command, *arguments in ASKED:
        here = said(folder, command, *arguments)
        there = said(shared, command, *arguments)
        if command == "status":
            ours, theirs = json.loads(here[1]), json.loads(there[1])
            assert theirs.pop("bytes") > 100_000  # what is in the database is among them
            assert ours.pop("bytes")
            assert theirs | {"folder": ""} == ours | {"folder": ""}
        else:
            assert (there[0], there[1].replace(str(shared), str(folder))) == here, command
    assert said(postgres, "search", "otter", "--json") == said(folder, "search", "otter", "--json")


def test_labels_and_judgements_are_changed_there(folder: Path, tmp_path: Path, postgres: str) -> None:
    shared = tmp_path / "shared"
    copy_library(folder, shared, postgres)
    for place in (folder, shared):
        assert said(place, "label", OTTERS, "--no")[0] == 0
        assert said(place, "judge", "--threshold", "0.2")[0] == 0
    for command, *arguments in [("search", "otter", "--json"), ("show", OTTERS)]:
        assert (
            said(shared, command, *arguments)[1].replace(str(shared), str(folder))
            == said(folder, command, *arguments)[1]
        )
    assert not (shared / "labels.jsonl").exists()
    code, told = said(shared, "report")
    assert code == 0, told
    assert (shared / "report.html").is_file()


def test_files_are_looked_after_by_the_server(folder: Path, tmp_path: Path, postgres: str) -> None:
    copy_library(folder, tmp_path / "shared", postgres)
    for command in ("check", "repair"):
        result = runner.invoke(app, ["library", command, str(tmp_path / "shared")])
        assert (result.exit_code, "pg_amcheck" in result.output) == (3, True)


def test_on_another_machine_a_folder_is_made(
    folder: Path, tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_library(folder, tmp_path / "shared", postgres)
    (tmp_path / "shared").rename(tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path)
    code, told = said(postgres, "status")
    assert code == 0, told
    name = postgres.rpartition("#")[2]
    assert (tmp_path / "crawls" / name / "library.address").read_text().strip() == postgres
    assert (tmp_path / "crawls" / name / "topic.toml").is_file()


def test_what_is_no_address_stays() -> None:
    words = ["crawl", "postgres performance", "--seed", "https://example.org"]
    assert folders_for(words) == words
    assert folders_for(["ferns", "--library", "postgresql://localhost/x"])[2] == "postgresql://localhost/x"
