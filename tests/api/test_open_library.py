"""A library in a few lines: pages, search, explanations, tables and files."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import scenthound
from scenthound import OpenLibrary
from scenthound.errors import LibraryMissing, UnknownName, UsageError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    scenthound.crawl("orchids", demo=True, into=folder, pages=60, delay=0.0).run()
    return folder


@pytest.fixture
def library(folder: Path) -> Iterator[OpenLibrary]:
    with scenthound.open_library(str(folder)) as library:
        yield library


def test_pages(library: OpenLibrary) -> None:
    pages = list(library)
    found = list(library.pages(relevant=True))
    assert len(pages) == len(library) == 60
    assert len(found) == library.counts().relevant > 0
    assert all(page.relevant for page in found)
    best = found[0]
    assert library.page(best.url) == best
    assert library.text(best.url)
    assert library.links(best.url)
    assert library.page("http://nowhere.test/") is None


def test_search(library: OpenLibrary) -> None:
    hits = library.search("orchid", limit=3)
    assert len(hits) == 3
    assert all("orchid" in library.text(hit.url).casefold() for hit in hits)  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="what to search for"):
        library.search("  ")


def test_why(library: OpenLibrary) -> None:
    page = next(library.pages(relevant=True))
    assert library.explain(page.url).url == page.url


def test_judging_again(library: OpenLibrary) -> None:
    before = library.counts().relevant
    outcome = library.judge(threshold=1.0)
    assert (outcome.judged.pages, outcome.judged.relevant_before, outcome.judged.relevant) == (60, before, 0)
    assert library.counts().relevant == 0
    assert "threshold = 1.0" in (library.folder / "topic.toml").read_text()
    with pytest.raises(UnknownName, match="keywords"):
        library.judge(judge="keyword")
    library.judge(threshold=0.1)
    assert library.counts().relevant > 0


def test_labels(library: OpenLibrary) -> None:
    url = next(iter(library)).url
    assert library.label(url.removeprefix("https://"), False).subject == url
    assert [(row.subject, row.relevant) for row in library.labels()] == [(url, False)]
    library.label(url, None)
    assert library.labels() == []


def test_tables(library: OpenLibrary) -> None:
    frame = library.to_pandas(relevant=True)
    assert len(frame) == library.counts().relevant
    assert list(frame.columns)[:2] == ["url", "title"]
    table = library.to_arrow(fields=["url", "host"], text=True)
    assert table.column_names == ["url", "host", "text"]
    assert table.num_rows == 60
    with pytest.raises((UnknownName, UsageError), match="title"):
        library.to_pandas(fields=["titel"])


def test_a_package_that_is_missing_is_named(library: OpenLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"pip install 'scenthound\[notebook\]'"):
        library.to_pandas()


def test_files(library: OpenLibrary, tmp_path: Path) -> None:
    path = library.export(tmp_path / "found.csv", fields=["url"], relevant=True)
    assert len(path.read_text().splitlines()) == 1 + library.counts().relevant
    with pytest.raises(UsageError, match=r"No format .*--format"):
        library.export(tmp_path / "found.docx")
    assert library.export(tmp_path / "found.docx", format="urls", relevant=True).read_text().splitlines() == [
        page.url for page in library.pages(relevant=True)
    ]


def test_pictures(library: OpenLibrary, tmp_path: Path) -> None:
    picture = library.plot()
    assert picture.save(tmp_path / "harvest.svg").read_text() == picture._repr_svg_()
    assert "60 pages" in repr(library)
    assert "<svg" in library._repr_html_()


def test_a_folder_without_a_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        scenthound.open_library(tmp_path)
