import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Page
from scenthound.protocols.records import MissingPage
from scenthound.revisit.detect.soft404 import not_found, says_so, suspicion, text_digest
from scenthound.text.analysis import analyzer
from scenthound.text.simhash import simhash


def page(text: str, title: str = "") -> Page:
    return Page(url="http://a.test/x", title=title, text=text, terms=dict.fromkeys(analyzer("en").terms(text), 1))


def words(name: str, count: int = 40) -> str:
    return " ".join(f"{name}{n}" for n in range(count))


def host_says(text: str, status: int = 200) -> MissingPage:
    answer = page(text)
    return MissingPage("a.test", 0.0, status, "", simhash(answer.terms), text_digest(answer))


@pytest.mark.parametrize(
    "title",
    [
        "404",
        "404 Not Found",
        "Error 404",
        "Page not found – Example",
        "The page you requested could not be found",
        "This article no longer exists",
        "Not found",
        "Seite nicht gefunden",
        "Page introuvable",
        "Página no encontrada",
        "Страница не найдена",
    ],
)
def test_pages_that_say_so(title: str) -> None:
    assert says_so(title, "")
    assert says_so("", title + ". Try the search.")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Lost and found", "We found a dog on page one."),
        ("Room 404 in the old hotel", "Guests have not been found to complain."),
        ("A history of HTTP", "x" * 500 + " 404 not found"),
        ("Long page", "The file was not found. " + "word " * 1000),
        ("", ""),
    ],
)
def test_pages_that_do_not(title: str, text: str) -> None:
    assert not says_so(title, text)


def test_what_raises_suspicion() -> None:
    old = words("old", 300)
    assert suspicion(old, "Hounds", page("Nothing here", "404"), 0.1) == "phrase"
    assert suspicion(old, "404: a history", page("Nothing here", "404"), 0.1) == "", "it always said so"
    assert suspicion(old, "Hounds", page(words("new", 20)), 0.9) == "shrunk"
    assert suspicion(old, "Hounds", page(words("new", 20)), 0.3) == ""
    assert suspicion(old, "Hounds", page(words("new", 300)), 0.9) == "", "rewritten, not cut down"


def test_a_suspicion_is_checked_against_the_host() -> None:
    shop, rewritten = words("shop"), words("other")
    assert "cannot exist" in not_found(page(shop), "shrunk", host_says(shop))
    assert not_found(page(rewritten), "shrunk", host_says(shop)) == ""
    assert "cannot exist" in not_found(page("none"), "shrunk", host_says("none")), "too short for a hash"
    assert not_found(page(shop), "shrunk", host_says(shop, status=404)) == ""
    assert "front page" in not_found(page(shop), "shrunk", None, front=simhash(page(shop).terms))
    assert not_found(page(rewritten), "shrunk", None) == ""
    assert "says so" in not_found(page("x", "404"), "phrase", None)
    assert "says so" in not_found(page("x", "404"), "phrase", host_says("", status=404)), "the title is believed"
    text = "This page was not found to be useful"
    assert not_found(page(text), "phrase", host_says("", status=404)) == "", "the host has true 404s"


def test_the_made_up_name_does_not_count() -> None:
    assert text_digest(page("abc-no-such-page was not found"), "abc-no-such-page") == text_digest(page("was not found"))


@given(st.text(max_size=300), st.text(max_size=3000), st.floats(0, 1))
def test_any_page_can_be_judged(title: str, text: str, size: float) -> None:
    seen = page(text, title)
    why = suspicion("old text", "old title", seen, size)
    assert isinstance(not_found(seen, why or "shrunk", host_says(text)), str)
