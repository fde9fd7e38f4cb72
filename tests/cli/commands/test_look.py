"""`look`, through the command line, at real WARC files and a real server."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from tests.fetch.recorded import http, record, write
from tests.served_pages import serving_pages

runner = CliRunner()
HOME = b"<title>Birds</title><a href='/robin'>r</a><a href='/wren'>w</a><a href='/gone'>g</a><a href='/lost'>l</a>"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def run(*arguments: str) -> Result:
    return runner.invoke(app, ["look", *arguments])


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return write(
        tmp_path / "web.warc.gz",
        record("http://a.test/robin", http(b"<a href='/'>home</a>"), warc_date="2024-05-01T00:00:00Z"),
        record("http://a.test/", http(HOME)),
        record("http://a.test/wren", http(b"<p>wren")),
        record("http://a.test/gone", http(b"no", status="404 Not Found")),
        record("http://a.test/logo", http(b"x", content_type="image/png")),
        record("http://b.test/", http(b"<title>Bees</title>"), warc_date="2024-09-09T00:00:00Z"),
    )


def test_what_a_recording_holds(recording: Path) -> None:
    found = json.loads(run(str(recording), "--json").stdout)
    assert (found["pages"], found["answers"]) == (4, 6)
    assert found["hosts"] == [{"host": "a.test", "pages": 3}, {"host": "b.test", "pages": 1}]
    assert found["other"] == {"status 404": 1, "image/png": 1}
    assert found["last_at"] - found["first_at"] == (31 + 28 + 1 + 31 + 30 + 31 + 30 + 31 + 31 + 8) * 86_400
    assert found["starts"][0] == {"url": "http://a.test/", "title": "Birds", "leads_to": 2}


def test_it_names_a_command_that_works(recording: Path) -> None:
    told = run(str(recording)).stdout
    assert "4 pages of 2 hosts" in told
    assert "recorded from 2024-01-01" in told
    command = told.rpartition("scenthound ")[2].split()
    command[command.index("TOPIC")] = "birds"
    done = runner.invoke(app, [*command, "--pages", "3", "--json", "-q"])
    assert json.loads(done.stdout)["pages"] == 3


def test_a_folder_is_all_the_recordings_in_it(recording: Path) -> None:
    (recording.parent / "more").mkdir()
    write(recording.parent / "more" / "c.warc", record("http://c.test/", http(b"<title>Crows</title>")))
    told = run(".").stdout
    assert "5 pages of 3 hosts in 2 files" in told


def test_a_damaged_one_says_so(recording: Path) -> None:
    recording.write_bytes(recording.read_bytes()[:-30])
    assert "damaged: " in run(str(recording)).stdout


@pytest.mark.parametrize(
    ("what", "code", "message"),
    [
        ("gone.warc.gz", 2, "There is no gone.warc.gz"),
        ("text.warc", 4, "is no WARC file"),
        (".", 4, "no HTML file"),
    ],
)
def test_what_cannot_be_looked_at(what: str, code: int, message: str, tmp_path: Path) -> None:
    if what == "text.warc":
        (tmp_path / what).write_text("nothing of the kind\n")
    done = run(what)
    assert (done.exit_code, message in done.stderr) == (code, True), done.stderr


def test_a_page_of_the_web() -> None:
    with serving_pages({"/": HOME.decode()}) as site:
        told = run(f"{site}/", "--allow-private").stdout
        assert told.splitlines()[:2] == ["Birds", f"{site}/"]
        assert "4 links to 1 host" in told
        assert f"scenthound crawl TOPIC --seed {site}/" in told
        missing = run(f"{site}/missing", "--allow-private")
        assert (missing.exit_code, "brings no page: 404 not found" in missing.stderr) == (7, True)
        assert "needs --allow-private" in run(f"{site}/").stderr
