from __future__ import annotations

import pytest

from scenthound.learn.relevance.page_faults import faults
from scenthound.learn.relevance.page_rows import page_row
from scenthound.model import Link, Page
from scenthound.text.analysis import analyzer

ENGLISH = "The kite is a bird of prey that soars over the hills and feeds on what it finds in the fields below it. " * 3
GERMAN = "Der Milan ist ein Greifvogel, der über den Hügeln kreist und von dem lebt, was er auf Feldern findet. " * 3


def found(text: str, links: tuple[Link, ...] = (), language: str = "en") -> list[str]:
    page = Page("http://a.test/", text=text, terms=analyzer("en").counts(text), links=links)
    return faults(page, page_row(page, "en"), language)


def test_an_article_has_none() -> None:
    assert found(ENGLISH) == []


def test_stuffed_with_words() -> None:
    assert found("birds nest plumage species wing " * 40) == ["stuffed"]
    assert found("birds nest plumage species wing") == []  # a short page cannot help it


def test_a_list_of_links() -> None:
    links = tuple(Link(f"http://b.test/{number}", anchor=f"bird number{number}") for number in range(30))
    listed = " ".join(link.anchor for link in links)
    assert "list" in found(listed, links)
    assert "list" not in found(f"{listed} {ENGLISH * 3}", links)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [(GERMAN, "en", ["foreign"]), (GERMAN, "de", []), (ENGLISH, "de", ["foreign"]), (GERMAN, "xx", [])],
)
def test_another_language(text: str, language: str, expected: list[str]) -> None:
    assert found(text, language=language) == expected
