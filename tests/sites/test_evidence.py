from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.config import from_dict
from scenthound.judges.auto import Auto
from scenthound.model import Link, Page, Visit
from scenthound.sites.confidence import by_position, by_threshold
from scenthound.sites.evidence import ClassifierEvidence, JointEvidence, TopicEvidence, joint, topic_evidence
from scenthound.sites.posterior import corrected
from tests.sites.small_sites import SaysItself


def visit(relevance: float, text: str, url: str = "http://a.test/") -> Visit:
    return Visit(Link(url), Page(url=url, text=text), relevance, False, 0)


def test_the_topic_speaks_on_the_scale_of_its_judge() -> None:
    evidence = TopicEvidence(threshold=0.1, p_err=0.2)
    assert evidence(visit(0.2, "conf 0.01")) == by_threshold(0.2, 0.1)
    assert not evidence.reads_words


def test_a_classifier_alone_says_what_it_says() -> None:
    evidence = ClassifierEvidence(SaysItself())  # type: ignore[arg-type]
    assert evidence(visit(0.0, "conf 0.7")) == evidence(visit(0.0, "conf 0.7")) == 0.7
    assert evidence(visit(0.0, "conf 0.2", "http://a.test/2")) == 0.2
    assert evidence.p_err == SaysItself.p_err


def test_two_witnesses_are_heard_together() -> None:
    topic, classifier = TopicEvidence(0.1, 0.2), ClassifierEvidence(SaysItself())  # type: ignore[arg-type]
    evidence = JointEvidence(topic, classifier)
    assert evidence(visit(0.3, "conf 0.7")) == joint(by_threshold(0.3, 0.1), 0.2, 0.7, SaysItself.p_err)
    assert (evidence.p_err, evidence.reads_words) == (0.0, True)


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 1), st.floats(0, 0.5))
def test_together_they_say_something_between(one: float, one_err: float, two: float, two_err: float) -> None:
    low, high = sorted((corrected(one, one_err), corrected(two, two_err)))
    assert low - 1e-6 <= joint(one, one_err, two, two_err) <= high + 1e-6


def test_who_always_errs_half_the_time_takes_half_the_weight_away() -> None:
    assert joint(0.9, 0.0, 1.0, 0.5) == pytest.approx(0.75)  # odds 9 and 1: the root of 9 is 3


def test_a_judge_with_positions_is_read_by_them() -> None:
    """A page that says a little of the topic has a probability near 0, and speaks for its site all the same."""
    auto, cosine = (topic_evidence(from_dict({"crawl": {"judge": name}})) for name in ("auto", "keywords"))
    assert auto(visit(0.05, "")) > 0.55
    assert auto(visit(0.05, "")) == by_position(Auto.position(0.05), Auto.position(0.5))
    assert cosine(visit(0.05, "")) == by_threshold(0.05, 0.1)
