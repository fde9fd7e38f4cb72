"""Every measure has one name, says what it is, and comes out of one evaluation."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scenthound.errors import UnknownName
from scenthound.lab.measures.registry import Measures, evaluate, measure
from scenthound.lab.measures.trace import Curve, Evidence, Request, Trace
from scenthound.sites.measures import SiteLook
from tests.other_package import install

ALL = {
    "informed-harvest-rate",
    *("harvest-ratio", "average-similarity", "precision-0.5", "precision-0.6", "precision-0.7", "precision-0.8"),
    *("maximum-average-similarity", "mean-maximum-similarity", "apr", "harvest-rate", "own-relevance"),
    *("target-recall", "recall-area", "target-sites", "target-length", "pages-to-50", "pages-to-80", "pages-to-90"),
    *("requests", "bytes", "cpu", "cpu-fetch", "cpu-parse", "cpu-judge", "cpu-rank", "cpu-store"),
    *("training-seconds", "training-pages"),
}
MODULE = """
import numpy as np
from scenthound.lab.measures.registry import measure

@measure("pages-seen", unit="pages")
def pages_seen(trace, evidence):
    "How many pages were seen."
    return np.arange(1.0, len(trace.pages) + 1)
"""
TAUGHT = {"seconds": 2.5, "pages": 300}
CRAWL = Trace((Request("a"), Request("b")), budget=2, seconds={"parse": (0.1, 0.2)}, training=TAUGHT)
EVIDENCE = Evidence(
    targets=frozenset("b"),
    to_examples=np.eye(2),
    to_targets=np.eye(2),
    verdicts=np.array([True, False]),
    informed=np.array([True, True]),
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
    mine = Measures("measure", "scenthound.lab.measures")

    @mine("pages", unit="pages", empty=0.0)
    def pages(trace: Trace, evidence: Evidence) -> Curve:
        """How many pages."""
        return np.arange(1.0, len(trace.pages) + 1)

    assert mine.get("pages").final(CRAWL, Evidence()) == 2
    assert mine.get("pages").final(Trace(requests=()), Evidence()) == 0
    assert pages(CRAWL, Evidence()).tolist() == [1, 2]
    with pytest.raises(ValueError, match="pages is there twice"):
        mine("pages", unit="pages", doc="Others.")(lambda trace, evidence: np.zeros(0))


def test_a_module_of_another_package_adds_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(
        str(install(tmp_path, "scenthound.measures", "mine = my_measures", MODULE, "my_measures"))
    )
    mine = Measures("measure", "scenthound.lab.measures")
    assert "pages-seen" not in mine.names(), "it is decorated by our `measure`, which knows it from now on"
    try:
        assert measure.get("pages-seen").final(CRAWL, EVIDENCE) == 2
        assert evaluate(CRAWL, EVIDENCE)["pages-seen"].curve.tolist() == [1, 2]
    finally:
        del measure._entries["pages-seen"]


def test_the_order_is_that_of_the_modules() -> None:
    program = "from scenthound.lab.measures.registry import measure; print(*measure.names())"
    names = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert names[:3] == ["requests", "bytes", "cpu"]
    assert names[-1] == "target-length"
    assert set(names) == ALL | {"pprs-rate", "pprs-rate-window", "website-harvest-rate"}


def test_a_measure_must_say_what_it_measures() -> None:
    with pytest.raises(ValueError, match="docstring"):
        measure("mute", unit="x")(lambda trace, evidence: np.zeros(0))


def test_an_empty_crawl_is_measured_without_a_warning() -> None:
    nothing = Evidence(
        targets=frozenset("b"),
        to_examples=np.zeros((0, 2)),
        to_targets=np.zeros((0, 2)),
        verdicts=np.zeros(0, dtype=bool),
        informed=np.zeros(0, dtype=bool),
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
