from __future__ import annotations

from scenthound.learn.relevance.keyword_evidence import KeywordEvidence
from scenthound.learn.relevance.known_pages import ENOUGH, LIKELY_WORTH, known_pages
from scenthound.learn.relevance.page_rows import PageRow, page_row
from scenthound.model import Keyword, Page, Topic
from scenthound.text import idf

EVIDENCE = KeywordEvidence(Topic("x", (Keyword("fern", 1.0),)), idf.none())


def row(number: int, ferns: int = 0) -> PageRow:
    return page_row(Page(f"http://a.test/{number}", terms={"word": 5} | ({"fern": ferns} if ferns else {})), "en")


SEEN = [row(number, ferns=10 if number < 6 else 0) for number in range(40)]


def test_pages_that_say_the_words_stand_in_for_examples() -> None:
    known, vouched = known_pages([], [], SEEN, EVIDENCE)
    assert vouched == 0
    assert {page.row.url for page in known if page.relevant} == {f"http://a.test/{number}" for number in range(6)}
    assert abs(sum(page.weight for page in known if page.relevant) - LIKELY_WORTH) < 1e-9
    assert abs(sum(page.weight for page in known if not page.relevant) - ENOUGH) < 1e-9


def test_enough_examples_need_none() -> None:
    examples = [row(100 + number, 1) for number in range(LIKELY_WORTH)]
    others = [row(200 + number) for number in range(ENOUGH)]
    known, vouched = known_pages(examples, others, SEEN, EVIDENCE)
    assert vouched == LIKELY_WORTH
    assert {page.row.url for page in known} == {made.url for made in (*examples, *others)}


def test_what_people_said_is_not_guessed_at() -> None:
    known, _ = known_pages([], [SEEN[0]], SEEN, EVIDENCE)
    assert [page.relevant for page in known if page.row.url == SEEN[0].url] == [False]


def test_a_web_without_the_words_teaches_nothing() -> None:
    known, _ = known_pages([], [], SEEN[6:], EVIDENCE)
    assert not any(page.relevant for page in known)


def test_labels_are_of_doubtful_pages_and_leave_the_ordinary_ones_in() -> None:
    labels = [row(200 + number) for number in range(ENOUGH)]
    known, _ = known_pages([], labels, SEEN, EVIDENCE, {made.url for made in labels})
    assert sum(page.labelled for page in known) == ENOUGH
    assert sum(not page.relevant and not page.labelled for page in known) > 0
