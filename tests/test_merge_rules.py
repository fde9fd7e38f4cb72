import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.merge_rules import merged, prevails
from scenthound.model import Link, MergeRule, Waiting

OLD = Waiting(1, Link("https://a.test/", anchor="old"), "a.test", 0.5, 7, 3, b"old", 2, 1, 0, 99.0)
NEW = Waiting(1, Link("https://a.test/", anchor="new"), "a.test", 0.8, 9, 2, b"new", 1, 0, 4, 0.0)


@pytest.mark.parametrize(
    ("rule", "priority", "anchor", "evidence"),
    [("max", 0.8, "new", 2), ("min", 0.5, "old", 2), ("last", 0.8, "new", 2), ("mean", 0.6, "new", 3)],
)
def test_the_better_word_rules(rule: MergeRule, priority: float, anchor: str, evidence: int) -> None:
    row = merged(OLD, NEW, rule)
    assert row.priority == pytest.approx(priority)
    assert (row.link.anchor, row.memory, row.hops) == (anchor, anchor.encode(), 4 if anchor == "new" else 0)
    assert row.evidence == evidence


@pytest.mark.parametrize("rule", ["max", "min", "last", "mean"])
def test_what_stays_whatever_the_rule(rule: MergeRule) -> None:
    row = merged(OLD, NEW, rule)
    assert (row.id, row.host, row.order, row.tries, row.not_before, row.rule) == (1, "a.test", 7, 1, 99.0, None)
    assert row.depth == 2


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_of_two_equals_the_first_one_stays(old: float, new: float) -> None:
    assert prevails(new, old, "max") == (new > old)
    assert prevails(new, old, "min") == (new < old)
    assert prevails(new, old, "mean") == (new > old)
    assert prevails(new, old, "last")
