"""`scenthound judge`, as it is typed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scenthound import config as toml
from scenthound.cli.main import app
from scenthound.library import open_library
from tests.crawler.judged_library import BIRDS, FERNS, crawl, settings


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Crawled for birds; then its owner thought of ferns."""
    asyncio.run(crawl(tmp_path / "x", settings("birds")))
    toml.save(settings("birds", "ferns"), tmp_path / "x" / "topic.toml")
    return tmp_path / "x"


def test_it_shows_what_came_in_and_why(folder: Path) -> None:
    result = run("judge", folder)
    assert result.exit_code == 0
    said = " ".join(result.output.split())
    assert "3 of 5 pages count as found, 2 did before; judged by keywords, from 0.1 on." in said
    assert "Since they were last judged the topic has changed." in said
    assert "Came in: 1" in said
    assert "0.00 →" in said
    assert "a.test/ferns" in said
    assert "Went out" not in said
    again = " ".join(run("judge", folder).output.split())
    assert "3 of 5 pages count as found, 3 did before" in again
    assert "0 pages of another relevance" in again


def test_what_is_given_is_kept_and_told_as_json(folder: Path) -> None:
    result = run("judge", folder, "--threshold", "0.99", "--json")
    told = json.loads(result.stdout)
    assert (told["threshold"], told["judge"], told["changed"]) == (0.99, "keywords", ["topic", "threshold"])
    assert (told["judged"]["relevant_before"], told["judged"]["relevant"]) == (2, 0)
    assert {page["url"] for page in told["judged"]["now_out"]} >= {BIRDS}
    assert toml.load(folder / "topic.toml").crawl.threshold == 0.99


def test_a_threshold_of_another_scale_is_said_to_go(folder: Path) -> None:
    run("judge", folder, "--threshold", "0.3")
    said = " ".join(run("judge", folder, "--judge", "topic-vector").output.split())
    assert "from 0.01 on" in said
    assert "threshold = 0.3 was of another judge's scale and is taken out of topic.toml" in said


def test_while_a_crawl_holds_the_folder_it_says_so(folder: Path) -> None:
    with open_library(folder):
        result = run("judge", folder, "--threshold", "0.5")
    assert result.exit_code == 3
    assert "is writing to" in result.stderr
    assert toml.load(folder / "topic.toml").crawl.threshold is None


def test_what_is_no_library_is_said_to_be_none(tmp_path: Path) -> None:
    result = run("judge", tmp_path)
    assert result.exit_code == 3
    assert "There is no library in" in result.stderr


def test_a_judge_that_is_not_there_is_named(folder: Path) -> None:
    result = run("judge", folder, "--judge", "keyword")
    assert result.exit_code == 2
    assert "Did you mean 'keywords'?" in result.stderr
    with open_library(folder, write=False) as library:
        assert not library.page(FERNS).relevant  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """Options for a crawl of a recorded web, where the same crawl asks for the same pages."""
    web = tmp_path_factory.mktemp("web") / "demo"
    run("crawl", "orchids", "--demo", "--into", web, "--pages", 300, "--strategy", "breadth-first", "--delay", 0, "-q")
    seeds = toml.load(web / "topic.toml").crawl.seeds
    [recorded] = (web / "warc").glob("*.warc.gz")
    return ("--replay", recorded, *(word for seed in seeds for word in ("--seed", seed)))


def counted(*arguments: object) -> int:
    result = run("crawl", *arguments, "--json", "--quiet")
    assert result.exit_code == 0, result.output
    relevant: int = json.loads(result.stdout.splitlines()[-1])["relevant"]
    return relevant


def test_keywords_made_better_count_as_many_pages_as_if_they_had_been_so_from_the_start(
    tmp_path: Path, recording: tuple[object, ...]
) -> None:
    """A crawl, `topic --from-found`, and on: the pages that were there are counted by the new keywords."""
    old, new = tmp_path / "old", tmp_path / "new"
    common = ("--pages", 150, "--strategy", "breadth-first", "--judge", "keywords")
    first = counted("orchids", "--into", old, *recording, *common)
    assert run("topic", old, "--from-found").exit_code == 0
    again = counted(old)
    fresh = counted(old / "topic.toml", "--into", new)
    assert again == fresh > first
    with open_library(old, write=False) as went_on, open_library(new, write=False) as began:
        assert {page.url: page.relevance for page in went_on.pages()} == {
            page.url: page.relevance for page in began.pages()
        }
        assert sum(page.first_relevant and not page.duplicate_of for page in went_on.pages()) == first
    strict = counted(old, "--threshold", 0.5)
    assert strict < again
    assert counted(old) == strict, "what was given is kept with the topic"
