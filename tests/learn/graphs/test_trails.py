"""From visits to trails, and from trails to lessons, worked by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.graphs.trails import BACK, START, Click, Trail, chains, click_path, lessons, narrowed, sessions
from scenthound.model import Page

A, B, C, D, E, X = (f"http://a.test/{name}" for name in "abcdex")


def pages(*urls: str) -> dict[str, Page]:
    return {url: Page(url=url) for url in urls}


def test_a_click_path_goes_back() -> None:
    assert click_path([A, B, BACK, C, D, BACK, BACK, E]) == Trail((A, B, C, D, E), (START, 0, 0, 2, 0))
    assert click_path([BACK, A, BACK, BACK, B]) == Trail((A, B), (START, 0))  # one cannot go back from the start
    assert click_path([A, A, B, A]) == Trail((A, B, A), (START, 0, 1))  # a reload; and a link back
    assert click_path([]) == Trail((), ())


def test_chains_run_from_a_start_to_where_one_turned_back() -> None:
    trail = click_path([A, B, BACK, C, D])
    assert [[trail.urls[step] for step in chain] for chain in chains(trail)] == [[A, B], [A, C, D]]


@given(st.lists(st.sampled_from([A, B, C, BACK]), max_size=30))
def test_every_step_is_on_a_chain_and_every_origin_before_its_step(steps: list[str]) -> None:
    trail = click_path(steps)
    assert all(START <= origin < step for step, origin in enumerate(trail.origins))
    assert {step for chain in chains(trail) for step in chain} == set(range(len(trail.urls)))


def test_states_are_hops_on_the_trail_graph() -> None:
    trails = [click_path([A, B, BACK, C, D]), click_path([E, C]), click_path([X])]
    taught = lessons(trails, pages(A, B, C, D, E, X), {D})
    assert [page.url for page in taught.pages] == [A, B, C, D, E, X]
    assert taught.edges == ((0, 1), (0, 2), (2, 3), (4, 2))
    # E leads to D although nobody went that way at one go; B and X lead nowhere.
    assert taught.states == (2, -1, 1, 0, 2, -1)
    assert taught.sequences == ((0, 1), (0, 2, 3), (4, 2))


def test_a_chain_breaks_where_a_page_is_missing() -> None:
    taught = lessons([click_path([A, B, X, C, D])], pages(A, B, C, D), {D})
    assert taught.edges == ((0, 1), (2, 3))
    assert taught.states == (-1, -1, 1, 0)
    assert taught.sequences == ((0, 1), (2, 3))


def test_two_addresses_of_one_page() -> None:
    known = pages(A, C) | {B: Page(url=C)}  # B redirects to C
    taught = lessons([click_path([A, B]), click_path([B, C])], known, {C})
    assert [page.url for page in taught.pages] == [A, C]
    assert (taught.edges, taught.states, taught.sequences) == (((0, 1),), (1, 0), ((0, 1),))
    assert lessons([click_path([A, B])], known, {B}).states == (1, 0)


def test_nothing_teaches_nothing() -> None:
    assert lessons([], {}, set()).pages == ()
    assert lessons([click_path([A, B])], {}, {A}).states == ()
    assert lessons([click_path([A, B])], pages(A, B), set()).states == (-1, -1)


# From a browser's visits


def test_sittings_end_with_a_pause() -> None:
    clicks = [Click(1, A, 1000.0), Click(2, B, 1060.0, 1), Click(3, C, 1060.0 + 1800.0, 2), Click(4, D, 5000.0, 3)]
    assert sessions(clicks) == [
        Trail((A, B, C), (START, 0, 1), 1000.0),
        Trail((D,), (START,), 5000.0),  # from a tab left open; the trail begins anew
    ]


def test_visits_come_in_any_order_and_know_their_origins() -> None:
    clicks = [Click(3, C, 30.0, 1), Click(1, A, 10.0), Click(2, B, 20.0, 1), Click(4, D, 40.0, 2)]
    assert sessions(clicks) == [Trail((A, B, C, D), (START, 0, 0, 1), 10.0)]


def test_a_redirect_is_no_step() -> None:
    clicks = [
        Click(1, A, 10.0),
        Click(2, X, 20.0, 1),
        Click(3, E, 20.0, 2, redirect=True),
        Click(4, B, 20.0, 3, redirect=True),
        Click(5, C, 30.0, 2),  # the browser took the first of them for the page it was on
    ]
    assert sessions(clicks) == [Trail((A, B, C), (START, 0, 1), 10.0)]
    assert sessions([Click(1, A, 1.0, 2, redirect=True), Click(2, B, 1.0, 1, redirect=True)]) == []  # round and round
    assert sessions([Click(1, A, 1.0, 9, redirect=True)])[0].urls == (A,)  # where from is forgotten


def test_a_reload_is_no_step() -> None:
    clicks = [Click(1, A, 10.0), Click(2, A, 20.0, 1), Click(3, B, 30.0, 2)]
    assert sessions(clicks) == [Trail((A, B), (START, 0), 10.0)]


def test_what_is_not_wanted_leaves_no_trace() -> None:
    clicks = [Click(1, A, 10.0), Click(2, X, 20.0, 1), Click(3, B, 30.0, 2), Click(4, C, 40.0, 3)]
    kept = sessions(clicks, lambda url: url != X)
    assert kept == [Trail((A, B, C), (START, START, 1), 10.0)]
    assert narrowed(click_path([A, X, B, C]), lambda url: url != X) == Trail((A, B, C), (START, START, 1))
    assert sessions(clicks, lambda url: False) == []


@given(
    st.lists(
        st.builds(
            Click, st.integers(1, 9), st.sampled_from([A, B, C]), st.floats(0, 9000), st.integers(0, 9), st.booleans()
        ),
        max_size=12,
    )
)
def test_no_history_is_too_odd(clicks: list[Click]) -> None:
    for trail in sessions(clicks):
        assert trail.urls
        assert all(START <= origin < step for step, origin in enumerate(trail.origins))
        assert list(chains(trail))
