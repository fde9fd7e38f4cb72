"""Labels go into a table and come back, whatever a spreadsheet made of it."""

from __future__ import annotations

import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.app.label_table import COLUMNS, MOST_TOLD, read_table, write_table
from scenthound.errors import UsageError
from scenthound.model import Label

A = "https://a.example/"

pages = st.from_regex(r"[a-z0-9=+@,;'\"-]{0,12}", fullmatch=True).map(lambda end: f"https://a.example/{end}")
sites = st.from_regex(r"[-=+@']{0,2}[a-z0-9,;.-]{1,12}", fullmatch=True)
words_of = st.sampled_from(["person", "list", "file", "bookmarks", "program:x", "program:a,b;c", 'program:"'])
times = st.integers(0, 4_000_000_000) | st.integers(0, 10**15).map(lambda micro: micro / 10**6)


@given(st.lists(st.tuples(pages, sites, st.booleans(), words_of, times), unique_by=(lambda row: row[0])), st.booleans())
def test_what_is_written_is_read(rows: list[tuple[str, str, bool, str, float]], sites_too: bool) -> None:
    labels = [Label(url, yes, by, float(at)) for url, _, yes, by, at in rows]
    if sites_too:
        labels += [Label(site, yes, by, float(at), "site") for _, site, yes, by, at in rows]
    back = read_table(write_table(labels).encode(), "x.csv", page_named=str)
    assert {(label.kind, label.subject, label.relevant, label.by, round(label.at, 5)) for label in labels} == {
        (label.kind, label.subject, label.relevant, label.by, round(label.at, 5)) for label in back
    }


@given(st.text(alphabet="=+-@＝＠'\t\r\na,", min_size=1, max_size=6))
def test_no_cell_is_a_formula(subject: str) -> None:
    rows = list(csv.reader(io.StringIO(write_table([Label(subject, True, kind="site")]), newline="")))
    assert not rows[1][0].startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＠"))


def read(text: str) -> list[tuple[str, bool | None, str, str]]:
    return [(label.subject, label.relevant, label.by, label.kind) for label in read_table(text.encode(), "x.csv")]


@pytest.mark.parametrize("word", ["yes", "Y", "1", "TRUE", "relevant", " yes "])
def test_words_for_yes(word: str) -> None:
    assert read(f"url,relevant\n{A},{word}\n") == [(A, True, "file", "page")]


@pytest.mark.parametrize("word", ["no", "N", "0", "False", "irrelevant"])
def test_words_for_no(word: str) -> None:
    assert read(f"url,relevant\n{A},{word}\n") == [(A, False, "file", "page")]


@pytest.mark.parametrize(
    "text",
    [
        f"\ufeffurl,relevant\n{A},yes\n",
        f"url;relevant\r\n{A};yes\r\n",
        f"url\trelevant\n{A}\tyes",
        f"Relevant, my note ,URL\nyes,=1,{A}\n",
        f'"url","relevant"\n"{A}","yes"\n\n,\n',
        "url,relevant\na.example,yes\n",
        f"url,relevant,by,at,kind,by whom\n{A},yes,,,,\n",
        f"url,relevant,by\n{A},yes\n",
    ],
)
def test_as_spreadsheets_and_people_write_it(text: str) -> None:
    assert read(text) == [(A, True, "file", "page")]


def test_utf_16_as_some_spreadsheets_save_it() -> None:
    assert read_table(f"url\trelevant\r\n{A}\tyes\r\n".encode("utf-16"), "x.csv")[0].subject == A


def test_times() -> None:
    times = "url,relevant,at\na.example/1,yes,2026-11-16T15:44:01Z\na.example/2,yes,1794843841.5\n"
    assert [label.at for label in read_table(times.encode(), "x.csv")] == [1794843841.0, 1794843841.5]


def test_sites() -> None:
    assert read("url,relevant,kind\nwww.b.example,no,site\n") == [("www.b.example", False, "file", "site")]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1 has no column 'url'"),
        ("https://a.example/,yes\n", "line 1 has no column 'url'"),
        ("url,title\nhttps://a.example/,x\n", "line 1 has no column 'relevant'"),
        ("url,relevant\na.example,yes\n\nb.example,perhaps\n", "line 4: relevant is yes or no, not 'perhaps'"),
        ("url,relevant\na.example,\n", "line 2: relevant is yes or no, not ''"),
        ("url,relevant\n,yes\n", "line 2: there is no URL"),
        ("url,relevant\nftp://x/,yes\n", "line 2: 'ftp://x/' is no URL of a page"),
        ("url,relevant,by\na.example,yes,me\n", "line 2: by is person, bookmarks, list, file or program:NAME"),
        ("url,relevant,at\na.example,yes,soon\n", "line 2: at is a date"),
        ("url,relevant,at\na.example,yes,99999999999999999999\n", "line 2: at is a date"),
        ("url,relevant,kind\na.example,yes,host\n", "line 2: kind is page or site"),
        ('url,relevant\na.example,yes\n"b.example,no\n', "line 3: unexpected end of data"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=r"^x\.csv") as error:
        read(text)
    assert complaint in str(error.value)


def test_many_broken_lines_are_counted() -> None:
    with pytest.raises(UsageError, match=f"and {20 - MOST_TOLD} more lines"):
        read("url,relevant\n" + "a.example,\n" * 20)


def test_another_encoding_is_said() -> None:
    with pytest.raises(UsageError, match="line 2 is not UTF-8"):
        read_table(b"url,relevant\nhttps://a.example/\xe9,yes\n", "x.csv")


def test_the_order_is_always_the_same() -> None:
    labels = [Label("b", True), Label("a", False), Label("a", True, kind="site")]
    assert write_table(labels) == write_table(reversed(labels))
    assert write_table([]) == ",".join(COLUMNS) + "\n"


@given(st.binary(max_size=200))
def test_nothing_else_is_raised_whatever_the_file_holds(data: bytes) -> None:
    for content in (data, b"url,relevant\n" + data, b"url,relevant,at,by,kind\na.example,yes," + data):
        with suppress(UsageError):
            read_table(content, "x.csv")
