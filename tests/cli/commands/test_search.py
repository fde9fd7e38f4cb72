import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from tests.library.collection import collect, stored, zoo

runner = CliRunner()


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(zoo(tmp_path / "zoo"))


def run(*arguments: str) -> Result:
    return runner.invoke(app, ["search", *arguments])


def test_for_people(folder: str) -> None:
    result = run(folder, "otter", "swim")
    assert result.exit_code == 0
    assert "All about otters" in result.stdout
    assert "https://www.zoo.example/otters" in result.stdout
    assert "Otters swim in rivers" in result.stdout
    assert "\x1b" not in result.stdout


def test_a_page_that_is_gone_says_so(folder: str) -> None:
    assert "gone since" not in run(folder, "otter", "swim").stdout
    connection = sqlite3.connect(Path(folder) / "library.db")
    connection.execute("UPDATE urls SET state = 2 WHERE url = 'https://www.zoo.example/otters'")
    connection.commit()
    connection.close()
    assert "gone since" in run(folder, "otter", "swim").stdout
    assert json.loads(run(folder, "otter", "swim", "--json").stdout)["hits"][0]["state"] == "failed"


def test_for_machines(folder: str) -> None:
    found = json.loads(run(folder, "otter", "--json", "--limit", "1").stdout)
    assert found["total"] == 4
    assert [hit["url"] for hit in found["hits"]] == ["https://www.zoo.example/otters"]
    text, marks = found["hits"][0]["snippet"]["text"], found["hits"][0]["snippet"]["marks"]
    assert {text[start:end].lower() for start, end in marks} == {"otter", "otters"}


@pytest.mark.parametrize(
    ("arguments", "urls"),
    [
        (["otters", "river", "-ducks"], ["https://www.zoo.example/otters"]),
        (["otters", "river", "--", "-ducks"], ["https://www.zoo.example/otters"]),
        (["river otter"], ["https://www.zoo.example/otters"]),
        (['"river otter" -ducks'], ["https://www.zoo.example/otters"]),
        (["river", "-host", "-swim"], ["https://birds.example/duck"]),
        (["otter", "--site", "birds.example"], ["https://birds.example/duck"]),
        (["otter", "--host", "birds.example", "--relevant"], ["https://birds.example/duck"]),
        (["otter", "--relevance", "0.8"], ["https://www.zoo.example/otters"]),
        (["otter", "--since", "2023-11-17"], ["https://birds.example/duck"]),
        (["otter", "--since", "2023-11-15T12:00", "--until", "2023-11-17"], ["https://www.zoo.example/otters"]),
    ],
    ids=str,
)
def test_questions(folder: str, arguments: list[str], urls: list[str]) -> None:
    result = run(folder, "--json", *arguments)
    assert [hit["url"] for hit in json.loads(result.stdout)["hits"]] == urls


def test_nothing_found(folder: str) -> None:
    result = run(folder, "zebra")
    assert result.exit_code == 1
    assert "Nothing found" in result.stdout
    assert run(folder, "zebra", "--json").exit_code == 1


def test_some_words_only(folder: str) -> None:
    assert "no page has all of the words" in run(folder, "otter", "mice").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-otter"], 2, "at least one word"),
        (["otter", "--since", "once"], 2, "is no date"),
        (["otter", "--relevance", "7"], 2, "--relevance"),
        ([], 2, "WORDS"),
    ],
)
def test_mistakes(folder: str, arguments: list[str], code: int, message: str) -> None:
    result = run(folder, *arguments)
    assert result.exit_code == code
    assert message in result.stderr


def test_no_library_there(tmp_path: Path) -> None:
    result = run(str(tmp_path / "no"), "otter")
    assert result.exit_code == 3
    assert "There is no library in" in result.stderr


def test_the_terminal_obeys_no_page(tmp_path: Path) -> None:
    collect(
        tmp_path, [stored("http://a.example/", "otter \x1b[31m\x07 [bold]river[/bold]", title="\x1b]0;owned\x07[red]T")]
    )
    result = run(str(tmp_path), "otter")
    assert "\x1b" not in result.stdout
    assert "\x07" not in result.stdout
    assert "[red]T" in result.stdout
    assert "[bold]river[/bold]" in result.stdout


@pytest.mark.parametrize("option", ["--limt", "-n"])
def test_an_option_that_is_none_is_no_word(folder: str, option: str) -> None:
    done = run(folder, "otter", option, "3")
    assert done.exit_code == 2
    assert f"search has no option {option}" in done.output
