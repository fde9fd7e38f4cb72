"""Every measure has one name, says what it is, and comes out of one evaluation."""

import math

import numpy as np
import pytest

from scenthound.errors import UnknownName
from scenthound.lab.measures.registry import Measures, evaluate, measure
from scenthound.lab.measures.trace import Curve, Evidence, Request, Trace
from scenthound.sites.measures import SiteLook

ALL = {
    *("harvest-ratio", "average-similarity", "precision-0.5", "precision-0.6", "precision-0.7", "precision-0.8"),
    *("maximum-average-similarity", "mean-maximum-similarity", "apr", "harvest-rate", "own-relevance"),
    *("target-recall", "recall-area", "target-length", "pages-to-50", "pages-to-80", "pages-to-90"),
    *("requests", "bytes", "cpu", "cpu-fetch", "cpu-parse", "cpu-judge", "cpu-rank", "cpu-store"),
    *("training-seconds", "training-pages"),
}
TAUGHT = {"seconds": 2.5, "pages": 300}
CRAWL = Trace((Request("a"), Request("b")), budget=2, seconds={"parse": (0.1, 0.2)}, training=TAUGHT)
EVIDENCE = Evidence(
    targets=frozenset("b"),
    to_examples=np.eye(2),
    to_targets=np.eye(2),
    verdicts=np.array([True, False]),
    baseline=np.ones(2),
    looks=(SiteLook("a", True), SiteLook("b", False)),
)


def test_all_measures_are_found_by_name_and_say_what_they_are() -> None:
    assert set(measure.names()) >= ALL
    for known in measure.all():
        assert known.doc.endswith(".")
        assert "\n" not in known.doc
        assert known.unit


def test_one_evaluation_gives_a_number_and_a_curve_for_each() -> None:
    found = evaluate(CRAWL, EVIDENCE)
    assert set(found) == set(measure.names())
    for name, measured in found.items():
        assert isinstance(measured.final, float)
        assert measured.curve.shape == (2,), name
        assert measured.curve.dtype == np.float64


def test_measures_without_evidence_are_left_out() -> None:
    found = evaluate(CRAWL, Evidence(targets=frozenset("b")))
    assert "target-recall" in found
    assert "harvest-ratio" not in found
    assert measure.get("apr").lacks(CRAWL, Evidence()) == ["to_targets", "baseline"]


def test_a_name_nobody_has_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="'target-recall'"):
        evaluate(CRAWL, EVIDENCE, ["target-recal"])
    with pytest.raises(UnknownName, match=r"Known: .*apr"):
        measure.get("xyzzy")


def test_another_package_adds_its_own() -> None:
    mine = Measures()

    @mine("pages", unit="pages", empty=0.0)
    def pages(trace: Trace, evidence: Evidence) -> Curve:
        """How many pages."""
        return np.arange(1.0, len(trace.pages) + 1)

    assert mine.get("pages").final(CRAWL, Evidence()) == 2
    assert mine.get("pages").final(Trace(requests=()), Evidence()) == 0
    assert pages(CRAWL, Evidence()).tolist() == [1, 2]
    with pytest.raises(ValueError, match="two measures"):
        mine("pages", unit="pages")(lambda trace, evidence: np.zeros(0))


def test_a_measure_must_say_what_it_measures() -> None:
    with pytest.raises(ValueError, match="docstring"):
        Measures()("mute", unit="x")(lambda trace, evidence: np.zeros(0))


def test_an_empty_crawl_is_measured_without_a_warning() -> None:
    nothing = Evidence(
        targets=frozenset("b"),
        to_examples=np.zeros((0, 2)),
        to_targets=np.zeros((0, 2)),
        verdicts=np.zeros(0, dtype=bool),
        baseline=np.zeros(0),
        looks=(),
    )
    found = evaluate(Trace(requests=(), budget=10, seconds={"parse": ()}, training=TAUGHT), nothing)
    assert set(found) == set(measure.names())
    assert found["target-recall"].final == 0
    assert math.isnan(found["harvest-ratio"].final)


def test_what_training_took() -> None:
    found = evaluate(CRAWL, EVIDENCE)
    assert (found["training-seconds"].final, found["training-pages"].final) == (2.5, 300)
    untaught = evaluate(Trace((Request("a"),)), Evidence())
    assert "training-seconds" not in untaught
