import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from tests.library.collection import collect, numbered, zoo

runner = CliRunner()
FORMATS = ["chunks", "csv", "graphml", "jsonl", "markdown", "parquet", "site", "urls", "wacz", "waiting", "warc"]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(zoo(tmp_path / "zoo"))


def run(*arguments: str) -> Result:
    return runner.invoke(app, ["export", *arguments])


def test_json_lines_to_stdout(folder: str) -> None:
    rows = [json.loads(line) for line in run(folder).stdout.splitlines()]
    assert len(rows) == 7
    assert rows[1]["title"] == "All about otters"


def test_a_dash_is_stdout(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    assert run(folder, "-o", "-").stdout == run(folder).stdout
    assert run(folder, "-f", "urls", "-o", "-").stdout.startswith("https://")
    assert set(tmp_path.iterdir()) == before


def test_choices(folder: str) -> None:
    urls = run(folder, "-f", "urls", "--relevant", "--since", "2023-11-16").stdout
    assert urls.splitlines() == ["https://www.zoo.example/otters", "https://birds.example/duck"]
    rows = run(folder, "--fields", "url, relevance", "--with-text").stdout.splitlines()
    assert set(json.loads(rows[0])) == {"url", "relevance", "text"}
    named = [line.split()[0] for line in run(folder, "--fields", "list").stdout.splitlines()]
    assert {"digest", "label", "first_relevance", "text"} <= set(named)


@pytest.mark.parametrize(
    ("name", "start"), [("a.csv", "url,title"), ("a.jsonl", "{"), ("a.txt", "https://"), ("a", "{")]
)
def test_into_a_file_by_its_name(folder: str, tmp_path: Path, name: str, start: str) -> None:
    path = tmp_path / name
    result = run(folder, "-o", str(path))
    assert result.exit_code == 0
    assert result.stdout == ""
    assert f"7 pages written to {path}" in result.stderr
    assert path.read_text(encoding="utf-8").startswith(start)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-f", "xml"], 2, f"There is no format called 'xml'. Known: {', '.join(FORMATS)}."),
        (["-o", "pages.docx"], 2, "csv (.csv), graphml (.graphml), jsonl (.jsonl, .ndjson, .json)"),
        (["--fields", "titel"], 2, "Did you mean 'title'?"),
        (["--since", "soon"], 2, "is no date"),
        (["-o", "/nowhere/at/all.csv"], 3, "cannot be written"),
    ],
)
def test_mistakes(folder: str, arguments: list[str], code: int, message: str) -> None:
    result = run(folder, *arguments)
    assert result.exit_code == code
    assert message in result.stderr


def test_formats_are_listed_in_the_help_and_on_request(folder: str) -> None:
    named = run("--help").stdout
    listed = run(folder, "--format", "list").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert names == FORMATS
    assert all(name in named for name in names)
    assert listed[3].split() == ["jsonl", ".jsonl,", ".ndjson,", ".json", "A", "JSON", "object", "a", "line."]


def test_a_format_that_is_named_outranks_the_name_of_the_file(folder: str, tmp_path: Path) -> None:
    run(folder, "-f", "csv", "-o", str(tmp_path / "a.parquet"))
    assert (tmp_path / "a.parquet").read_text().startswith("url,title")


def test_no_library_there(tmp_path: Path) -> None:
    assert run(str(tmp_path), "-o", str(tmp_path / "x.csv")).exit_code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_leaves_early(tmp_path: Path) -> None:
    collect(tmp_path, numbered(3000, size=5), warc=False)
    program = [sys.executable, "-c", "from scenthound.cli.main import main; main()", "export", str(tmp_path)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0
