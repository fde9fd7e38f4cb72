"""`scenthound sites` as a person types it: a small built-in web over loopback HTTP."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound import config as toml
from scenthound.app import site_demo
from scenthound.cli.main import app
from scenthound.lab.generated.sites import SiteWeb

runner = CliRunner()
WEB = SiteWeb(seed=5, sites=60, classes=4)


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(site_demo, "web", lambda: WEB)
    monkeypatch.setattr(site_demo, "BUDGET", 60)
    monkeypatch.setattr(site_demo, "DELAY", 0.0)


def typed(*words: str) -> Result:
    return runner.invoke(app, ["sites", *words])


def test_a_demo_from_a_topic_alone_and_its_list_again() -> None:
    done = typed("--demo", "--into", "d")
    assert done.exit_code == 0, done.output
    assert "found on" in done.stdout
    assert "a seed" in done.stdout
    assert "60/60 pages" in done.stderr
    listed = len(re.findall(r"^ *\d+  \d\.\d\d  ", done.stdout, re.MULTILINE))
    assert f"The demo knows the truth. Of the {listed} relevant sites in the list" in done.stderr
    assert re.search(r"\(precision \d\.\d\d\).*\(recall \d\.\d\d\)", done.stderr)
    assert "relevant sites</h2>" in Path("d/report.html").read_text()
    again = typed("d", "--list")
    assert again.stdout == done.stdout
    assert again.stderr == ""


def test_a_crawl_for_pages_keeps_the_sites_in_the_report() -> None:
    typed("--demo", "--into", "d", "--quiet")
    Path("d/report.html").unlink()
    gone_on = runner.invoke(app, ["crawl", "d", "--pages", "60", "--strategy", "best-first", "--quiet"])
    assert gone_on.exit_code == 0, gone_on.output
    assert "relevant sites</h2>" in Path("d/report.html").read_text()


def test_the_list_for_programs() -> None:
    typed("--demo", "--into", "d", "--quiet")
    rows = [json.loads(line) for line in typed("d", "--list", "--json").stdout.splitlines()]
    assert rows
    assert all(row["relevant"] and row["pages"] >= 1 and row["strongest"] for row in rows)
    table = list(csv.DictReader(io.StringIO(typed("d", "--list", "--csv").stdout)))
    assert [row["site"] for row in table] == [row["site"] for row in rows]
    assert table[0]["confidence"] == str(rows[0]["confidence"])
    everything = typed("d", "--list", "--all", "--json").stdout.splitlines()
    assert len(everything) > len(rows)


def test_it_goes_on_where_it_stopped_and_then_shows_the_list() -> None:
    typed("--demo", "--into", "d", "--pages", "30", "--quiet")
    before = len(typed("d", "--list", "--all", "--json").stdout.splitlines())
    assert typed("d", "--pages", "80", "--quiet").exit_code == 0
    after = typed("d", "--list", "--all", "--json").stdout
    assert len(after.splitlines()) > before
    idle = typed("d", "--pages", "80", "--all", "--json")
    assert idle.stdout == after
    assert " 0 pages in" in idle.stderr


def test_it_learns_from_training_sites_once() -> None:
    relevant = set(WEB.relevant("orchids"))
    fronts = {
        kind: [s.homepage for s in WEB.sites if (s.key in relevant) is kind and s.theme >= 0] for kind in (True, False)
    }
    Path("good.txt").write_text("# good ones\n" + "\n".join(fronts[True][:3]))
    Path("bad.txt").write_text("\n".join(fronts[False][:4]))
    done = typed("--demo", "--into", "d", "--relevant-sites", "good.txt", "--other-sites", "bad.txt", "--pages", "25")
    assert done.exit_code == 0, done.output
    assert "Learning from 3 relevant sites and 4 others" in done.stderr
    assert Path("d/models/sites.npz").is_file()
    assert toml.load(Path("d/topic.toml")).sites.relevant == fronts[True][:3]
    again = typed("d", "--pages", "35")
    assert again.exit_code == 0
    assert "Learning" not in again.stderr
    told = runner.invoke(app, ["explain", "d", fronts[True][0]])
    assert told.exit_code == 0, told.output
    assert "judge: keywords" in told.stdout
    assert "The site" in told.stdout


def test_labelled_sites_are_listed_as_labelled_and_what_is_learned_is_said() -> None:
    typed("--demo", "--into", "d", "--quiet")
    rows = [json.loads(line) for line in typed("d", "--list", "--all", "--json").stdout.splitlines()]
    good, bad = [row["site"] for row in rows[:2]], [row["site"] for row in rows[-2:]]
    for sites, word in ((good, "--yes"), (bad, "--no")):
        assert runner.invoke(app, ["label", "d", *sites, word]).exit_code == 0
    run = typed("d")
    assert "Learning from 2 relevant sites and 2 others" in run.stderr
    assert "What labelled sites teach is" in run.stderr
    assert "What labelled sites teach is" in Path("d/report.html").read_text()
    again = typed("d", "--list", "--all")
    assert again.stdout.count(", labelled") == 4
    assert "What labelled sites teach is" in again.stderr
    told = [json.loads(line) for line in typed("d", "--list", "--all", "--json", "--quiet").stdout.splitlines()]
    assert [row["label"] for row in (told[0], told[-1])] == [True, False]
    assert all(row["check"].startswith("What labelled sites teach") for row in told)
    assert "as its label says" in runner.invoke(app, ["explain", "d", told[-1]["homepage"]]).stdout
    runner.invoke(app, ["label", "d", *good, *bad, "--undo"])
    taken_back = typed("d", "--all", "--json")
    assert [json.loads(line) for line in taken_back.stdout.splitlines()] == rows


def test_the_sites_found_can_be_gone_into() -> None:
    done = typed("--demo", "--into", "d", "--deepen", "15")
    assert done.exit_code == 0, done.output
    assert "Collecting 15 pages" in done.stderr
    assert "75/75 pages" in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "Say what to look for"),
        (("orchids",), "nowhere to start"),
        (("orchids", "-s", "http://a.test", "--kind", "hostel"), "--kind 'hostel' is unknown"),
        (("orchids", "-s", "http://a.test", "--weight", "x"), "--weight 'x' is unknown"),
        (("orchids", "-s", "http://a.test", "--relevant-sites", "no.txt"), "It takes both"),
        (("orchids", "-s", "http://a.test", "--csv", "--json"), "Choose one"),
        (("--demo", "stamps"), "The demo knows nothing of"),
        (("nothing-here", "--list"), "There is no library"),
        (("--list",), "Say which folder"),
    ],
)
def test_what_cannot_work_is_said_and_nothing_is_made(words: tuple[str, ...], complaint: str) -> None:
    done = typed(*words)
    assert done.exit_code in (2, 3)
    assert complaint in " ".join(done.stderr.split())
    assert not list(Path.cwd().rglob("library.db"))


def test_a_page_crawl_has_no_list_of_sites() -> None:
    runner.invoke(app, ["crawl", "--demo", "--into", "pages", "--pages", "3", "--quiet"])
    done = typed("pages", "--list")
    assert done.exit_code == 2
    assert "holds no crawl for sites" in done.stderr


def test_where_nothing_was_fetched_the_cause_and_the_next_command_are_named() -> None:
    done = typed("birds", "-s", "http://127.0.0.1:9/", "--into", "d")
    assert done.exit_code == 7
    cause = "private address: 127.0.0.1: loopback, needs --allow-private"
    assert f"  http://127.0.0.1:9/  {cause}" in done.stderr.splitlines()
    assert done.stderr.splitlines()[-1].endswith("scenthound sites d --allow-private")
