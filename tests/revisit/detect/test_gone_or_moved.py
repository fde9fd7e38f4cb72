import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.protocols.records import LookSummary
from scenthound.revisit.detect.gone_or_moved import CONFIRM, absent, confirmed, lost_in_front, missing_since

OUTCOMES = ["same", "noise", "changed", "missing", "failed", "refused"]


def looks(*outcomes: str) -> list[LookSummary]:
    """One look an hour."""
    return [LookSummary(3600.0 * n, outcome) for n, outcome in enumerate(outcomes)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("past", "since"),
    [
        ([], None),
        (["same"], None),
        (["missing"], 0.0),
        (["same", "missing", "missing"], 3600.0),
        (["missing", "same", "missing"], 7200.0),
        (["missing", "failed", "refused"], 0.0),
        (["missing", "changed"], None),
        (["failed"], None),
    ],
)
def test_since_when_a_page_is_missed(past: list[str], since: float | None) -> None:
    assert missing_since(looks(*past)) == since


def test_a_second_look_a_day_later_confirms() -> None:
    past = looks("same", "missing")
    assert absent(past, 3600 + CONFIRM - 1, 404) == "missing"
    assert absent(past, 3600 + CONFIRM, 404) == "gone"
    assert absent([], 0.0, 404) == "missing"
    assert absent([], 0.0, 410) == "gone"


@given(st.lists(st.sampled_from(OUTCOMES), max_size=12), st.floats(0, 1e7))
def test_nothing_is_confirmed_that_was_there_since(past: list[str], later: float) -> None:
    history = looks(*past)
    now = 3600.0 * len(past) + later
    seen = [n for n, outcome in enumerate(past) if outcome in ("same", "noise", "changed")]
    missed = [n for n, outcome in enumerate(past) if outcome == "missing" and n > max(seen, default=-1)]
    assert confirmed(history, now) == bool(missed and now - 3600.0 * missed[0] >= CONFIRM)


@pytest.mark.parametrize(
    ("url", "target", "lost"),
    [
        ("http://a.test/x", "http://a.test/", True),
        ("http://a.test/x", "https://b.test/", True),
        ("http://a.test/", "https://a.test/", False),
        ("http://a.test/x", "http://a.test/?p=1", False),
        ("http://a.test/x", "http://a.test/y", False),
        ("http://a.test/?p=1", "http://a.test/", True),
    ],
)
def test_redirects_to_a_front_page(url: str, target: str, lost: bool) -> None:
    assert lost_in_front(url, target) is lost
