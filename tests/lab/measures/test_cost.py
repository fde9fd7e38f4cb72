import math

import pytest

from scenthound.lab.measures import cost
from scenthound.lab.measures.registry import evaluate, measure
from scenthound.lab.measures.trace import Evidence, Request, Trace

CRAWL = Trace(
    requests=(
        Request("a", bytes=100),
        Request("gone", ok=False, bytes=10),
        Request("b", bytes=300),
        Request("gone too", ok=False, bytes=5),
    ),
    budget=5,
    seconds={"parse": (0.002, 0.006), "rank": (0.001, 0.001)},
)


def test_requests_in_vain_are_spent_too() -> None:
    assert cost.requests(CRAWL, Evidence()).tolist() == [1, 3]
    assert measure.get("requests").final(CRAWL, Evidence()) == 4


def test_bytes_in_vain_are_spent_too() -> None:
    assert cost.bytes_received(CRAWL, Evidence()).tolist() == [100, 410]
    assert measure.get("bytes").final(CRAWL, Evidence()) == 415


def test_what_comes_after_the_budget_is_not_counted() -> None:
    short = Trace(requests=CRAWL.requests, budget=1)
    assert measure.get("requests").final(short, Evidence()) == 1
    assert measure.get("bytes").final(short, Evidence()) == 100


def test_a_crawl_that_found_no_page_still_spent_requests() -> None:
    vain = Trace(requests=(Request("gone", ok=False, bytes=7),) * 3, budget=2)
    found = evaluate(vain, Evidence(), ["requests", "bytes"])
    assert (found["requests"].final, found["bytes"].final) == (3, 21)
    assert len(found["requests"].curve) == 0


def test_cpu_a_page_by_stage() -> None:
    assert measure.get("cpu-parse")(CRAWL, Evidence()).curve == pytest.approx([2, 3])
    assert measure.get("cpu-rank").final(CRAWL, Evidence()) == pytest.approx(0.5)
    assert measure.get("cpu").final(CRAWL, Evidence()) == pytest.approx(3.5)


def test_cpu_of_totals_alone_is_spread_evenly() -> None:
    totals = Trace(requests=CRAWL.requests, seconds={"fetch": (0.010,), "store": (0.002,)})
    assert measure.get("cpu-fetch")(totals, Evidence()).curve == pytest.approx([5, 5])
    assert measure.get("cpu").final(totals, Evidence()) == pytest.approx(6)


def test_a_stage_nobody_timed_is_unknown_and_no_timings_no_measure() -> None:
    assert math.isnan(measure.get("cpu-judge").final(CRAWL, Evidence()))
    untimed = Trace(requests=CRAWL.requests)
    assert not [name for name in evaluate(untimed, Evidence()) if name.startswith("cpu")]
