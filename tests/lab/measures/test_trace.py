import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.measures.trace import Request, Trace, held, nearest, over_requests, running_mean

CRAWL = Trace(requests=(Request("x", ok=False), Request("a"), Request("y", ok=False), Request("b"), Request("c")))


def test_pages_are_the_requests_that_brought_one() -> None:
    assert [request.url for request in CRAWL.pages] == ["a", "b", "c"]
    short = Trace(requests=CRAWL.requests, budget=2)
    assert [request.url for request in short.pages] == ["a", "b"]
    assert [request.url for request in short.spent] == ["x", "a", "y", "b"]
    assert len(Trace(requests=CRAWL.requests, budget=9).spent) == 5


def test_a_trace_goes_through_json_and_back() -> None:
    trace = Trace(requests=CRAWL.requests, budget=7, seconds={"parse": (0.1, 0.2)})
    assert msgspec.json.decode(msgspec.json.encode(trace), type=Trace) == trace


def test_held_keeps_the_last_value_or_cuts() -> None:
    curve = np.array([1.0, 2.0])
    assert held(curve, 4).tolist() == [1, 2, 2, 2]
    assert held(curve, 1).tolist() == [1]
    assert held(np.zeros(0), 2, start=0.5).tolist() == [0.5, 0.5]


def test_over_requests_has_a_value_for_each_request() -> None:
    found = over_requests(CRAWL, np.array([0.1, 0.2, 0.3]))
    assert math.isnan(found[0])
    assert found[1:].tolist() == [0.1, 0.1, 0.2, 0.3]
    short = Trace(requests=CRAWL.requests, budget=2)
    assert over_requests(short, np.array([0.1, 0.2]), start=0).tolist() == [0, 0.1, 0.1, 0.2, 0.2]
    assert over_requests(Trace(requests=()), np.zeros(0)).tolist() == []


def test_nearest_of_no_references_is_zero() -> None:
    assert nearest(np.zeros((2, 0))).tolist() == [0, 0]
    assert nearest(np.array([[0.1, 0.4], [0.3, 0.2]])).tolist() == [0.4, 0.3]


@given(st.lists(st.floats(-100, 100), min_size=1))
def test_running_mean_ends_at_the_mean(values: list[float]) -> None:
    assert running_mean(np.array(values))[-1] == pytest.approx(np.mean(values), abs=1e-9)
