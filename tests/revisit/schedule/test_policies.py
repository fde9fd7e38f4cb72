from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.errors import ConfigError, UnknownName
from scenthound.revisit.schedule.page_history import DAY, PageHistory, Sighting, observations
from scenthound.revisit.schedule.policies import build, revisit_policy

SITE = "http://example.org"


def page(path: str, *changed: bool, every: float = 10.0, **fields: float) -> PageHistory:
    looks = [Sighting((number + 1) * every * DAY, each) for number, each in enumerate(changed)]
    return PageHistory(SITE + path, 0.0, looks, **fields)  # type: ignore[arg-type]


def paths(urls: list[str]) -> list[str]:
    return [url.removeprefix(SITE) for url in urls]


def test_uniform_asks_whom_it_has_not_asked_for_longest() -> None:
    pages = [page("/a", True, True), page("/b", False), page("/c", False, False, False)]
    assert paths(build("uniform").due(pages, 100 * DAY, 2)) == ["/b", "/a"]


def test_proportional_asks_twice_as_often_where_twice_as_much_changed() -> None:
    busy, quiet = page("/a", *[True] * 8), page("/b", *[False] * 8)
    assert paths(build("proportional").due([quiet, busy], 90 * DAY, 2)) == ["/a", "/b"]


def test_pvalue_asks_relevant_pages_with_many_links_first_and_broken_ones_last() -> None:
    hub = page("/hub", forward=90, backward=2)
    leaf = page("/leaf", forward=3, backward=40)
    broken = page("/broken", forward=0, backward=9)
    beside = page("/beside", forward=90, backward=2, relevance=0.1)
    for rounds in (False, True):
        due = build("pvalue", {"rounds": rounds}).due([broken, leaf, beside, hub], 10 * DAY, 4)
        assert paths(due) == ["/hub", "/beside", "/leaf", "/broken"]
    again = build("pvalue", {"rounds": True}).due([page("/hub", True, forward=90), leaf], 30 * DAY, 2)
    assert paths(again) == ["/leaf", "/hub"]


def test_pvalue_as_published_is_forward_minus_backward_and_nothing_else() -> None:
    """By shares /few (3 of 3) would go before /many (90 of 130), and relevance would count."""
    many = page("/many", forward=90, backward=40, relevance=0.0)
    few = page("/few", forward=3, backward=0, relevance=1.0)
    broken = page("/broken", forward=0, backward=9)
    published = build("pvalue", {"published": True})
    assert paths(published.due([broken, few, many], 10 * DAY, 3)) == ["/many", "/few", "/broken"]
    assert paths(build("pvalue").due([broken, few, many], 10 * DAY, 3)) == ["/few", "/many", "/broken"]
    with pytest.raises(ConfigError, match="order = pvalue goes with rounds"):
        build("pvalue", {"order": "pvalue"})


@pytest.mark.parametrize("name", ["rates", "learned"])
def test_the_learning_ones_leave_hopeless_pages_for_those_that_can_be_kept_fresh(name: str) -> None:
    hopeless = page("/h/a", *[True] * 40, every=2.0)
    now_and_then = page("/n/a", *[False, False, True, False, False, True] * 6, every=2.2)
    due = build(name).due([hopeless, now_and_then], 100 * DAY, 1)
    assert paths(due) == ["/n/a"]


@pytest.mark.parametrize("name", ["rates", "learned"])
def test_relevance_counts(name: str) -> None:
    looks = [False, True, False, True]
    pages = [page("/k/a", *looks, relevance=0.2), page("/k/b", *looks, relevance=0.9)]
    assert paths(build(name).due(pages, 60 * DAY, 1)) == ["/k/b"]


@pytest.mark.parametrize("name", revisit_policy.names())
def test_pages_that_are_gone_are_left_alone(name: str) -> None:
    gone = page("/gone", True, True)
    gone.gone = True
    assert paths(build(name).due([gone, page("/there", True)], 60 * DAY, 5)) == ["/there"]
    assert build(name).due([gone], 60 * DAY, 5) == []
    assert build(name).due([], 60 * DAY, 5) == []


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.tuples(st.floats(0, 50), st.booleans()), max_size=6), max_size=8),
    st.integers(0, 10),
    st.sampled_from(revisit_policy.names()),
)
def test_every_policy_gives_so_many_different_pages_and_the_same_again(
    given_: list[list[tuple[float, bool]]], n: int, name: str
) -> None:
    pages = []
    for number, looks in enumerate(given_):
        at, sightings = 0.0, []
        for wait, changed in looks:
            at += wait * DAY
            sightings.append(Sighting(at, changed))
        pages.append(PageHistory(f"{SITE}/p{number}", 0.0, sightings, forward=number))
    due = build(name).due(pages, 400 * DAY, n)
    assert len(due) == len(set(due)) == min(n, len(pages))
    assert set(due) <= {each.url for each in pages}
    assert build(name).due(pages, 400 * DAY, n) == due


def test_unknown_names_and_parameters_are_refused() -> None:
    with pytest.raises(UnknownName, match="learned"):
        build("lerned")
    with pytest.raises(ConfigError, match="memory"):
        build("learned", {"memory": -1})
    with pytest.raises(ConfigError, match="colour"):
        build("uniform", {"colour": 1})


def test_looks_as_the_estimator_wants_them() -> None:
    each = PageHistory(SITE, 0.0, [Sighting(2 * DAY, True, 1.5 * DAY), Sighting(5 * DAY, False, 1.5 * DAY)])
    first, second = observations(each)
    assert (first.interval, first.changed, first.age) == (2.0, True, 0.5)
    assert (second.interval, second.changed, second.age) == (3.0, False, None)
