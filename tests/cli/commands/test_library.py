"""`scenthound library`, and what the other commands say of a damaged one."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from tests.library.breaking import overwrite_table, spoil_bytes
from tests.library.collection import collect, numbered, zoo


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_a_whole_library(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    told = run("library", "check", folder)
    assert (told.exit_code, told.stdout) == (
        0,
        f"{folder} is whole: database, 6 stored answers, indexes, labels, settings.\n",
    )
    assert json.loads(run("library", "check", folder, "--json").stdout)["whole"] is True


def test_a_damaged_library(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(300))
    overwrite_table(folder, "contents")
    told = run("library", "check", folder)
    assert told.exit_code == 8
    assert "library.db, table contents is damaged" in told.stdout
    assert "stored pages" in told.stdout
    assert f"scenthound library repair {folder}" in told.stdout
    machine = json.loads(run("library", "check", folder, "--json").stdout)
    assert machine["damages"][0]["part"] == "library.db, table contents"
    assert machine["damages"][0]["pages"] > 0


@pytest.mark.parametrize("command", ["status", "search", "export", "explain", "judge", "report", "crawl"])
def test_whoever_meets_damage_is_told_what_and_what_to_do(tmp_path: Path, command: str) -> None:
    folder = collect(tmp_path, numbered(300))
    (folder / "topic.toml").write_text(
        '[topic]\nname = "page"\nkeywords = ["page"]\n[crawl]\nseeds = ["http://localhost:9/"]\n'
    )
    for table in ("pages", "urls", "contents"):
        overwrite_table(folder, table)
    more = {"search": ["filler"], "explain": ["http://host0.example/0"]}.get(command, [])
    told = run(command, folder, *more)
    assert told.exit_code == 8, told.stderr
    assert "is damaged: library.db, table " in told.stderr
    assert f"scenthound library check {folder}" in told.stderr
    assert "intact" not in told.stderr


@pytest.mark.parametrize(("content", "named"), [(b"", "is empty (0 bytes)"), (b"hello" * 99, "is no SQLite database")])
def test_a_file_is_named_as_what_it_is(tmp_path: Path, content: bytes, named: str) -> None:
    folder = zoo(tmp_path)
    (folder / "library.db").write_bytes(content)
    for command in (["status", folder], ["search", folder, "otter"], ["library", "check", folder]):
        told = run(*command)
        assert told.exit_code == 8
        assert named in told.output
        assert "older Scenthound" not in told.output


def test_repair(tmp_path: Path) -> None:
    folder = collect(tmp_path, numbered(300))
    overwrite_table(folder, "contents")
    told = run("library", "repair", folder)
    assert told.exit_code == 0, told.output
    assert "(contents damaged)" in told.stdout
    assert "Made anew from the WARC files: " in told.stdout
    assert f"The damaged file is kept as {folder}/library.db.damaged-" in told.stdout
    assert told.stdout.endswith(f"{folder} is whole.\n")
    assert run("library", "check", folder).exit_code == 0
    assert run("library", "repair", folder).stdout == f"{folder} is whole; there is nothing to repair.\n"


def test_repair_for_machines_and_what_is_left(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    (folder / "library.db").unlink()
    (folder / "labels.jsonl").write_text("nothing of ours\n\n")
    told = run("library", "repair", folder, "--json")
    assert told.exit_code == 8
    outcome = json.loads(told.stdout)
    assert outcome["repaired"]["pages"] == 6
    assert [damage["part"] for damage in outcome["left"]] == ["labels.jsonl"]
    assert "labels.jsonl cannot be read" in run("library", "repair", folder).stdout


@pytest.mark.parametrize("seed", range(12))
def test_no_damage_makes_a_command_stumble(tmp_path: Path, seed: int) -> None:
    """Whatever bytes change: it works, or says that the library is damaged and what to do."""
    folder = collect(tmp_path, numbered(80))
    (folder / "topic.toml").write_text('[topic]\nname = "page"\nkeywords = ["page"]\n')
    spoil_bytes(folder / "library.db", seed, count=1 + seed % 3, longest=(3, 300, 5000)[seed % 3])
    page = "http://host0.example/7"
    commands = (["status"], ["search", "filler"], ["export", "--with-text"], ["explain", page], ["report"], ["judge"])
    for command in commands:
        told = run(command[0], folder, *command[1:])
        if told.exit_code != 0:
            assert told.exit_code == 8, (command, told.stderr)
            assert "is damaged" in told.stderr
            assert f"scenthound library check {folder}" in told.stderr
    assert run("library", "repair", folder).exit_code == 0
    exported = [json.loads(line)["url"] for line in run("export", folder).stdout.splitlines()]
    assert sorted(exported) == sorted(f"http://host{n % 7}.example/{n}" for n in range(80))


def test_copy(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    told = run("library", "copy", folder, tmp_path / "copy")
    assert (told.exit_code, told.stdout.startswith(f"Copied to {tmp_path / 'copy'}")) == (0, True)
    assert run("search", tmp_path / "copy", "otter").exit_code == 0
    assert run("library", "copy", folder, tmp_path / "copy").exit_code == 2
