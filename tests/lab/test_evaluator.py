from pathlib import Path

import pytest

from scenthound.errors import ConfigError, LibraryMissing, UsageError
from scenthound.lab import evaluator
from scenthound.library import open_library
from tests.lab.small import HOME, page, write_web
from tests.small_web import crawl_of

HOUNDS = page("the bloodhound follows a scent for miles; hounds hunt by scent and bay when the trail is warm")
STAMPS = page("stamps and postal history, perforations, watermarks, first day covers and rare errors of colour")
ONE, TWO, THREE = (f"{HOME}{name}" for name in ("one", "two", "three"))


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.html"
    path.write_text(HOUNDS)
    return path


def scored(crawl: evaluator.FinishedCrawl, example: Path, targets: list[str] | None = None) -> dict[str, float]:
    terms, named = evaluator.example_pages(example, crawl, None, "en")
    found = evaluator.score(crawl, terms, (), targets or [], named)
    return {name: each.final for name, each in found.measured.items()}


def test_another_crawlers_pages_in_the_order_of_its_list(tmp_path: Path, example: Path) -> None:
    warc = write_web(tmp_path / "other.warc.gz", {ONE: STAMPS, TWO: HOUNDS, THREE: STAMPS})
    order = tmp_path / "order.txt"
    order.write_text(f"# as fetched\n{TWO} 200\n{HOME}missing\n{ONE}\n")
    crawl = evaluator.finished_crawl(None, [warc], order)
    assert [(request.url, request.ok) for request in crawl.requests] == [
        (TWO, True),
        (f"{HOME}missing", False),
        (ONE, True),
    ]
    figures = scored(crawl, example, [TWO, THREE])
    assert figures["harvest-ratio"] == 0.5
    assert 0.5 <= figures["average-similarity"] < 0.7
    assert figures["target-recall"] == 0.5
    assert figures["requests"] == 3


def test_a_folder_of_html_files_and_of_warc_files(tmp_path: Path, example: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_text(HOUNDS.replace("<title>", f'<link rel="canonical" href="{ONE}"><title>'))
    (pages / "b.htm").write_text(STAMPS)
    crawl = evaluator.finished_crawl(pages, [], None)
    assert [request.url for request in crawl.requests] == [ONE, (pages / "b.htm").as_uri()]
    assert scored(crawl, example)["harvest-ratio"] == 0.5
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    write_web(recordings / "x.warc", {ONE: HOUNDS})
    assert scored(evaluator.finished_crawl(recordings, [], None), example)["harvest-ratio"] == 1.0


async def test_our_own_library(tmp_path: Path, example: Path) -> None:
    web = {HOME: page("start", ONE, TWO, f"{HOME}gone").replace(f">{ONE}<", ">2<"), ONE: HOUNDS, TWO: STAMPS}
    web = {url: text.replace(f">{TWO}<", ">1<").replace(f">{HOME}gone<", ">0<") for url, text in web.items()}
    with crawl_of(tmp_path / "library", web, seeds=(HOME,)) as crawl:
        await crawl.run()
    with open_library(tmp_path / "library", write=False):
        pass
    finished = evaluator.finished_crawl(tmp_path / "library", [], None)
    assert [request.url for request in finished.requests if request.ok] == [HOME, ONE, TWO]
    figures = scored(finished, example, [ONE, f"{HOME}gone"])
    assert figures["harvest-ratio"] == pytest.approx(1 / 3)
    assert figures["target-recall"] == 0.5
    assert figures["requests"] == 4


async def test_recordings_are_read_inside_an_event_loop_too(tmp_path: Path) -> None:
    """As in a notebook, which has one that runs already."""
    warc = write_web(tmp_path / "w.warc", {ONE: HOUNDS})
    assert [request.url for request in evaluator.finished_crawl(None, [warc], None).requests] == [ONE]


def test_examples_may_be_named_by_url_and_are_no_targets_then(tmp_path: Path) -> None:
    warc = write_web(tmp_path / "w.warc", {ONE: HOUNDS, TWO: HOUNDS, THREE: STAMPS})
    crawl = evaluator.finished_crawl(None, [warc], None)
    examples = tmp_path / "examples.txt"
    examples.write_text(f"{ONE}\n")
    terms, named = evaluator.example_pages(examples, crawl, None, "en")
    found = evaluator.score(crawl, terms, (), [ONE, TWO], named)
    assert found.targets == 1
    examples.write_text(f"{HOME}elsewhere\n")
    with pytest.raises(ConfigError, match="HTML file"):
        evaluator.example_pages(examples, crawl, None, "en")


def test_counterexamples_train_a_classifier(tmp_path: Path, example: Path) -> None:
    pytest.importorskip("sklearn")
    warc = write_web(tmp_path / "w.warc", {ONE: HOUNDS, THREE: STAMPS})
    crawl = evaluator.finished_crawl(None, [warc], None)
    terms, _ = evaluator.example_pages(example, crawl, None, "en")
    against = [crawl.terms[1]]
    assert evaluator.score(crawl, terms, against).measured["harvest-rate"].final == 0.5


def test_what_cannot_be_scored_is_said(tmp_path: Path, example: Path) -> None:
    with pytest.raises(UsageError, match="Say what to score"):
        evaluator.finished_crawl(None, [], None)
    with pytest.raises(UsageError, match="--warc"):
        evaluator.finished_crawl(None, [], tmp_path / "order.txt")
    with pytest.raises(LibraryMissing, match="no folder"):
        evaluator.finished_crawl(tmp_path / "none", [], None)
    (tmp_path / "empty").mkdir()
    with pytest.raises(LibraryMissing, match="neither HTML nor WARC"):
        evaluator.finished_crawl(tmp_path / "empty", [], None)
    with pytest.raises(UsageError, match="nothing to score"):
        evaluator.score(evaluator.FinishedCrawl("x", [], []), [])
