"""The documents' similarity measures, worked out by hand on three pages and two references."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from scenthound.lab.measures import similarity
from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.trace import Evidence, Request, Trace

COSINES = np.array(
    [
        [0.75, 0.2],  # exactly at Batsakis's threshold: not above it
        [0.1, 0.8],
        [0.6, 0.3],
    ]
)
CRAWL = Trace(requests=(Request("a"), Request("gone", ok=False), Request("b"), Request("c")), budget=3)
BOTH = Evidence(to_examples=COSINES, to_targets=COSINES)


def crawl_of(pages: int) -> Trace:
    return Trace(requests=tuple(Request(str(n)) for n in range(pages)))


def test_harvest_ratio_is_the_share_above_the_threshold() -> None:
    assert similarity.harvest_ratio(CRAWL, BOTH) == pytest.approx([0, 1 / 2, 1 / 3])


def test_average_similarity_is_the_mean_of_the_nearest() -> None:
    assert similarity.average_similarity(CRAWL, BOTH) == pytest.approx([0.75, 1.55 / 2, 2.15 / 3])


@pytest.mark.parametrize(
    ("name", "curve"),
    [
        ("precision-0.5", [1, 1, 1]),
        ("precision-0.6", [1, 1, 1]),  # at the threshold counts, in Liu
        ("precision-0.7", [1, 1, 2 / 3]),
        ("precision-0.8", [0, 1 / 2, 1 / 3]),
    ],
)
def test_precision_is_the_share_at_the_threshold_or_above(name: str, curve: list[float]) -> None:
    assert measure.get(name)(CRAWL, BOTH).curve == pytest.approx(curve)


def test_maximum_average_similarity_as_printed_and_as_described() -> None:
    # Means to the two targets after two pages: 0.425 and 0.5; after three: 1.45 / 3 and 1.3 / 3.
    assert similarity.maximum_average_similarity(CRAWL, BOTH) == pytest.approx([0.75, 0.5, 1.45 / 3])
    assert similarity.mean_maximum_similarity(CRAWL, BOTH) == pytest.approx([0.75, 1.55 / 2, 2.15 / 3])


def test_apr_averages_the_ratios_of_precisions() -> None:
    # The baseline's precisions after its pages (0.55, 0.85, 0.1):  0.5: 1, 1, 2/3   0.6, 0.7, 0.8: 0, 1/2, 1/3
    evidence = Evidence(to_targets=COSINES, baseline=np.array([0.55, 0.85, 0.1]))
    after_one = 1 / 1  # only the threshold 0.5 has a ratio
    after_two = (1 / 1 + 1 / 0.5 + 1 / 0.5 + 0.5 / 0.5) / 4
    after_three = (1 / (2 / 3) + 1 / (1 / 3) + (2 / 3) / (1 / 3) + 1) / 4
    assert similarity.apr(CRAWL, evidence) == pytest.approx([after_one, after_two, after_three])


def test_apr_of_the_baseline_itself_is_one() -> None:
    evidence = Evidence(to_targets=COSINES, baseline=COSINES.max(axis=1))
    assert similarity.apr(CRAWL, evidence) == pytest.approx([1, 1, 1])


def test_apr_against_a_baseline_that_ended_early_or_found_nothing() -> None:
    early = Evidence(to_targets=COSINES, baseline=np.array([0.9]))
    assert similarity.apr(CRAWL, early)[-1] == pytest.approx((1 + 1 + 2 / 3 + 1 / 3) / 4)
    nothing = Evidence(to_targets=COSINES, baseline=np.array([0.1, 0.1, 0.1]))
    assert np.isnan(similarity.apr(CRAWL, nothing)).all()
    assert np.isnan(similarity.apr(CRAWL, Evidence(to_targets=COSINES, baseline=np.zeros(0)))).all()


def test_no_pages_and_no_references() -> None:
    nobody = Evidence(to_examples=np.zeros((0, 2)), to_targets=np.zeros((0, 2)), baseline=np.zeros(0))
    for name in ("harvest-ratio", "precision-0.5", "maximum-average-similarity", "apr"):
        assert math.isnan(measure.get(name).final(crawl_of(0), nobody))
    nowhere = Evidence(to_examples=np.zeros((3, 0)), to_targets=np.zeros((3, 0)))
    for name in ("harvest-ratio", "average-similarity", "maximum-average-similarity", "mean-maximum-similarity"):
        assert measure.get(name).final(CRAWL, nowhere) == 0


def test_similarities_of_another_crawl_are_refused() -> None:
    with pytest.raises(ValueError, match="4 pages, but similarities of 3"):
        similarity.harvest_ratio(crawl_of(4), BOTH)


matrices = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(0, 1))


@given(matrices)
def test_measures_stay_in_their_bounds_and_order(cosines: np.ndarray) -> None:
    crawl, evidence = crawl_of(len(cosines)), Evidence(to_examples=cosines, to_targets=cosines)
    precisions = [measure.get(f"precision-{at}")(crawl, evidence).curve for at in (0.5, 0.6, 0.7, 0.8)]
    assert all((lower >= higher).all() for lower, higher in itertools.pairwise(precisions))
    printed = similarity.maximum_average_similarity(crawl, evidence)
    described = similarity.mean_maximum_similarity(crawl, evidence)
    assert (printed <= described + 1e-12).all()  # the maximum of means is at most the mean of maxima
    assert ((described >= 0) & (described <= 1 + 1e-12)).all()
