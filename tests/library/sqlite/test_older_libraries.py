"""A folder that Scenthound 0.1.0 made: it opens, answers and is crawled on as before."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.config import load
from scenthound.crawler.assemble import assembled
from scenthound.errors import LibraryVersion
from scenthound.library import is_library, open_library
from scenthound.library.folder_lock import FolderLock
from scenthound.library.run_settings import last_settings
from scenthound.library.sqlite import migrations
from scenthound.protocols.library import Library
from scenthound.protocols.records import UNDATED, PageFilters
from tests.small_web import ScriptedFetcher, page
from tests.torture.portrait import portrait
from tests.unpacking import unpack

MADE_BY_0_1_0 = Path(__file__).parent / "data" / "library-0.1.0.tar.gz"
HOME = "https://www.zoo.example/"
OTTERS = f"{HOME}otters"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    unpack(MADE_BY_0_1_0, tmp_path)
    return tmp_path


@pytest.fixture(params=[False, True], ids=["read", "write"])
def library(folder: Path, request: pytest.FixtureRequest) -> Iterator[Library]:
    assert is_library(folder)
    with open_library(folder, write=request.param) as library:
        yield library


def test_pages_and_what_they_say(library: Library) -> None:
    assert [page.seq for page in library.pages()] == [1, 2, 3, 4, 5, 6, 7]
    counts = library.counts()
    # One of them was refused by 0.1.0, because the robots.txt of its host could not be read.
    assert (counts.fetched, counts.waiting, counts.moved) == (7, 4, 1)
    assert (counts.failed, counts.refused) == ({"404": 1}, {})
    stored = library.page(OTTERS)
    assert stored is not None
    assert (stored.title, stored.relevance, stored.depth) == ("All about otters", 0.9, 1)
    assert (library.text(OTTERS) or "").startswith("Otters swim in rivers.")
    answer = library.body(OTTERS)
    assert answer is not None
    assert answer.body.startswith(b"<title>All about otters</title>")
    assert last_settings(library).topic.name == "otters"


def test_decisions(library: Library) -> None:
    assert [step.link.url for step in library.way(OTTERS)] == [HOME, OTTERS]
    row = library.url_row("https://www.zoo.example/tickets")
    assert row is not None
    assert (row.state, row.priority, library.ahead(row)) == ("waiting", 0.2, (2, 1))
    assert library.hosts()[0].host == "www.zoo.example"


def test_versions_and_looks(library: Library) -> None:
    old, new = library.versions(HOME)
    assert (library.text(HOME, old), library.text(HOME, new)) == (
        "Welcome to the zoo. See otters and owls.",
        "Welcome to the new zoo. See otters and owls.",
    )
    assert [(look.outcome, look.kind) for look in library.looks_of(HOME)] == [("changed", "text")]
    assert next(library.watched()).versions == 2


def test_its_search_index_is_used(library: Library) -> None:
    assert library.update_search() == 0
    assert [hit.url for hit in library.search(["otter"]).hits][:2] == [OTTERS, HOME]


async def test_a_crawl_goes_on(folder: Path) -> None:
    web = ScriptedFetcher(
        {"https://far.example/": page(text="otters in the river"), f"{HOME}map": page(text="the map")}
    )
    config = load(folder / "topic.toml")
    config.crawl.parsers, config.crawl.pages = 0, 20
    config.crawl.strategy = "best-first"  # by which its links were ranked: another one would rank them anew
    config.politeness.delay, config.politeness.robots = 0.0, False
    async with assembled(config, folder, fetcher=web) as crawl:
        await crawl.run()
    assert web.asked[:3] == ["https://far.example/", f"{HOME}map", f"{HOME}tickets"], "as they waited, best first"
    with open_library(folder, write=False) as library:
        assert library.counts().fetched == 9
        assert library.update_search() == 2
        assert {hit.url for hit in library.search(["otters", "river"]).hits} >= {OTTERS, "https://far.example/"}
        assert len(library.runs()) == 2


def test_what_pages_were_judged_first_is_what_there_was(library: Library) -> None:
    for stored in library.pages():
        assert (stored.first_relevance, stored.first_relevant) == (stored.relevance, stored.relevant)
    assert (library.judged_by(), library.judged_again(), library.labels()) == ("", None, {})


def test_nobody_says_when_its_pages_were_published(library: Library) -> None:
    assert library.page_facets().published == {UNDATED: 7}
    assert len(library.page_list(PageFilters(published=UNDATED)).pages) == 7


def test_a_reader_brings_it_up_to_date_only_if_nobody_writes(folder: Path) -> None:
    lock = FolderLock(folder)
    with pytest.raises(LibraryVersion, match=r"older Scenthound .* cannot be done now: Another crawl"):
        open_library(folder, write=False)
    lock.release()
    with open_library(folder, write=False) as library:
        assert library.counts().fetched == 7


def test_a_reader_that_must_not_write_says_so(folder: Path) -> None:
    (folder / "writing.lock").unlink(missing_ok=True)
    (folder / "writing.lock").mkdir()
    with pytest.raises(LibraryVersion, match=r"cannot be done now: .* cannot be written to"):
        open_library(folder, write=False)


@pytest.mark.parametrize("version", range(1, len(migrations.MIGRATIONS)))
@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
def test_every_format_between_then_and_now_opens(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, version: int, write: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that was last opened by a version in between says what one says that was not."""
    direct = tmp_path_factory.mktemp("direct")
    unpack(MADE_BY_0_1_0, direct)
    monkeypatch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:version])
    connection = sqlite3.connect(folder / "library.db", isolation_level=None)
    migrations.migrate(connection, "here")
    assert connection.execute("PRAGMA user_version").fetchone() == (version,)
    connection.close()
    monkeypatch.undo()
    open_library(folder, write=write).close()
    assert portrait(folder) == portrait(direct)
