from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.relevance.page_rows import page_row
from scenthound.learn.relevance.page_words import (
    ADDRESS,
    ANCHORS,
    FIELDS,
    FORM,
    LEAD,
    TEXT,
    TITLE,
    field_words,
    without,
)
from scenthound.model import Block, Link, Page
from scenthound.text.analysis import analyzer


def page(url: str = "http://a.test/", text: str = "", **given: object) -> Page:
    return Page(url, text=text, terms=analyzer("en").counts(text), **given)  # type: ignore[arg-type]


def test_fields_hold_what_they_say() -> None:
    links = (Link("http://b.test/", anchor="download mirrors"),)
    blocks = (Block("", 0, "Home About"), Block("Ferns", 1, "Ferns are plants. " * 20))
    words = field_words(page("http://a.test/BirdLife/red-kite2.html", "Kites soar. download mirrors", title="Red Kite",
                             links=links, blocks=blocks), "en")  # fmt: skip
    assert set(words[TEXT]) == {"kite", "soar"}
    assert set(words[TITLE]) == {"red", "kite"}
    assert set(words[LEAD]) == {"fern", "plant"}
    assert set(words[ANCHORS]) == {"download", "mirror"}
    assert set(words[ADDRESS]) == {"bird", "life", "red", "kite"}


def test_the_shape_of_an_address() -> None:
    def shape(url: str) -> set[str]:
        return {word for word in field_words(page(url), "en")[FORM] if word.startswith("/")}

    assert shape("http://a.test/") == {"/depth 0", "/folder"}
    assert shape("http://a.test/~kim/kim.html") == {"/depth 2", "/~", "/ending html", "/named like its folder"}
    assert shape("http://a.test/news/2024/index.php?id=7") == {"/depth 3", "/query", "/year", "/ending php", "/index"}


def test_a_page_is_the_same_row_every_time() -> None:
    made = [page_row(page(text="one two two three", title="T"), "en") for _ in range(2)]
    for one, other in zip(made[0].fields, made[1].fields, strict=True):
        assert one.places.tolist() == other.places.tolist()
        assert one.values.tolist() == other.values.tolist()
    assert made[0].words == 3  # "one" is a stop word


def test_taking_away() -> None:
    assert without({"a": 3, "b": 1, "c": 2}, {"a": 1, "b": 2, "d": 1}) == {"a": 2, "c": 2}


@given(st.text(max_size=200), st.text(max_size=50), st.text(max_size=50))
def test_any_text_is_a_row(text: str, title: str, anchor: str) -> None:
    row = page_row(page(text=text, title=title, links=(Link("http://b.test/", anchor=anchor),)), "en")
    assert len(row.fields) == len(FIELDS)
    assert all(len(field.places) == len(field.values) for field in row.fields)
