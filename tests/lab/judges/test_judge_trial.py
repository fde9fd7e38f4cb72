"""A trial tells a judge what a crawl would, and never an answer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.lab.judges.judge_experiment import JudgeExperiment, Trial, settings, trials_of
from scenthound.lab.judges.judge_trial import TrialOutcome, exam_of, try_judge
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.webs import open_web
from scenthound.model import Page
from scenthound.protocols.crawl import Context
from tests.lab.judges.small_trial import ELSEWHERE, FERNS, OTHERS, write_trial

HEARD: list[str] = []
TOLD: list[Context] = []


@dataclass
class Listening:
    """Writes down all it is told."""

    threshold: float = 0.25
    judged_: list[str] = field(default_factory=list)

    def begin(self, context: Context) -> None:
        TOLD.append(context)

    def saw(self, page: Page) -> None:
        assert not self.judged_, "judging began before all pages were heard of"
        HEARD.append(page.url)

    def __call__(self, page: Page) -> float:
        self.judged_.append(page.url)
        return float("ferns/" in page.url) * 0.3


@pytest.fixture
def listening() -> Iterator[str]:
    registry.judge.names()  # all others are loaded
    registry.judge("listening")(Listening)
    HEARD.clear()
    TOLD.clear()
    yield "listening"
    del registry.judge._entries["listening"]


def first_trial(plan: JudgeExperiment, given: str) -> Trial:
    return next(trial for trial in trials_of(plan, plan.lab_topics()) if trial.given == given)


def tried(plan: JudgeExperiment, given: str) -> TrialOutcome:
    web = open_web(plan.web_spec())
    try:
        return try_judge(plan, first_trial(plan, given), WebPages(web))
    finally:
        web.close()


def test_the_exam_is_all_pages_in_scope_that_were_not_shown(tmp_path: Path) -> None:
    plan = write_trial(tmp_path)
    web = open_web(plan.web_spec())
    trial = first_trial(plan, "keywords")
    exam = exam_of(trial.topic, settings(plan, trial), WebPages(web))
    web.close()
    assert {page.url for page in exam.pages} == {*FERNS[2:], *OTHERS[:4]}
    assert ELSEWHERE not in {page.url for page in exam.pages}
    assert [page.url in FERNS for page in exam.pages] == exam.truth.tolist()


@pytest.mark.parametrize("given", ["keywords", "examples"])
def test_a_judge_hears_of_the_pages_and_of_no_answer(tmp_path: Path, listening: str, given: str) -> None:
    outcome = tried(write_trial(tmp_path, judges=[listening]), given)
    assert set(HEARD) == {*FERNS[2:], *OTHERS[:4]}
    (context,) = TOLD
    shown = FERNS[:2] if given == "examples" else []
    assert [page.url for page in context.examples] == shown
    assert len(context.counterexamples) == len(shown)
    assert context.topic.name == "ferns"
    assert context.lessons is None
    assert outcome.threshold == 0.25
    assert (outcome.figures["f1"], outcome.figures["precision"], outcome.figures["recall"]) == (1, 1, 1)
    assert (outcome.pages, outcome.relevant) == (8, 4)
    assert outcome.figures["brier"] == pytest.approx(4 * 0.7**2 / 8)


def test_a_judge_that_needs_more_than_is_given_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs example pages"):
        tried(write_trial(tmp_path, judges=["examples"]), "keywords")


def test_pages_are_parsed_once_for_all_topics(tmp_path: Path) -> None:
    plan = write_trial(tmp_path)
    web = open_web(plan.web_spec())
    pages = WebPages(web)
    one = pages.in_scope(settings(plan, first_trial(plan, "keywords")))
    other = pages.in_scope(settings(plan, first_trial(plan, "examples")))
    web.close()
    assert all(one[url] is other[url] for url in one)
