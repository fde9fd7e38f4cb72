from __future__ import annotations

from scenthound.sites.evidence import ClassifierEvidence, JointEvidence, TopicEvidence
from scenthound.sites.label_check import LabelCheck
from scenthound.sites.taught import TaughtSites, evidence_of, setting_of
from tests.sites.small_sites import SaysItself, settings


def taught(check: LabelCheck | None) -> TaughtSites:
    return TaughtSites(SaysItself(), check)  # type: ignore[arg-type]


def test_only_what_helps_is_used() -> None:
    config = settings(p_err=0.3)
    assert isinstance(evidence_of(config, None), TopicEvidence)
    useless = evidence_of(config, taught(LabelCheck(8, 8, 7, 4, helps=False)))
    assert isinstance(useless, TopicEvidence)
    assert (useless.threshold, useless.p_err) == (0.1, 0.3)
    assert isinstance(evidence_of(config, taught(LabelCheck(8, 4, 8, 4, helps=True))), JointEvidence)


def test_where_nobody_asked_the_classifier_speaks_alone() -> None:
    assert isinstance(evidence_of(settings(), taught(None)), ClassifierEvidence)


def test_another_topic_asks_for_another_check() -> None:
    one, two = settings(), settings()
    assert setting_of(one) == setting_of(two)
    two.topic.keywords = ["beagle"]
    assert setting_of(one) != setting_of(two)
    assert setting_of(settings(p_threshold=0.7)) != setting_of(one)
