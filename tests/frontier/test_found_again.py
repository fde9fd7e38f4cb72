from math import inf, isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.frontier.found_again import BOUND, finite, merge
from scenthound.model import Link, MergeRule, Ranked, Waiting

OLD = Waiting(1, Link("https://a.test/", anchor="old"), "a.test", 0.5, 7, 3, b"old", 2, 1, 0, 99.0)


def new(priority: float) -> Ranked:
    return Ranked(Link("https://a.test/", anchor="new"), priority, b"new")


@pytest.mark.parametrize(
    ("rule", "priority", "result", "anchor"),
    [
        ("max", 0.6, 0.6, "new"),
        ("min", 0.4, 0.4, "new"),
        ("last", 0.4, 0.4, "new"),
        ("mean", 0.8, 0.6, "new"),
        ("mean", 0.2, 0.4, "old"),
    ],
)
def test_rules(rule: MergeRule, priority: float, result: float, anchor: str) -> None:
    row = merge(OLD, new(priority), priority, 9, 4, rule)
    assert row is not None
    assert row.priority == pytest.approx(result)
    assert (row.link.anchor, row.memory, row.hops) == (anchor, anchor.encode(), 4 if anchor == "new" else 0)
    assert (row.id, row.order, row.depth, row.tries, row.not_before, row.rule) == (1, 7, 3, 1, 99.0, None)
    assert row.evidence == (3 if rule == "mean" else 2)


@pytest.mark.parametrize(("rule", "priority"), [("max", 0.5), ("max", 0.4), ("min", 0.5), ("min", 0.6)])
def test_no_news_is_no_row(rule: MergeRule, priority: float) -> None:
    assert merge(OLD, new(priority), priority, 3, 0, rule) is None
    shallower = merge(OLD, new(priority), priority, 2, 0, rule)
    assert shallower is not None
    assert (shallower.depth, shallower.priority, shallower.link) == (2, 0.5, OLD.link)


@given(st.floats(), st.floats())
def test_priorities_are_finite_and_in_order(a: float, b: float) -> None:
    assert isfinite(finite(a))
    if a <= b:
        assert finite(a) <= finite(b)
    assert finite(inf) == BOUND
