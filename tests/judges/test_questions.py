"""The next question is about the page whose answer teaches most."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.judges.questions import COPY, SHORTLIST, AskablePage, likeness, next_question
from scenthound.model import Page


def candidate(name: str, probability: float, words: str = "") -> AskablePage:
    """A page with words of its own, unless told which."""
    url = f"http://a.example/{name}"
    terms = dict.fromkeys(words.split() or [f"{name}{number}" for number in range(20)], 1)
    return AskablePage(url, probability, Page(url, terms=terms))


def asked(candidates: list[AskablePage], answers: dict[str, bool | None]) -> str:
    """The page's name."""
    return (next_question(candidates, answers) or "").rpartition("/")[2]


def url(name: str) -> str:
    return f"http://a.example/{name}"


PAGES = [candidate("good", 0.9), candidate("doubt", 0.52), candidate("poor", 0.2), candidate("none", 0.0)]


def test_while_nothing_is_liked_the_best_looking_page_is_asked_about() -> None:
    assert asked(PAGES, {}) == "good"
    assert asked(PAGES, {url("good"): False}) == "doubt"
    assert asked(PAGES, {url("good"): False, url("doubt"): None}) == "poor"


def test_once_something_is_liked_the_most_doubtful() -> None:
    assert asked(PAGES, {url("elsewhere"): True}) == "doubt"
    assert asked(PAGES, {url("elsewhere"): True, url("doubt"): True}) == "poor"  # 0.3 from even, as 0.9 is 0.4


def test_the_middle_is_where_the_judge_says() -> None:
    scores = [candidate("sure", 0.4), candidate("middle", 0.11), candidate("off", 0.0)]
    assert next_question(scores, {url("x"): True}, even=0.1) == url("middle")


def test_a_copy_of_what_was_asked_comes_last() -> None:
    text = " ".join(f"word{n}" for n in range(40))
    first, copy = candidate("first", 0.5, text), candidate("copy", 0.5, f"{text} date")
    other = candidate("other", 0.05)
    assert likeness(first.page, copy.page) > COPY
    assert asked([first, copy, other], {first.url: True}) == "other"
    assert asked([first, copy, other], {first.url: True, other.url: False}) == "copy"


def test_of_two_doubts_the_one_that_is_less_like_what_was_asked() -> None:
    known = candidate("known", 0.9, "a b c d")
    like, unlike = candidate("like", 0.5, "a b c x"), candidate("unlike", 0.45, "p q r s")
    assert asked([known, like, unlike], {known.url: True}) == "unlike"


def test_likeness_by_hand() -> None:
    assert likeness(candidate("x", 0, "a b c d").page, candidate("y", 0, "a").page) == 0.5
    assert likeness(candidate("x", 0, "a b").page, candidate("y", 0, "c").page) == 0.0
    empty = Page("http://a.example/")
    assert likeness(empty, empty) == 1.0
    assert likeness(empty, candidate("y", 0, "c").page) == 0.0


def test_nothing_is_left_to_ask() -> None:
    assert next_question([], {}) is None
    assert next_question(PAGES, {page.url: None for page in PAGES}) is None


some_pages = st.lists(
    st.tuples(st.integers(0, 80), st.floats(0, 1), st.sets(st.sampled_from("abcdefghij"))),
    max_size=2 * SHORTLIST,
    unique_by=lambda page: page[0],
)


@given(some_pages, st.dictionaries(st.integers(0, 80), st.sampled_from([True, False, None])))
def test_every_page_is_asked_about_once_in_an_order_that_is_the_same_however_they_come(
    pages: list[tuple[int, float, set[str]]], before: dict[int, bool | None]
) -> None:
    candidates = [candidate(str(name), probability, " ".join(words)) for name, probability, words in pages]
    answers = {url(str(name)): answer for name, answer in before.items()}
    shuffled = sorted(candidates, key=lambda one: hash(one.url))
    while (chosen := next_question(candidates, answers)) is not None:
        assert chosen == next_question(shuffled, answers)
        assert chosen not in answers
        answers[chosen] = False
    assert {one.url for one in candidates} <= set(answers)
