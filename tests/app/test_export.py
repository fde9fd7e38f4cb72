"""A library into a file or a stream, in a format that is named or that the file's name asks for."""

import io
import json
import os
import subprocess
import sys
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pytest

from scenthound.app.export import export, export_formats, format_of
from scenthound.errors import LibraryMissing, UnknownName, UsageError
from scenthound.export.exporter import ChosenPages, ExportChoice, exporter
from scenthound.export.fields import fields_of
from scenthound.export.page_filter import PageFilter
from scenthound.library import open_library
from tests.conformance.exporters import Nowhere
from tests.library.collection import collect, numbered, zoo
from tests.other_package import install

HEADLINES = '''
from dataclasses import dataclass

@dataclass
class Headlines:
    """A title a line, loud."""

    extensions = (".headlines",)

    def write(self, pages, stream):
        for page in pages:
            stream.write(page.title.upper().encode() + b"\\n")
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


def test_into_a_stream(folder: Path) -> None:
    stream = io.BytesIO()
    assert export(folder, stream).number == 7
    assert [json.loads(line)["url"] for line in stream.getvalue().splitlines()][1] == "https://www.zoo.example/otters"
    only = io.BytesIO()
    assert export(folder, only, ExportChoice(filter=PageFilter(relevant=True)), "urls").number == len(
        only.getvalue().splitlines()
    )


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *(("a.jsonl", "jsonl"), ("a.ndjson", "jsonl"), ("a.json", "jsonl"), ("a", "jsonl")),
        *(("a.csv", "csv"), ("A.CSV", "csv"), ("a.b.csv", "csv"), ("a.txt", "urls"), ("a.urls", "urls")),
    ],
)
def test_the_format_follows_the_name_of_the_file(name: str, form: str) -> None:
    assert format_of(Path("x.y") / name) == form


def test_a_name_that_asks_for_no_known_format_is_refused_and_nothing_is_written(folder: Path, tmp_path: Path) -> None:
    for name in ("a.xlsx", "a.md", "a.csv.gz"):
        with pytest.raises(
            UsageError, match=r"csv \(\.csv\), graphml \(\.graphml\), jsonl \(\.jsonl, \.ndjson, \.json\)"
        ):
            export(folder, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["zoo"]
    assert export(folder, tmp_path / "a.md", form="urls").number == 7


def test_a_format_that_nobody_has(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'csv'"):
        export(folder, tmp_path / "a.csv", form="cvs")
    with pytest.raises(UnknownName, match=r"no format called 'xml'\. Known: chunks, csv, graphml, jsonl"):
        export(folder, tmp_path / "a.csv", form="xml")


def test_no_library_there(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        export(tmp_path, tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_two_formats_that_want_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Semicolons:
        """Much like CSV."""

        extensions = (".csv",)

        def write(self, pages: ChosenPages, stream: BinaryIO) -> None: ...

    exporter.names()
    monkeypatch.setitem(exporter._entries, "semicolons", Semicolons)
    with pytest.raises(UsageError, match="may be any of csv, semicolons"):
        format_of(Path("a.csv"))
    assert "semicolons" in [known.name for known in export_formats()]


def test_a_failure_leaves_no_file(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Halfway:
        extensions = ()

        def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
            stream.write(b"half")
            raise ZeroDivisionError

    monkeypatch.setitem(exporter._entries, "halfway", Halfway)
    with pytest.raises(ZeroDivisionError):
        export(folder, tmp_path / "a.half", form="halfway")
    assert [path.name for path in tmp_path.iterdir()] == ["zoo"]


def test_memory_stays_flat(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        folder = collect(tmp_path / str(count), numbered(count, size=200), warc=False)
        tracemalloc.start()
        export(folder, Nowhere(), ExportChoice(fields=fields_of([], with_text=True)))  # type: ignore[arg-type]
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    small, large = peak(1100), peak(3300)
    assert large < 1.3 * small
    assert large < 5_000_000


def test_while_a_crawl_writes(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        for step in numbered(5):
            library.record(step)
        library.flush()
        assert export(tmp_path, io.BytesIO(), form="urls").number == 5


def test_a_library_in_memory(tmp_path: Path) -> None:
    with open_library("memory:", create=True) as library:
        for step in numbered(5):
            library.record(step)
        library.flush()
        assert export(library, tmp_path / "a.csv").number == 5
        assert export(library, io.BytesIO()).number == 5, "it stays open"
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 6


def test_a_format_of_another_package_is_found_by_the_command(folder: Path, tmp_path: Path) -> None:
    packages = install(tmp_path / "packages", "scenthound.export", "headlines = outsider:Headlines", HEADLINES)
    program = [sys.executable, "-c", "from scenthound.cli.main import main; main()", "export"]
    around = {**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), *filter(None, sys.path)])}

    def run(*arguments: str) -> str:
        return subprocess.run([*program, *arguments], env=around, capture_output=True, text=True, check=True).stdout

    assert "ALL ABOUT OTTERS" in run(str(folder), "--format", "headlines").splitlines()
    run(str(folder), "-o", str(tmp_path / "news.headlines"))
    assert "ALL ABOUT OTTERS" in (tmp_path / "news.headlines").read_text().splitlines()
    assert "headlines" in run("--help")
    assert "A title a line, loud." in run(".", "--format", "list")
