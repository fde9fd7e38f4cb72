"""Answers from the truth: asked one by one, learned at once, and no part of the exam."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from scenthound.config import Config, CrawlSection, TopicSection
from scenthound.lab.judges.simulated_answers import MEASURED, ExaminedJudge, simulate_answers
from scenthound.model import Page
from scenthound.protocols.crawl import Context

PAGES = [Page(f"http://a.test/{n}", text=f"page {n}", terms={"page": 1, f"word{n}": 1}) for n in range(40)]
TRUTH = np.array([n % 4 == 0 for n in range(40)])
CONFIG = Config(topic=TopicSection(name="pages", keywords=["page"]), crawl=CrawlSection(seeds=["http://a.test/"]))


@dataclass
class Remembering:
    """Knows the answers it was given, and of the rest that every fourth page is a little likelier."""

    told_: list[tuple[int, int]] = field(default_factory=list)
    known_: dict[str, float] = field(default_factory=dict)

    def begin(self, context: Context) -> None:
        self.told_.append((len(context.examples), len(context.counterexamples)))
        self.known_ = {page.url: 1.0 for page in context.examples}
        self.known_ |= {page.url: 0.0 for page in context.counterexamples}

    def __call__(self, page: Page) -> float:
        number = int(page.url.rpartition("/")[2])
        learned = 0.05 * len(self.known_)
        return self.known_.get(page.url, 0.4 + learned * (1 if number % 4 == 0 else -1))


def simulated(judge: Remembering, answers: int, examples: tuple[Page, ...] = ()) -> list:  # type: ignore[type-arg]
    examined = ExaminedJudge(judge, CONFIG, examples, (), 0.5)
    return simulate_answers(examined, PAGES, TRUTH, np.array([judge(page) for page in PAGES]), answers)


def test_each_answer_is_learned_before_the_next_question() -> None:
    judge = Remembering()
    points = simulated(judge, 20)
    assert [point.answers for point in points] == [0, 5, 10, 20]
    assert [sum(each) for each in judge.told_] == list(range(1, 21))
    assert len(judge.known_) == 20
    assert points[-1].yes == sum(answer == 1.0 for answer in judge.known_.values())


def test_what_is_learned_shows_on_the_pages_not_asked_about() -> None:
    points = simulated(Remembering(), 5)
    assert [point.f1 for point in points] == [0.0, 1.0]


def test_an_answer_is_right_in_the_collection_whatever_the_judge_thinks() -> None:
    class Stubborn(Remembering):
        def __call__(self, page: Page) -> float:
            return 0.4

    before, after = simulated(Stubborn(), 5)
    assert (before.collection_f1, before.f1, after.f1) == (0.0, 0.0, 0.0)
    assert after.yes
    assert after.collection_f1 == pytest.approx(2 * after.yes / (after.yes + 10))


def test_the_exam_is_the_same_at_every_point() -> None:
    """One that learns nothing has the same F1 however many pages were asked about."""

    class Stubborn(Remembering):
        def __call__(self, page: Page) -> float:
            return float(int(page.url.rpartition("/")[2]) % 3 == 0)

    points = simulated(Stubborn(), 20)
    assert len({point.f1 for point in points}) == 1


def test_examples_that_were_given_are_answers_already() -> None:
    judge = Remembering()
    given = Page("http://b.test/", terms={"page": 1})
    simulated(judge, 5, (given,))
    assert judge.told_[0] in {(2, 0), (1, 1)}
    assert given.url in judge.known_


def test_asking_ends_where_there_is_nothing_left_to_ask() -> None:
    points = simulated(Remembering(), 100)
    assert [point.answers for point in points] == [n for n in MEASURED if n <= 40]
    assert {point.f1 for point in points} == {None}, "no relevant page is left to measure on"


@pytest.mark.parametrize("answers", [1, 3, 7])
def test_the_last_answer_is_measured_whatever_its_number(answers: int) -> None:
    assert simulated(Remembering(), answers)[-1].answers == answers
