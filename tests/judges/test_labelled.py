from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from scenthound.judges.labelled import LabelledJudge, counts, labels_of
from scenthound.model import Page, Topic
from scenthound.protocols.crawl import Begins, Context, Explains, Watches
from scenthound.protocols.hooks import hook
from scenthound.text import idf

A, B, C = (f"http://a.test/{name}" for name in "abc")


@dataclass
class Half:
    threshold: float = 0.3
    seen: list[str] = field(default_factory=list)

    def __call__(self, page: Page) -> float:
        return 0.5

    def saw(self, page: Page) -> None:
        self.seen.append(page.url)


def test_a_label_wins_over_the_score() -> None:
    judge = LabelledJudge(Half(), {A: True, B: False})
    assert [judge(Page(url)) for url in (A, B, C)] == [1.0, 0.0, 0.5]


def test_one_said_to_be_off_the_topic_counts_under_no_threshold() -> None:
    judge = LabelledJudge(Half(), {A: True, B: False})
    assert [counts(judge, url, judge(Page(url)), 0.0) for url in (A, B, C)] == [True, False, True]
    assert [counts(judge, url, judge(Page(url)), 1.0) for url in (A, B, C)] == [True, False, False]
    assert counts(Half(), B, 0.5, 0.5)


def test_what_the_judge_can_do_it_can_do_with_labels() -> None:
    inner = Half()
    judge = LabelledJudge(inner, {})
    watcher = hook(judge, Watches)
    assert watcher is not None
    watcher.saw(Page(A))
    assert (inner.seen, judge.threshold) == ([A], 0.3)
    assert (hook(judge, Explains), hook(judge, Begins)) == (None, None)


def test_examples_are_labels_and_a_label_is_the_later_word() -> None:
    context = Context(Topic("x"), idf.none(), Random(0), (Page(A), Page(B)), (Page(C),), labels={B: False, C: True})
    assert labels_of(context) == {A: True, B: False, C: True}
