"""`coverage` and `crawl --until` as people type them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound import config as toml
from scenthound.cli.main import app
from tests.served_pages import serving_pages

runner = CliRunner()
PAGES = {
    f"/{n}": f"<title>birds {n}</title><p>birds and the song number{n} of birds word{n * 7} thing{n * 11}</p>"
    + "".join(f"<a href=/{m}>birds {m}</a> " for m in range(n + 1, min(n + 4, 70)))
    for n in range(70)
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return runner.invoke(app, list(arguments))


def crawl(site: str, seed: int, into: str, *more: str) -> Result:
    fast = ["--strategy", "best-first", "--delay", "0", "--allow-private", "--into", into]
    return run("crawl", "birds", "-s", f"{site}/{seed}", *fast, *more)


def test_a_crawl_that_reaches_its_coverage_says_so_everywhere() -> None:
    with serving_pages(PAGES) as site:
        done = crawl(site, 0, "one", "--until", "recall=0.6", "--confidence", "0.5", "--json", "-q")
    summary = json.loads(done.stdout.splitlines()[-1])
    assert (done.exit_code, summary["ending"], summary["reason"]) == (0, "coverage reached", "coverage reached")
    assert summary["coverage"]["recall"] >= 0.6
    assert summary["coverage"]["drawn"] >= 5
    kept = toml.load(Path("one/topic.toml")).crawl
    assert (kept.until, kept.confidence) == (["recall=0.6"], 0.5)
    status = json.loads(run("status", "one", "--json").stdout)
    assert (status["runs"][0]["reason"], status["coverage"]["unknown"]) == ("coverage reached", "")
    assert "Of the relevant pages that can be reached about" in run("status", "one").stdout
    assert "coverage reached" in run("status", "one").stdout
    report = Path("one/report.html").read_text(encoding="utf-8")
    assert "Of the relevant pages that can be reached about" in report
    assert "coverage reached" in report
    words = run("coverage", "one", "--confidence", "0.9").stdout
    assert "with confidence 0.9)" in words


def test_two_crawls_from_other_seeds() -> None:
    with serving_pages(PAGES) as site:
        crawl(site, 0, "one", "--pages", "30", "-q")
        crawl(site, 10, "other", "--pages", "30", "-q")
    both = json.loads(run("coverage", "one", "other", "--json").stdout)["at_large"]
    assert (both["first"], both["second"]) == (30, 30)
    assert both["total"] >= both["first"] + both["second"] - both["both"]
    told = run("coverage", "one", "other").stdout
    assert "30 relevant pages in the one, 30 in the other" in told
    assert "knew nothing of each other" in told
    assert run("coverage", "one", "one").exit_code == 2


def test_where_no_page_was_drawn_it_says_how_to_have_some_drawn() -> None:
    with serving_pages(PAGES) as site:
        crawl(site, 0, "plain one", "--pages", "60", "-q")
    told = run("coverage", "plain one").stdout
    assert "fewer than 5 pages were drawn at random" in told
    assert "crawl 'plain one' --until recall=0.9" in told
    with serving_pages(PAGES) as site:
        crawl(site, 0, "drawn", "--until", "recall=0.99", "--pages", "60", "-q")
    assert "To have pages drawn" not in run("coverage", "drawn").stdout


@pytest.mark.parametrize(
    ("option", "told"),
    [("recall=2", "recall is a number between 0 and 1"), ("time=3", "say recall=0.9 or harvest=0.05")],
)
def test_a_rule_that_cannot_be_meant(option: str, told: str) -> None:
    done = run("crawl", "birds", "-s", "http://a.test/", "--until", option)
    assert (done.exit_code, Path("crawls").exists()) == (2, False)
    assert told in done.stderr


def test_pages_of_a_host() -> None:
    with serving_pages(PAGES) as site:
        done = crawl(site, 0, "few", "--host-pages", "12", "--json", "-q")
    summary = json.loads(done.stdout.splitlines()[-1])
    assert (summary["pages"], summary["ending"]) == (12, "frontier empty")
    assert toml.load(Path("few/topic.toml")).scope.host_pages == 12
