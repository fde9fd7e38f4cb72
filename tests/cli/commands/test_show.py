import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
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


def test_a_terminal_is_sent_nothing_it_would_obey(tmp_path: Path) -> None:
    """A title of the window, a colour, a bell, a line that writes over itself; in a pipe the page is what it was."""
    evil = b"<title>x</title><p>\x1b]0;owned\x07 \x1b[31mred \xc2\x9b31m over\rwritten\r\n\tend otters"
    collect(tmp_path, [stored(OTTERS, "x", body=evil)])
    shown = in_a_terminal("show", str(tmp_path), OTTERS, "--html")
    assert b"owned" in shown
    assert b"\tend otters" in shown.expandtabs(8).replace(b"        ", b"\t")
    for obeyed in (b"\x1b", b"\x07", b"\xc2\x9b", b"over\r"):
        assert obeyed not in shown
    assert run(str(tmp_path), OTTERS, "--html").stdout_bytes == evil


def in_a_terminal(*arguments: str) -> bytes:
    """What a program writes that has a terminal for its output."""
    master, slave = pty.openpty()
    command = [sys.executable, "-c", "from scenthound.cli.main import main; main()", *arguments]
    with subprocess.Popen(command, stdout=slave, stderr=subprocess.PIPE) as program:
        os.close(slave)
        written = bytearray()
        with suppress(OSError):  # a terminal whose program has ended is no file any more
            while piece := os.read(master, 65_536):
                written += piece
        assert program.stderr is not None
        assert (program.wait(), program.stderr.read()) == (0, b"")
    os.close(master)
    return bytes(written)
