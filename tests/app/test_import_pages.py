import asyncio
from pathlib import Path

import pytest

from scenthound.app.export import export
from scenthound.app.import_pages import ImportOutcome, PageImport
from scenthound.config import load, save
from scenthound.crawler.examples import FOLDER, place_of
from scenthound.errors import ConfigError, UsageError
from scenthound.library import open_library

OTTERS = """<title>Otters</title><h1>River otters</h1>
<p>The river otter swims in rivers and eats fish. <a href=/food>otter food</a>"""
TAXES = "<title>Taxes</title><p>How to fill in a form about income, house and car."


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror" / "zoo.example"
    folder.mkdir(parents=True)
    (folder / "otters.html").write_text(OTTERS)
    (folder / "taxes.html").write_text(TAXES)
    return tmp_path / "mirror"


def imported(folder: Path, *sources: Path, topic: str = "") -> ImportOutcome:
    return asyncio.run(PageImport(folder, sources, topic=topic).run())


def test_pages_are_judged_and_found_like_crawled_ones(tmp_path: Path, mirror: Path) -> None:
    library = tmp_path / "otters"
    outcome = imported(library, mirror, topic="river otter")
    assert (outcome.pages, outcome.failed, outcome.known) == (2, 0, 0)
    with open_library(library) as opened:
        pages = {page.url: page for page in opened.pages()}
        otters, taxes = pages["http://zoo.example/otters.html"], pages["http://zoo.example/taxes.html"]
        assert otters.relevance > taxes.relevance
        assert otters.fetched_at == pytest.approx((mirror / "zoo.example" / "otters.html").stat().st_mtime, abs=1)
        waiting = opened.url_row("http://zoo.example/food")
        assert waiting is not None
        assert waiting.state == "waiting", "a crawl can go on from here"
        opened.update_search()
        assert [hit.url for hit in opened.search(["otter"]).hits] == [otters.url]
    again = imported(library, mirror)
    assert (again.pages, again.known) == (0, 2)


def test_what_was_exported_can_be_taken_in_elsewhere(tmp_path: Path, mirror: Path) -> None:
    imported(tmp_path / "first", mirror, topic="river otter")
    export(tmp_path / "first", tmp_path / "out.wacz")
    outcome = imported(tmp_path / "second", tmp_path / "out.wacz", topic="taxes and income")
    assert outcome.pages == 2
    with open_library(tmp_path / "second", write=False) as opened:
        relevance = {page.title: page.relevance for page in opened.pages()}
    assert relevance["Taxes"] > relevance["Otters"]


def test_links_wait_for_the_next_crawl(tmp_path: Path, mirror: Path) -> None:
    library, listed = tmp_path / "otters", tmp_path / "list.txt"
    listed.write_text("http://a.example/\nhttp://b.example/x\n")
    outcome = imported(library, mirror, listed, topic="river otter")
    assert (outcome.pages, outcome.links) == (2, 2)
    with open_library(library, write=False) as opened:
        row = opened.url_row("http://b.example/x")
        assert row is not None
        assert (row.state, row.link.kind) == ("waiting", "seed")
    again = imported(library, listed)
    assert (again.links, again.known_links) == (0, 2)
    with open_library(library, write=False) as opened:
        assert {run.reason for run in opened.runs()} == {"imported"}, "nothing was broken off, and links are left"


def test_examples_are_left_to_the_next_crawl_to_start_from(tmp_path: Path, mirror: Path) -> None:
    library, listed, example = tmp_path / "otters", tmp_path / "list.txt", "http://zoo.example/example"
    imported(library, mirror, topic="river otter")
    kept = place_of(library / FOLDER, example)
    kept.parent.mkdir()
    kept.write_text(OTTERS)
    settings = load(library / "topic.toml")
    settings.topic.examples = [example]
    save(settings, library / "topic.toml")
    (mirror / "zoo.example" / "more.html").write_text(OTTERS)
    listed.write_text("http://a.example/\n")
    outcome = imported(library, mirror, listed)
    assert (outcome.pages, outcome.links) == (1, 1)
    with open_library(library, write=False) as opened:
        assert opened.url_row(example) is None


def test_a_topic_that_says_nothing_leaves_no_library(tmp_path: Path, mirror: Path) -> None:
    with pytest.raises(ConfigError, match="No keyword of the topic says anything"):
        imported(tmp_path / "otters", mirror, topic="x")
    assert not (tmp_path / "otters").exists()
    assert imported(tmp_path / "otters", mirror, topic="river otter").pages == 2


def test_slips_are_answered(tmp_path: Path, mirror: Path) -> None:
    with pytest.raises(UsageError, match="no library yet"):
        imported(tmp_path / "new", mirror)
    with pytest.raises(UsageError, match="no file or folder"):
        imported(tmp_path / "new", tmp_path / "nowhere.warc", topic="otter")
    assert not (tmp_path / "new").exists()
    imported(tmp_path / "new", mirror, topic="otter")
    with pytest.raises(UsageError, match="has a topic already"):
        imported(tmp_path / "new", mirror, topic="taxes")
