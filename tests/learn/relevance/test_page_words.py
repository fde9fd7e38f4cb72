"""What a parser process has noted of a page is what the judge would read off it."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.learn.relevance import page_faults
from scenthound.learn.relevance.page_rows import PageRow, page_row
from scenthound.learn.relevance.page_words import FIELDS, noted_words, read
from scenthound.model import Link, Page, Response
from scenthound.parse.page import parse
from tests.counting import calls_of

GERMAN = "Der Hund und die Katze sind nicht immer gute Freunde, aber sie leben in einem Haus und schlafen dort. " * 8


def page(text: str, url: str = "http://a.test/Red-Kite/index.html") -> Page:
    body = f"<title>Red kites</title><h1>Of kites</h1><p>{text}<a href=/x>more kites</a> <a href=http://b.test/>b</a>"
    return parse(Response(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode()), "en")


def with_notes(page: Page) -> Page:
    return replace(page, notes=read(page, "en"))


def same(one: PageRow, other: PageRow) -> bool:
    """To the last bit."""
    parts = zip(one.fields, other.fields, strict=True)
    assert one.places is not None
    assert other.places is not None
    return (
        (one.url, one.words, one.all_words) == (other.url, other.words, other.all_words)
        and one.places.tobytes() == other.places.tobytes()
        and all(a.places.tobytes() == b.places.tobytes() and a.values.tobytes() == b.values.tobytes() for a, b in parts)
    )


@given(st.text(max_size=300))
def test_a_row_made_of_notes_is_the_row_of_the_page(text: str) -> None:
    read_here = page(text.encode(errors="replace").decode())
    assert same(page_row(with_notes(read_here), "en"), page_row(read_here, "en"))


def test_a_page_without_words_has_notes_too() -> None:
    empty = Page("http://a.test/")
    assert same(page_row(with_notes(empty), "en"), page_row(empty, "en"))
    assert len(page_row(empty, "en").fields) == len(FIELDS)


def test_what_is_noted_is_not_read_once_more() -> None:
    noted = with_notes(page("Kites soar over the valley. " * 20))
    bare = replace(noted, notes=b"")
    page_row(bare, "en")  # what is done once for all pages is done
    assert calls_of(lambda: page_row(noted, "en")) < calls_of(lambda: page_row(bare, "en")) / 2


def test_notes_for_another_language_or_of_another_page_do_not_count() -> None:
    noted = with_notes(page("Kites soar."))
    assert noted_words(noted, "en") is not None
    assert noted_words(noted, "de") is None
    assert noted_words(replace(noted, links=(Link("http://c.test/"),)), "en") is None
    assert noted_words(replace(noted, text="Other words."), "en") is None


@pytest.mark.parametrize("notes", [b"anything", msgspec.msgpack.encode(["other words", "en", 1, 2])])
def test_notes_that_another_judge_has_had_made_do_not_count(notes: bytes) -> None:
    bare = page("Kites soar.")
    noted = replace(bare, notes=notes)
    assert noted_words(noted, "en") is None
    assert same(page_row(noted, "en"), page_row(bare, "en"))


@pytest.mark.parametrize(("text", "foreign"), [(GERMAN, True), ("It is what it was, and so they say. " * 20, False)])
def test_whether_a_page_is_foreign_is_noted(text: str, foreign: bool) -> None:
    read_here = page(text)
    assert page_faults.is_foreign(read_here, "en") is page_faults.is_foreign(with_notes(read_here), "en") is foreign


def test_a_parser_process_needs_no_numpy_for_it() -> None:
    modules = "scenthound.parse.parser_worker, scenthound.learn.relevance.page_words"
    asked = f"import sys, {modules}; print('numpy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", asked], text=True).strip() == "False"
