"""Recall and its kin on a crawl small enough to work out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.measures.registry import measure
from scenthound.lab.measures.targets import pages_to, recall_area, target_length, target_recall
from scenthound.lab.measures.trace import Evidence, Request, Trace

# Two requests in vain, five pages, three of the four targets: b as the second page, d as the third, e as the fifth.
CRAWL = Trace(
    requests=(
        Request("a", depth=0),
        Request("missing", ok=False),
        Request("b", depth=1),
        Request("d", depth=4),
        Request("t", ok=False),  # a target that failed is not found
        Request("b", depth=2),  # a target downloaded again is not found again
        Request("e", depth=1),
    ),
    budget=8,
)
TRUTH = Evidence(targets=frozenset("bdet"))


def test_target_recall() -> None:
    assert target_recall(CRAWL, TRUTH).tolist() == [0, 0.25, 0.5, 0.5, 0.75]
    assert measure.get("target-recall").final(CRAWL, TRUTH) == 0.75


def test_recall_area_keeps_the_last_recall_up_to_the_budget() -> None:
    curve = recall_area(CRAWL, TRUTH)
    assert len(curve) == 8
    assert curve[-1] == pytest.approx((0 + 0.25 + 0.5 + 0.5 + 4 * 0.75) / 8)
    assert curve[2] == pytest.approx(0.25)


def test_recall_area_without_a_budget_is_over_the_pages_there_are() -> None:
    free = Trace(requests=CRAWL.requests)
    assert recall_area(free, TRUTH)[-1] == pytest.approx(2.0 / 5)


def test_pages_beyond_the_budget_do_not_count() -> None:
    short = Trace(requests=CRAWL.requests, budget=3)
    assert target_recall(short, TRUTH).tolist() == [0, 0.25, 0.5]
    assert recall_area(short, TRUTH)[-1] == pytest.approx(0.25)


def test_pages_to_a_share_of_the_targets() -> None:
    assert pages_to(CRAWL, TRUTH, 0.5).tolist() == [math.inf, math.inf, 3, 3, 3]
    assert measure.get("pages-to-50").final(CRAWL, TRUTH) == 3
    assert measure.get("pages-to-80").final(CRAWL, TRUTH) == math.inf


def test_pages_to_counts_whole_targets() -> None:
    """Nine of ten are 90 %, although 0.9 * 10 need not be 9 in binary fractions; of three, 50 % are two."""
    ten = Trace(requests=tuple(Request(str(n)) for n in range(9)), budget=20)
    assert measure.get("pages-to-90").final(ten, Evidence(targets=frozenset(map(str, range(10))))) == 9
    assert measure.get("pages-to-50").final(ten, Evidence(targets=frozenset(("0", "5", "never")))) == 6


def test_target_length_is_the_mean_depth_of_targets_found() -> None:
    curve = target_length(CRAWL, TRUTH)
    assert math.isnan(curve[0])
    assert curve[1:].tolist() == [1, 2.5, 2.5, 2]


def test_a_crawl_without_pages() -> None:
    empty = Trace(requests=(Request("t", ok=False),), budget=4)
    assert measure.get("target-recall").final(empty, TRUTH) == 0
    assert measure.get("recall-area").final(empty, TRUTH) == 0
    assert measure.get("pages-to-50").final(empty, TRUTH) == math.inf
    assert math.isnan(measure.get("target-length").final(empty, TRUTH))


def test_recall_of_no_targets_is_not_a_number() -> None:
    assert np.isnan(target_recall(CRAWL, Evidence(targets=frozenset()))).all()
    assert measure.get("target-recall").lacks(CRAWL, Evidence(targets=frozenset())) == ["targets"]


crawls = st.builds(
    Trace,
    requests=st.lists(st.builds(Request, url=st.sampled_from("abcdefgh"), ok=st.booleans())).map(tuple),
    budget=st.integers(0, 12),
)
truths = st.builds(Evidence, targets=st.frozensets(st.sampled_from("abcdxyz"), min_size=1))


@given(crawls, truths)
def test_recall_never_falls_and_its_area_never_exceeds_it(crawl: Trace, truth: Evidence) -> None:
    recall = target_recall(crawl, truth)
    assert (np.diff(recall) >= 0).all()
    assert ((recall >= 0) & (recall <= 1)).all()
    final = measure.get("target-recall").final(crawl, truth)
    assert measure.get("recall-area").final(crawl, truth) <= final + 1e-12


@given(crawls, truths, st.sampled_from([0.5, 0.8, 0.9]))
def test_recall_reaches_the_share_at_the_page_named_and_not_before(crawl: Trace, truth: Evidence, level: float) -> None:
    recall = target_recall(crawl, truth)
    at = measure.get(f"pages-to-{round(100 * level)}").final(crawl, truth)
    if math.isinf(at):
        assert (recall < level).all()
    else:
        assert recall[int(at) - 1] >= level
        assert (recall[: int(at) - 1] < level).all()


@given(crawls, truths)
def test_a_larger_budget_never_lowers_recall(crawl: Trace, truth: Evidence) -> None:
    larger = Trace(requests=crawl.requests, budget=crawl.budget + 1 if crawl.budget else 0)
    recall = measure.get("target-recall")
    assert recall.final(larger, truth) >= recall.final(crawl, truth)
