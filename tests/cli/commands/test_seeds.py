"""`seeds` as a person types it, against engines on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from scenthound import config as toml
from scenthound.app.crawl_plan import CrawlOptions, plan_crawl
from scenthound.cli.commands.seeds import seeds
from scenthound.cli.main import Program
from tests.fetch.seed_sources.engines import Engine, engine, wiki_categories, wiki_search

TITLES = [f"Dengue {number}" for number in range(1, 31)]

program = typer.Typer(cls=Program)
program.command()(seeds)
program.command()(lambda: None)  # a second one, so that the first keeps its name
runner = CliRunner()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def wiki() -> Iterator[Engine]:
    with engine({"/api.php": wiki_search(TITLES)}) as running:
        yield running


def run(*words: str, wiki: Engine | None = None) -> Result:
    source = ["--source", wiki.url("/api.php"), "--allow-private"] if wiki else []
    return runner.invoke(program, ["seeds", *words, *source])


def page(number: int) -> str:
    return f"https://en.wiki.test/wiki/Dengue_{number}"


def test_seeds_are_printed_best_first(wiki: Engine) -> None:
    result = run("dengue  fever", "--limit", "3", wiki=wiki)
    assert (result.exit_code, result.stdout) == (0, f"{page(1)}\n{page(2)}\n{page(3)}\n")
    assert wiki.asked[0][1]["gsrsearch"] == "dengue fever"
    assert len(run("dengue", wiki=wiki).stdout.splitlines()) == 20


def test_json(wiki: Engine) -> None:
    told = json.loads(run("dengue", "-n", "1", "--json", wiki=wiki).stdout)
    assert told == {
        "topic": "dengue",
        "source": f"127.0.0.1:{wiki.port}",
        "seeds": [{"url": page(1), "title": "Dengue 1"}],
        "note": "",
    }


def test_a_file_that_crawl_reads(wiki: Engine, here: Path) -> None:
    result = run("dengue", "-n", "2", "-o", "seeds.txt", wiki=wiki)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 seeds from 127.0.0.1" in result.stderr
    assert (here / "seeds.txt").read_text().splitlines()[1:] == ["# Dengue 1", page(1), "# Dengue 2", page(2)]
    plan = plan_crawl("dengue", CrawlOptions(seeds_file=here / "seeds.txt"))
    assert plan.config.crawl.seeds == [page(1), page(2)]


def test_a_new_library_can_be_crawled(wiki: Engine, here: Path) -> None:
    result = run("dengue, fever", "-n", "2", "--into", "x/y", "--language", "pt", "--contact", "me@a.test", wiki=wiki)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "scenthound crawl x/y" in result.stderr
    settings = plan_crawl("x/y", CrawlOptions()).config
    assert settings.crawl.seeds == [page(1), page(2)]
    assert (settings.topic.name, settings.topic.keywords) == ("dengue, fever", ["dengue", "fever"])
    assert (settings.topic.language, settings.politeness.contact) == ("pt", "me@a.test")
    assert "me@a.test" in wiki.headers[0]["User-Agent"]


OWNED = """# my crawl
[topic]
name = "dengue"   # the disease

[crawl] # how
pages = 7
seeds = [ # where
  'https://a.test/x]y',  # a bracket
  "{page}",
] # the end
strategy = {{ name = "best-n-first", n = 10 }}

[politeness]
delay = 0
"""


def test_a_library_keeps_all_but_its_seeds(wiki: Engine, here: Path) -> None:
    (here / "topic.toml").write_text(OWNED.format(page=page(2)))
    result = run("-n", "3", "--into", ".", wiki=wiki)
    assert result.exit_code == 0
    assert "2 new seeds" in result.stderr
    assert wiki.asked[0][1]["gsrsearch"] == "dengue"
    text = (here / "topic.toml").read_text()
    assert toml.load(here / "topic.toml").crawl.seeds == ["https://a.test/x]y", page(2), page(1), page(3)]
    last = f'  "{page(2)}",\n'
    assert text == OWNED.format(page=page(2)).replace(last, f'{last}  "{page(1)}",\n  "{page(3)}",\n')


def test_a_category() -> None:
    with engine(
        {"/api.php": wiki_categories({"Category:Flies": ["Fly", "Category:Gnats"], "Category:Gnats": ["Gnat"]})}
    ) as wiki:
        result = run("Flies", "--category", "--depth", "1", wiki=wiki)
    assert result.stdout == "https://en.wiki.test/wiki/Fly\nhttps://en.wiki.test/wiki/Gnat\n"


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], 2, 'scenthound seeds "dengue fever"'),
        (["  "], 2, "Say what to search for"),
        (["x" * 301], 2, "300"),
        (["dengue", "--source", "gogle"], 2, "no source called 'gogle'"),
        (["dengue", "--limit", "500"], 2, "--limit"),
        (["dengue", "--into", "a", "-o", "b"], 2, "not both"),
        (["dengue", "--language", "12"], 2, "is no language"),
        (["dengue", "--source", "http://127.0.0.1:9/api.php"], 6, "add --allow-private"),
        (["dengue", "--source", "http://127.0.0.1:9/api.php", "--allow-private"], 6, "could not be asked"),
    ],
    ids=str,
)
def test_mistakes_are_named_and_leave_nothing_behind(here: Path, words: list[str], code: int, says: str) -> None:
    result = runner.invoke(program, ["seeds", *words])
    assert result.exit_code == code
    assert says in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert list(here.iterdir()) == []


def test_nothing_found_is_said(wiki: Engine, here: Path) -> None:
    wiki.routes["/api.php"] = wiki_search([])
    result = run("dengue", "--into", "x", wiki=wiki)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "found nothing for 'dengue'" in result.stderr
    assert list(here.iterdir()) == []


def test_a_source_that_fails_halfway_is_named(wiki: Engine) -> None:
    search = wiki_search([f"Dengue {number}" for number in range(200)])
    assert callable(search)
    wiki.routes["/api.php"] = lambda asked: search(asked) if "gsroffset" not in asked else (404, "text/html", "gone")
    result = run("dengue", "--limit", "60", wiki=wiki)
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 50)
    assert "There may be more" in result.stderr
    assert "HTTP 404" in result.stderr
