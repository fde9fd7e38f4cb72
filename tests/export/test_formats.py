import csv
import io
import json
import tracemalloc
from pathlib import Path

import pytest

from scenthound.errors import UsageError
from scenthound.export.formats import DEFAULT_FIELDS, FIELDS, FORMATS, ExportChoice, Format, export, fields_of
from scenthound.library import open_library
from tests.library.collection import collect, numbered, stored, zoo


def exported(folder: Path, form: Format, choice: ExportChoice | None = None) -> str:
    stream = io.StringIO()
    with open_library(folder, write=False) as library:
        count = export(library, stream, form, choice)
    lines = stream.getvalue()
    if form != "csv":
        assert count == lines.count("\n")
    return lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


def test_json_lines(folder: Path) -> None:
    rows = [json.loads(line) for line in exported(folder, "jsonl").splitlines()]
    assert len(rows) == 7
    assert tuple(rows[0]) == DEFAULT_FIELDS
    assert rows[1] == {
        "url": "https://www.zoo.example/otters",
        "title": "All about otters",
        "relevance": 0.9,
        "relevant": True,
        "host": "www.zoo.example",
        "depth": 1,
        "fetched_at": "2023-11-16T02:00:00Z",
        "language": "en",
        "duplicate_of": "",
    }


def test_urls(folder: Path) -> None:
    lines = exported(folder, "urls", ExportChoice(relevant=True, since=1_700_100_000.0)).splitlines()
    assert lines == ["https://www.zoo.example/otters", "https://birds.example/duck"]


def test_relevant_pages_are_those_that_count(tmp_path: Path) -> None:
    collect(
        tmp_path,
        [
            stored("http://a.example/", "otters", relevance=0.8),
            stored("http://b.example/", "otters!", relevance=0.8, duplicate_of="http://a.example/"),
            stored("http://c.example/", "taxes", relevance=0.1),
        ],
    )
    assert exported(tmp_path, "urls", ExportChoice(relevant=True)) == "http://a.example/\n"
    assert len(exported(tmp_path, "urls").splitlines()) == 3


def test_csv_survives_hostile_texts(tmp_path: Path) -> None:
    titles = ['=HYPERLINK("http://evil.example")', "@sum", 'quotes " and, commas\nand lines', "nul \0 byte", "-1+1"]
    collect(tmp_path, [stored(f"http://a.example/{n}", f"text {n}", title=title) for n, title in enumerate(titles)])
    text = exported(tmp_path, "csv", ExportChoice(fields=("title", "relevant", "relevance")))
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["title", "relevant", "relevance"]
    assert [row[0] for row in rows[1:]] == [
        '\'=HYPERLINK("http://evil.example")',
        "'@sum",
        titles[2],
        "nul  byte",
        "'-1+1",
    ]
    assert rows[1][1:] == ["true", "0.5"]


def test_every_field_in_every_format(folder: Path) -> None:
    fields = fields_of([*FIELDS], with_text=True)
    for form in FORMATS:
        assert exported(folder, form, ExportChoice(fields=fields))
    row = json.loads(exported(folder, "jsonl", ExportChoice(fields=fields)).splitlines()[1])
    assert row["site"] == "zoo.example"
    assert row["text"].startswith("Otters swim")
    assert row["digest"].startswith("sha1:")


def test_pages_without_a_text(folder: Path) -> None:
    rows = [json.loads(line) for line in exported(folder, "jsonl", ExportChoice(fields=("url", "text"))).splitlines()]
    assert {"url": "https://secret.example/", "text": ""} in rows


def test_an_unknown_field_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'title'"):
        fields_of(["titel"])
    with pytest.raises(UsageError, match="There are: url"):
        fields_of(["xyzzy"])
    assert fields_of([""], with_text=True) == (*DEFAULT_FIELDS, "text")


class Nowhere(io.TextIOBase):
    def write(self, text: str) -> int:
        return len(text)


def test_memory_stays_flat(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        folder = collect(tmp_path / str(count), numbered(count, size=200), warc=False)
        with open_library(folder, write=False) as library:
            tracemalloc.start()
            export(library, Nowhere(), "jsonl", ExportChoice(fields=fields_of([], with_text=True)))  # type: ignore[arg-type]
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
        assert len(exported(tmp_path, "urls").splitlines()) == 5
