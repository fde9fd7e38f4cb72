"""`revisit`, `changes` and `show --at --diff`, as a person types them, against a server on this machine."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from scenthound.library import open_library
from tests.revisit.changing_web import ChangingWeb, html, prose, serving_aside
from tests.watchdog import PATIENCE

runner = CliRunner()
HERE = "127.0.0.1"


def run(*arguments: object) -> Result:
    return runner.invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def web() -> Iterator[ChangingWeb]:
    changing = ChangingWeb()
    changing.put("/", html(prose("start"), "/a", "/b", "/lost"), HERE)
    changing.put("/a", html(prose("alpha")), HERE)
    changing.put("/b", html(prose("beta")), HERE)
    with serving_aside(changing):
        yield changing


@pytest.fixture
def folder(web: ChangingWeb, tmp_path: Path) -> Path:
    """The library of a crawl made ten days ago."""
    path = tmp_path / "hounds"
    result = run(
        "crawl", "hounds", "-s", web.url("/", HERE), "--into", path, "--allow-private", "--delay", 0, "-q",
        "--threshold", 0.02,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    database = sqlite3.connect(path / "library.db")
    back = 10 * 86_400
    database.execute(f"UPDATE pages SET first_at = first_at - {back}, fetched_at = fetched_at - {back}, checked_at = 0")
    database.execute(f"UPDATE versions SET at = at - {back}")
    database.commit()
    database.close()
    web.log.clear()
    return path


def change(web: ChangingWeb) -> None:
    web.put("/", html(prose("start") + " Puppies were born.", "/a", "/b", "/lost", "/new"), HERE)
    web.put("/new", html(prose("new")), HERE)
    web.put("/a", html("Now about cars. " + " ".join(f"car{n}" for n in range(30)), title="Cars"), HERE)


def test_a_round_and_what_it_brought(web: ChangingWeb, folder: Path) -> None:
    change(web)
    result = run("revisit", folder, "--requests", 20)
    assert result.exit_code == 0, result.output
    for part in ("1 unchanged", "2 changed", "1 new page (1 relevant)"):
        assert part in result.output
    assert len([asked for asked in web.log if asked.path != "/robots.txt"]) <= 20
    assert web.not_modified == 1

    shown = run("changes", folder, "--since", "1d").stdout
    assert "lost its relevance" in shown
    assert "+ Puppies were born." in shown
    assert f"{web.url('/new', HERE)}" in shown
    assert "/b" not in shown

    news = json.loads(run("changes", folder, "--json").stdout)
    assert {item["sort"] for item in news} == {"new", "changed", "lost its relevance"}
    assert {"op": "new", "text": "Puppies were born."} in next(i for i in news if i["sort"] == "changed")["diff"]

    digest = run("changes", folder, "--markdown").stdout
    assert "## No longer about the topic (1)" in digest
    feed = folder / "feed.xml"
    assert run("changes", folder, "--atom", feed).stdout.strip() == str(feed)
    assert len(list(ElementTree.parse(feed).getroot().iter("{http://www.w3.org/2005/Atom}entry"))) == 3
    assert "Freshness" in (folder / "report.html").read_text()

    found = run("search", folder, "puppies").stdout
    assert web.url("/", HERE).split("//")[1].rstrip("/") in found, "the search knows the new text"


def test_broken_links_and_who_holds_them(web: ChangingWeb, folder: Path) -> None:
    fields = run("changes", folder, "--broken").stdout.strip().expandtabs(1).split()
    assert fields[:4] == [web.url("/lost", HERE), "status:", "404", web.url("/", HERE)]
    (broken,) = json.loads(run("changes", folder, "--broken", "--json").stdout)
    assert broken["holders"][0]["anchor"] == "more on hounds"


def test_versions_of_a_page(web: ChangingWeb, folder: Path) -> None:
    start = web.url("/", HERE)
    assert "has not changed" in run("show", folder, start, "--diff").output
    change(web)
    run("revisit", folder, "--requests", 20, "--discover", 0)
    diff = run("show", folder, start, "--diff").stdout
    assert "+ Puppies were born." in diff
    assert json.loads(run("show", folder, start, "--diff", "--json").stdout)["diff"][-1]["op"] == "new"
    assert len(run("show", folder, start, "--versions").stdout.splitlines()) == 2
    assert [
        item["title"] for item in json.loads(run("show", folder, web.url("/a", HERE), "--versions", "--json").stdout)
    ] == [
        "Hounds",
        "Cars",
    ]
    day = time.strftime("%Y-%m-%d", time.localtime(time.time() - 5 * 86_400))
    then = run("show", folder, start, "--at", day, "--text").stdout
    assert "Puppies" not in then
    assert "Puppies" in run("show", folder, start, "--text").stdout
    assert "+ Puppies were born." in run("show", folder, start, "--at", day, "--diff").stdout
    assert b"Puppies" not in run("show", folder, start, "--at", day, "--html").stdout_bytes
    assert "Hounds" in run("show", folder, web.url("/a", HERE), "--at", day).stdout.splitlines()[0]
    early = run("show", folder, start, "--at", "2001-01-01")
    assert early.exit_code == 3
    assert "was not stored before" in early.output
    assert run("show", folder, start, "--at", day, "--links").exit_code == 2


def test_nothing_is_asked_in_a_dry_run(web: ChangingWeb, folder: Path) -> None:
    shown = run("revisit", folder, "--requests", 2, "--discover", 0, "--dry-run")
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == 2
    assert len(json.loads(run("revisit", folder, "--dry-run", "--json").stdout)) == 3
    assert web.log == []


@pytest.mark.parametrize("policy", ["learned", "rates", "uniform", "proportional", "documents"])
def test_every_policy(web: ChangingWeb, folder: Path, policy: str) -> None:
    result = run("revisit", folder, "--requests", 10, "--policy", policy, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["looks"] == {"same": 3}


def test_nothing_is_due_right_after(web: ChangingWeb, folder: Path) -> None:
    run("revisit", folder)
    assert "nothing was due" in run("revisit", folder).output
    assert "Nothing new" in run("changes", folder, "--since", "2d").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["revisit", "FOLDER", "--every", "soon"], "no length of time"),
        (["revisit", "FOLDER", "--for", "0h"], "no length of time"),
        (["revisit", "FOLDER", "--policy", "lerned"], "Did you mean 'learned'?"),
        (["changes", "FOLDER", "--since", "someday"], "no date"),
        (["changes", "FOLDER", "--json", "--markdown"], "at a time"),
        (["changes", "FOLDER", "--broken", "--markdown"], "Broken links"),
    ],
)
def test_mistakes_are_explained(folder: Path, arguments: list[str], words: str) -> None:
    result = run(*(str(folder) if word == "FOLDER" else word for word in arguments))
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())


def test_no_library_and_a_busy_one(folder: Path, tmp_path: Path) -> None:
    for command in ("revisit", "changes"):
        missing = run(command, tmp_path / "nothing")
        assert missing.exit_code == 3
        assert "There is no library" in missing.output
    with open_library(folder):
        busy = run("revisit", folder)
    assert busy.exit_code == 3
    assert "is writing to" in busy.output


def test_without_end_until_somebody_says_stop(web: ChangingWeb, folder: Path) -> None:
    words = ["scenthound", "revisit", str(folder), "--every", "6h", "--requests", "3"]
    program = f"import sys; sys.argv = {words!r}; from scenthound.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert "unchanged" in line
    assert "; next 20" in line
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert out == ""
    assert "Stopping" in error


def test_now_does_not_wait_and_a_url_is_looked_at_alone(web: ChangingWeb, folder: Path) -> None:
    run("revisit", folder)
    told = run("revisit", folder).stdout
    assert "The first page is due" in told
    assert f"scenthound revisit {folder} --now" in told
    again = json.loads(run("revisit", folder, "--now", "--discover", 0, "--json").stdout)
    assert again["looks"] == {"same": 3}
    web.log.clear()
    page = json.loads(run("export", folder).stdout.splitlines()[0])["url"]
    one = run("revisit", folder, page.partition("://")[2], "--json")
    assert json.loads(one.stdout)["looks"] == {"same": 1}, one.output
    unknown = run("revisit", folder, "http://nowhere.test/")
    assert (unknown.exit_code, "was never seen" in unknown.stderr) == (3, True)


def test_a_dry_run_says_when_and_why(web: ChangingWeb, folder: Path) -> None:
    first = run("revisit", folder, "--dry-run").stdout.splitlines()[0]
    assert first.startswith("in  0:00")
    assert "not looked at since it came" in first
    run("revisit", folder)
    assert run("revisit", folder, "--dry-run").stdout.startswith("Nothing is due. The first page is due")
    due = json.loads(run("revisit", folder, "--now", "--dry-run", "--json").stdout)
    assert [page["why"].partition(",")[0] for page in due] == ["changed in 0 of 1 look"] * 3


def test_what_the_first_crawl_brought_is_no_news(web: ChangingWeb, folder: Path) -> None:
    shown = run("changes", folder, "--since", "1y")
    assert "Nothing new" in shown.stdout
    everything = run("changes", folder, "--since", "1y", "--first", "-n", 2, "--order", "relevance").stdout
    assert everything.count("new  ") == 2
    assert "1 more; for all of them: -n 0" in everything
    assert run("changes", folder, "--order", "size").exit_code == 2
