"""The pages that came last, and how often a judge is asked what made them relevant."""

from __future__ import annotations

from scenthound.app.arrived_pages import EXPLAINED_AT_ONCE, SHOWN, ArrivedPages
from scenthound.app.crawl_progress import ArrivedPage
from scenthound.model import Page


class CountingJudge:
    """Says why, and notes who asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, page: Page) -> float:
        return 1.0

    def strongest(self, page: Page, n: int) -> list[tuple[str, float]]:
        self.asked.append(page.url)
        return [("otter", 0.5)]


def came(arrived: ArrivedPages, numbers: range, relevant: bool = True) -> list[ArrivedPage]:
    seen = []
    for number in numbers:
        url = f"http://a.example/{number}"
        arrived.saw(Page(url=url, text="Otters swim.", language="en"))
        seen.append(ArrivedPage(url=url, title="Otters", relevance=0.9, relevant=relevant))
    return seen


def test_a_view_asks_for_the_words_of_a_few_new_pages_and_of_none_twice() -> None:
    arrived, judge = ArrivedPages(), CountingJudge()
    last = came(arrived, range(SHOWN))
    lines = arrived.lines(100, last, judge)
    assert [line.number for line in lines] == list(range(81, 101))
    assert judge.asked == [
        f"http://a.example/{number}" for number in range(SHOWN - 1, SHOWN - 1 - EXPLAINED_AT_ONCE, -1)
    ]
    assert [[word.word for word in line.words] for line in lines[-EXPLAINED_AT_ONCE:]] == [
        ["otters"]
    ] * EXPLAINED_AT_ONCE
    assert not lines[0].words
    again = arrived.lines(100, last, judge)
    assert len(judge.asked) == len(set(judge.asked)) == 2 * EXPLAINED_AT_ONCE
    assert sum(bool(line.words) for line in again) == 2 * EXPLAINED_AT_ONCE


def test_pages_that_do_not_count_and_crawls_without_a_judge_of_pages_need_no_words() -> None:
    arrived, judge = ArrivedPages(), CountingJudge()
    assert not any(line.words for line in arrived.lines(3, came(arrived, range(3), relevant=False), judge))
    assert not judge.asked
    assert not any(line.words for line in arrived.lines(6, came(arrived, range(3, 6)), None))
