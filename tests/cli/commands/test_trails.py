"""`trails` as a person types it: from a browser's file to lessons, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from scenthound.training import load_lessons
from scenthound.training.training_store import TrainingStore
from tests.fetch.recorded import http, record, write
from tests.fetch.seed_sources.engines import Engine, engine
from tests.training.browser_files import (
    AT,
    C_LINK,
    C_TYPED,
    CHAIN_END,
    CHAIN_START,
    LINK,
    MOVED,
    SERVER_REDIRECT,
    TYPED,
    Visit,
    chromium,
    chromium_bookmarks,
    firefox,
)

SECRET = "http://secret.test/bank?token=1"
SETTINGS = '[topic]\nname = "trams"\n[politeness]\ndelay = 0.0\n'
PAGES = {
    "/city": '<title>City</title><p>a town <a href="/transport">t</a> <a href="/museums">m</a>',
    "/transport": "<title>Transport</title><p>buses",
    "/museums": '<title>Museums</title><p>old paintings, statues, vases and coins <a href="/tram">tram</a>',
    "/tram": "<title>Tram museum</title><p>trams and rails",
}

runner = CliRunner()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "topic.toml").write_text(SETTINGS)
    return tmp_path


@pytest.fixture
def town() -> Iterator[Engine]:
    with engine({path: (200, "text/html", html) for path, html in PAGES.items()}) as running:
        yield running


def run(*words: str, typed: str = "") -> Result:
    return runner.invoke(app, ["trails", *words], input=typed)


def browsed(town: Engine, link: int, typed: int, redirect: int) -> list[Visit]:
    """City, transport, back, museums by way of an old address, the tram museum; and something private in between."""
    return [
        (1, town.url("/city"), 0, 0, typed),
        (2, town.url("/transport"), 10, 1, link),
        (3, SECRET, 15, 1, link),
        (4, town.url("/old-museums"), 20, 1, link),
        (5, town.url("/museums"), 20, 4, redirect),
        (6, town.url("/tram#map"), 30, 5, link),
    ]


@pytest.mark.parametrize("browser", ["firefox", "chromium"])
def test_from_a_browsers_history_to_lessons(town: Engine, here: Path, browser: str) -> None:
    if browser == "firefox":
        firefox(here / "history", browsed(town, LINK, TYPED, MOVED), {"Trams": [town.url("/tram")], "Bank": [SECRET]})
        marks = ["--bookmark-folder", "trams"]
    else:
        whole = CHAIN_START | CHAIN_END
        chromium(here / "history", browsed(town, C_LINK | whole, C_TYPED | whole, C_LINK | SERVER_REDIRECT | CHAIN_END))
        chromium_bookmarks(here / "Bookmarks", {"Trams": [town.url("/tram")], "Bank": [SECRET]})
        marks = ["--bookmarks", "Bookmarks"]
    result = run("import", "x", "history", "--host", "127.0.0.1", "--allow-private", *marks)
    assert result.exit_code == 0, result.output
    assert "1 trail (1 new) over 4 pages, 4 of them at hand; 1 marked relevant, 0 not." in result.stdout
    assert sorted(path for path, _ in town.asked) == ["/city", "/museums", "/robots.txt", "/tram", "/transport"]
    lessons = load_lessons(here / "x")
    assert [page.title for page in lessons.pages] == ["City", "Transport", "Museums", "Tram museum"]
    assert lessons.states == (2, -1, 1, 0)
    assert lessons.edges == ((0, 1), (0, 2), (2, 3))
    assert lessons.sequences == ((0, 1), (0, 2, 3))
    for path in (here / "x").rglob("*"):
        assert path.is_dir() or b"secret" not in path.read_bytes(), path

    again = run("import", "x", "history", "--host", "127.0.0.1", "--json")
    told = json.loads(again.stdout)
    assert (told["trails"], told["new_trails"], told["relevant"]) == (1, 0, 1)
    assert len(town.asked) == 5  # nothing is asked for twice


def test_asking_page_by_page_goes_on_where_it_stopped(town: Engine, here: Path) -> None:
    (here / "t.txt").write_text("\n".join(map(town.url, ("/city", "/transport", "<", "/museums", "/tram"))).replace(
        town.url("<"), "<"
    ))  # fmt: skip
    first = run("import", "x", "t.txt", "--allow-private", "--ask", typed="n\nwhat\ns\nq\n")
    assert first.exit_code == 0, first.output
    assert "1 of 4  City" in first.stdout
    assert "a town" in first.stdout
    assert "Nothing can be learned before a page is relevant" in first.stdout
    second = run("import", "x", "--ask", typed="s\nn\ny\n")
    assert "1 of 3  Transport" in second.stdout  # skipped, so it is asked again
    assert TrainingStore(here / "x").marks() == {
        town.url("/city"): False, town.url("/museums"): False, town.url("/tram"): True,
    }  # fmt: skip
    third = run("import", "x", "--ask")  # no answer at all
    assert third.exit_code == 0
    assert "1 marked relevant, 2 not" in third.stdout


def test_show(town: Engine, here: Path) -> None:
    (here / "t.txt").write_text(f"{town.url('/city')}\n{town.url('/museums')}\n+ {town.url('/tram')}\n")
    run("import", "x", "t.txt", "--allow-private")
    result = run("show", "x")
    assert result.exit_code == 0, result.output
    assert "3 pages, 2 links among them, 1 target, 1 sequence\n  T0           1\n  T1           1\n" in result.stdout
    assert "    T2     City\n  → T1     Museums\n  → T0     Tram museum\n" in result.stdout
    assert "The picture: x/training/graph.html" in result.stdout
    assert "Tram museum" in (here / "x" / "training" / "graph.html").read_text()
    told = json.loads(run("show", "x", "--json", "-o", "p.html").stdout)
    assert (told["states"], told["picture"]) == ({"T0": 1, "T1": 1, "T2": 1}, "p.html")
    assert [step["state"] for step in told["sequences_shown"][0]] == [2, 1, 0]
    missing = run("show", "x", "--kind", "graph")
    assert (missing.exit_code, "scenthound trails collect x" in missing.stderr) == (2, True)


def test_collect_from_a_recording(here: Path) -> None:
    base = "http://town.test"
    records = [record(base + path, http(html.encode())) for path, html in PAGES.items()]
    write(here / "web.warc.gz", *records)
    result = run("collect", "x", "--from", "web.warc.gz", "--target", f"{base}/tram", "--sequences", "30")
    assert result.exit_code == 0, result.output
    assert "3 pages, 2 links among them, 1 target\n  T0           1\n" in result.stdout
    lessons = load_lessons(here / "x")
    assert {page.title: state for page, state in zip(lessons.pages, lessons.states, strict=True)} == {
        "Tram museum": 0, "Museums": 1, "City": 2,
    }  # fmt: skip
    assert len(lessons.sequences) == 30
    told = json.loads(
        run("collect", "x", "--from", "web.warc.gz", "--target", f"{base}/tram", "-n", "2", "--json").stdout
    )
    assert told["pages"] == 2


def test_pages_from_a_recording_only(town: Engine, here: Path) -> None:
    write(here / "web.warc.gz", record("http://town.test/tram", http(b"<title>T</title>")))
    (here / "t.txt").write_text("http://town.test/city\n+ http://town.test/tram\n")
    nothing = run("import", "x", "t.txt", "--no-fetch")
    assert "2 pages, 0 of them at hand; 1 marked relevant" in nothing.stdout
    some = run("import", "x", "--warc", "web.warc.gz", "--no-fetch")
    assert "2 pages, 1 of them at hand" in some.stdout
    assert town.asked == []


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["import", "x"], 2, "has no trails yet"),
        (["import", "x", "missing"], 2, "There is no file missing"),
        (["import", "x", "history"], 2, "somebody's whole history with Firefox"),
        (["import", "x", "history", "--host", "other.test"], 2, "Nothing was visited that fits"),
        (["import", "x", "history", "--only", "nonsense"], 2, "scenthound:"),
        (["import", "x", "history", "--since", "someday"], 2, "is no date"),
        (["collect", "x"], 2, "no targets to collect from"),
        (["collect", "x", "--target", "http://a.test/"], 3, "no library in x to take backlinks from"),
        (["collect", "x", "--target", "http://a.test/", "--from", "nonsense"], 2, "no source called 'nonsense'"),
        (["show", "x"], 2, "nothing to learn from yet"),
    ],
)
def test_mistakes(here: Path, words: list[str], code: int, says: str) -> None:
    firefox(here / "history", [(1, "http://a.test/", 0, 0, TYPED)])
    result = run(*words)
    assert result.exit_code == code, result.output
    assert says in result.stderr
    assert not (here / "x" / "training" / "marks.jsonl").exists()


def test_since_and_gap(here: Path) -> None:
    visits = [
        (1, "http://a.test/1", 0, 0, TYPED),
        (2, "http://a.test/2", 600, 1, LINK),
        (3, "http://a.test/3", 700, 2, LINK),
    ]
    firefox(here / "history", visits)
    run("import", "x", "history", "--all", "--gap", "5", "--no-fetch")
    assert [trail.urls for trail in TrainingStore(here / "x").trails()] == [
        ("http://a.test/1",), ("http://a.test/2", "http://a.test/3"),
    ]  # fmt: skip
    moment = datetime.fromtimestamp(AT + 650).isoformat()
    run("import", "y", "history", "--since", moment, "--no-fetch")
    assert [trail.urls for trail in TrainingStore(here / "y").trails()] == [("http://a.test/3",)]


def test_help_says_what_is_copied() -> None:
    told = " ".join(run("import", "--help").stdout.split())
    assert "Only what you ask for is copied" in told
    assert "without your cookies" in told
