"""The whole way of a learning crawler on the built-in web: a crawl, a browser's history, training, a crawl by it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound.cli.main import app
from scenthound.library import open_library
from tests.training.browser_files import LINK, TYPED, Visit, firefox

runner = CliRunner()


def run(*words: str) -> Result:
    return runner.invoke(app, list(words))


def browsing(folder: Path) -> tuple[list[Visit], list[str]]:
    """A person's ways to relevant pages, along links that are there: the ways the crawl took, the longest first."""
    visits: list[Visit] = []
    relevant: list[str] = []
    with open_library(folder, write=False) as library:
        pages = sorted((page for page in library.pages() if page.relevant), key=lambda page: -page.depth)
        for page in pages[::2]:  # every other one, so that some ways lead over pages nobody marked
            way = [page.url]
            while (row := library.url_row(way[-1])) is not None and row.link.source:
                way.append(row.link.source)
            for step, url in enumerate(reversed(way)):
                number = len(visits) + 1
                visits.append((number, url, 10.0 * number, number - 1 if step else 0, LINK if step else TYPED))
            relevant.append(page.url)
    return visits, relevant


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built-in web crawled for a while, and what somebody browsed there imported."""
    here = tmp_path_factory.mktemp("train")
    folder = here / "demo"
    # Without delays the best link is always next, however fast the machine: the same pages every time.
    result = run(
        "crawl",
        "--demo",
        "--strategy",
        "best-first",
        "--pages",
        "120",
        "--delay",
        "0",
        "--into",
        str(folder),
        "--quiet",
    )
    assert result.exit_code == 0, result.output
    visits, relevant = browsing(folder)
    firefox(here / "places.sqlite", visits)
    (here / "relevant.txt").write_text("\n".join(relevant))
    result = run(
        "trails", "import", str(folder), str(here / "places.sqlite"), "--relevant", str(here / "relevant.txt"),
        "--no-fetch", "--all",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    return folder


def test_from_history_to_crawl(folder: Path) -> None:
    untrained = run("crawl", str(folder), "--strategy", "hmm", "--pages", "125", "--quiet")
    assert untrained.exit_code != 0
    assert "scenthound train" in untrained.output

    trained = run("train", str(folder), "--model", "crf")
    assert trained.exit_code == 0, trained.output
    for told in ("Training curve", "held back", "hops to a target", "0 hops", f"crawl {folder} --strategy crf"):
        assert told in " ".join(trained.output.split()), told

    listed = run("models", str(folder))
    assert listed.exit_code == 0
    assert listed.output.splitlines()[1].startswith("crf ")

    crawled = run("crawl", str(folder), "--strategy", "crf", "--pages", "150", "--quiet")
    assert crawled.exit_code == 0, crawled.output
    with open_library(folder, write=False) as library:
        assert library.counts().fetched == 150
        found = [row for host in library.queues() for row in library.waiting(host.host, 1000)]
    assert any(row.memory for row in found), "beliefs are kept with the links"


def test_how_it_went_as_json(folder: Path) -> None:
    result = run("train", str(folder), "--model", "memm", "--param", "features=words", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["model"] == "memm features=words"
    assert told["parameters"]["features"] == "words"
    assert sum(map(sum, told["report"]["confusion"])) == told["report"]["examined"]
    assert (folder / "models" / "memm features=words.model").is_file()
    again = run("models", str(folder), "memm features=words", "--json")
    assert json.loads(again.stdout) == told
    shown = run("models", str(folder), "memm features=words")
    assert "--strategy memm --param features=words" in " ".join(shown.output.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["train", "--model", "best-first"], "needs no training. Those that learn"),
        (["train", "--model", "crff"], "Did you mean 'crf'?"),
        (["train", "--model", "crf", "--param", "features=all of them"], "is one of all, words"),
        (["models", "nothing"], "has no model called 'nothing'. Train it: scenthound train"),
    ],
)
def test_mistakes(folder: Path, words: list[str], said: str) -> None:
    result = run(words[0], str(folder), *words[1:])
    assert result.exit_code not in (0, 70)
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize("model", ["memm", "crf"])
def test_what_is_not_installed(folder: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    result = run("train", str(folder), "--model", model)
    assert result.exit_code not in (0, 70)
    assert "needs scipy" in result.output
    assert "pip install 'scenthound[learn]'" in " ".join(result.output.split())


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    result = run("train", str(tmp_path), "--model", "crf")
    assert result.exit_code not in (0, 70)
    assert "trails import" in result.output
    assert "trails collect" in result.output
    none = run("models", str(tmp_path))
    assert "No model" in none.output


def test_a_model_that_is_none(folder: Path) -> None:
    broken = folder / "models" / "broken.model"
    broken.parent.mkdir(exist_ok=True)
    broken.write_bytes(b"PK no")
    try:
        result = run("models", str(folder))
        assert result.exit_code not in (0, 70)
        assert "is no model file" in result.output
    finally:
        broken.unlink()
