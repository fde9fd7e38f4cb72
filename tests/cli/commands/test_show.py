import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from scenthound.model import Link
from tests.library.collection import collect, stored, zoo

runner = CliRunner()
OTTERS = "https://www.zoo.example/otters"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(zoo(tmp_path / "zoo"))


def run(*arguments: str) -> Result:
    return runner.invoke(app, ["show", *arguments])


def test_facts_and_text(folder: str) -> None:
    result = run(folder, "HTTPS://WWW.zoo.example:443/otters#top")
    assert result.exit_code == 0
    for part in ("All about otters", OTTERS, "0.900, counts as found", "1 hop from a seed", "Otters swim in rivers."):
        assert part in result.stdout
    assert all(len(line) <= 100 for line in result.stdout.splitlines())


def test_text_and_html(folder: str) -> None:
    text = run(folder, OTTERS, "--text").stdout
    assert text.startswith("Otters swim")
    assert text.count("\n") == 1
    html = run(folder, OTTERS, "--html")
    assert html.stdout_bytes.startswith(b"<title>All about otters</title><p>Otters swim")
    assert html.stdout_bytes.endswith(b"</p>")


def test_headers(folder: str) -> None:
    assert "Content-Type: text/html; charset=utf-8" in run(folder, OTTERS, "--headers").stdout
    assert ["Content-Type", "text/html; charset=utf-8"] in json.loads(run(folder, OTTERS, "--headers", "--json").stdout)


def test_links_in_both_directions(tmp_path: Path) -> None:
    here, there = "http://a.example/", "http://b.example/"
    links = (Link(url=there, source=here, anchor="over\x1b[1m there"), Link(url="http://c.example/", source=here))
    collect(tmp_path, [stored(here, "here", links=links), stored(there, "there")])
    out = run(str(tmp_path), here, "--links").stdout.splitlines()
    assert out[0].expandtabs(1).split(maxsplit=1) == [there, "over [1m there"]
    assert len(out) == 2
    back = json.loads(run(str(tmp_path), there, "--backlinks", "--json").stdout)
    assert [(link["source"], link["url"]) for link in back] == [(here, there)]
    assert run(str(tmp_path), there, "--backlinks").stdout.startswith(here)
    assert json.loads(run(str(tmp_path), there, "--links", "--json").stdout) == []


def test_for_machines(folder: str) -> None:
    shown = json.loads(run(folder, OTTERS, "--json").stdout)
    assert (shown["url"], shown["relevance"], shown["depth"]) == (OTTERS, 0.9, 1)
    assert shown["text"].startswith("Otters swim")
    assert json.loads(run(folder, OTTERS, "--json", "--text").stdout) == shown["text"]


def test_a_page_that_asks_not_to_be_indexed(folder: str) -> None:
    assert "asks not to be indexed" in run(folder, "https://secret.example/").stdout
    result = run(folder, "https://secret.example/", "--html")
    assert result.exit_code == 3
    assert "was not kept" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["https://www.zoo.example/otter"], 3, "The nearest it has is https://www.zoo.example/otters"),
        (["https://nowhere.example/"], 3, "It knows no URL of that host"),
        (["https://www.zoo.example/map"], 3, "was not fetched (waiting)"),
        (["https://old.example/"], 3, "has moved: show https://www.zoo.example/otters"),
        (["ftp://x"], 2, "is no URL"),
        ([OTTERS, "--text", "--links"], 2, "One part at a time"),
        ([OTTERS, "--html", "--json"], 2, "leave --json out"),
    ],
)
def test_mistakes(folder: str, arguments: list[str], code: int, message: str) -> None:
    result = run(folder, *arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stdout == ""


def test_no_library_there(tmp_path: Path) -> None:
    assert run(str(tmp_path), OTTERS).exit_code == 3
