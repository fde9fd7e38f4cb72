from __future__ import annotations

import pytest

from scenthound.learn.relevance.keyword_evidence import K1, ORDINARY, B, KeywordEvidence
from scenthound.learn.relevance.page_rows import page_row
from scenthound.model import Keyword, Link, Page, Topic
from scenthound.text import idf
from scenthound.text.analysis import analyzer

TOPIC = Topic("x", (Keyword("dengue", 0.5), Keyword("fever", 0.5)))


def said(text: str, title: str = "", url: str = "http://a.test/", links: tuple[Link, ...] = ()) -> float:
    page = Page(url, title=title, text=text, terms=analyzer("en").counts(text), links=links)
    return KeywordEvidence(TOPIC, idf.none())(page_row(page, "en"))


def bm25(times: int, words: int) -> float:
    return (K1 + 1) * times / (times + K1 * (1 - B + B * words / ORDINARY))


def test_by_hand() -> None:
    # Three words that are no stop words; half of the weight is dengue's.
    assert said("dengue and dengue, a rash") == pytest.approx(0.5 * bm25(2, 3), rel=1e-5)
    assert said("dengue fever") == pytest.approx(0.5 * bm25(1, 2) + 0.5 * bm25(1, 2), rel=1e-5)
    assert said("rash", title="Fever") == pytest.approx(0.5 * 1.5)
    assert said("rash", url="http://a.test/tropical/DengueFacts.html") == pytest.approx(0.5)


def test_two_hundred_times_is_hardly_more_than_twenty() -> None:
    assert said("dengue " * 200) < 1.1 * said("dengue " * 20 + "word " * 10)


def test_words_of_links_are_not_the_pages_own() -> None:
    links = tuple(Link(f"http://b.test/{number}", anchor="dengue fever") for number in range(10))
    assert said("dengue fever " * 10, links=links) == 0.0


def test_a_rare_word_counts_more() -> None:
    weights = {"dengu": 4.0, "fever": 1.0}.__getitem__
    evidence = KeywordEvidence(TOPIC, weights)
    rows = [page_row(Page("http://a.test/", terms={term: 1}), "en") for term in ("dengu", "fever")]
    assert evidence(rows[0]) == pytest.approx(4 * evidence(rows[1]))


def test_a_word_that_is_everywhere_is_no_keyword() -> None:
    assert not KeywordEvidence(TOPIC, lambda term: 0.0)
