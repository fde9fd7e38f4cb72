"""What follows from a page alone: worked out once where crawls share it, and charged to each of them."""

import pytest

from scenthound.model import Page
from scenthound.page_memo import PageMemo, of_a_page

asked: list[tuple[str, int]] = []


@of_a_page("judge")
def long_words(page: Page, least: int) -> list[str]:
    "A question about a page."
    asked.append((page.url, least))
    return [word for word in page.text.split() if len(word) >= least]


@pytest.fixture(autouse=True)
def nobody_asked_yet() -> None:
    asked.clear()


def page(url: str = "http://a.test/") -> Page:
    return Page(url, text="a hound follows a scent")


def test_without_a_memo_nothing_is_remembered() -> None:
    one = page()
    assert long_words(one, 6) == long_words(one, 6) == ["follows"]
    assert len(asked) == 2
    assert (long_words.__name__, long_words.__doc__) == ("long_words", "A question about a page.")


def test_an_answer_is_worked_out_once_for_a_page_and_its_arguments() -> None:
    memo, one = PageMemo(10), page()
    memo.introduce(one, 1)
    with memo.opened():
        first = long_words(one, 6)
        assert long_words(one, 6) is first
        assert long_words(one, 5) == ["hound", "follows", "scent"]
    assert asked == [("http://a.test/", 6), ("http://a.test/", 5)]
    long_words(one, 6)
    assert len(asked) == 3, "closed again"


def test_a_copy_of_a_page_is_another_page() -> None:
    """A strategy is shown pages with some of their links: what is so of one need not be so of the other."""
    memo, one = PageMemo(10), page()
    memo.introduce(one, 1)
    with memo.opened():
        long_words(one, 6)
        long_words(page(), 6)
        long_words(page(), 6)
    assert len(asked) == 3, "and nothing is remembered of pages that nobody introduced"


def test_what_is_had_for_nothing_is_charged_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([10.0, 10.25])
    monkeypatch.setattr("scenthound.page_memo.time.thread_time", lambda: next(ticks))
    memo, one = PageMemo(10), page()
    memo.introduce(one, 1)
    with memo.opened():
        long_words(one, 6)
        assert memo.spared == {}
        long_words(one, 6)
        long_words(one, 6)
    assert memo.spared == {"judge": 0.5}


def test_pages_are_forgotten_when_they_weigh_too_much() -> None:
    memo, pages = PageMemo(most=7), [page(f"http://a.test/{n}") for n in range(3)]
    with memo.opened():
        for each in pages:
            memo.introduce(each, 3)
            long_words(each, 6)
        long_words(pages[2], 6)
        assert len(asked) == 3
        long_words(pages[0], 6)
        assert len(asked) == 4


def test_a_memo_within_a_memo_gives_way_again() -> None:
    outer, inner, one = PageMemo(10), PageMemo(10), page()
    outer.introduce(one, 1)
    with outer.opened():
        long_words(one, 6)
        with inner.opened():
            long_words(one, 6)
        long_words(one, 6)
    assert len(asked) == 2


def test_who_is_dismissed_is_forgotten() -> None:
    memo, one = PageMemo(10), page()
    memo.introduce(one, 4)
    with memo.opened():
        long_words(one, 6)
        memo.dismiss(one)
        memo.dismiss(page())  # whom nobody knew
        long_words(one, 6)
        memo.introduce(one, 4)
        long_words(one, 6)
        long_words(one, 6)
    assert len(asked) == 3
