from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.learn.chains.labels import STATES, flip_labels, held_out, labels, lessons_of, ways
from scenthound.model import Lessons, Page, Topic
from scenthound.protocols.crawl import Context
from scenthound.text import idf


def made(states: tuple[int, ...], sequences: tuple[tuple[int, ...], ...] = ()) -> Lessons:
    pages = tuple(Page(f"http://p/{n}", terms={"x": 1}) for n in range(len(states)))
    edges = tuple((n, n + 1) for n in range(len(states) - 1))
    return Lessons(pages, edges, states, sequences)


def test_what_is_far_or_out_of_reach_is_the_last_state() -> None:
    assert labels(made((0, 3, 4, 5, 99, -1))).tolist() == [0, 3, 4, 4, 4, 4]
    assert labels(made((0, 1, 2, -1)), 3).tolist() == [0, 1, 2, 2]


def test_edges_stand_in_for_sequences() -> None:
    assert ways(made((0, 1, 2))) == ((0, 1), (1, 2))
    assert ways(made((0, 1, 2), ((2, 1, 0),))) == ((2, 1, 0),)


@given(st.integers(1, 60), st.floats(0, 1), st.integers(0, 5))
def test_flipping_changes_just_that_share(pages: int, share: float, seed: int) -> None:
    before = made(tuple(n % STATES for n in range(pages)))
    after = flip_labels(before, share, Random(seed))
    changed = sum(a != b for a, b in zip(before.states, after.states, strict=True))
    assert changed == round(share * pages)
    assert all(0 <= state < STATES for state in after.states)
    assert (after.edges, after.pages) == (before.edges, before.pages)


def test_flipping_leaves_pages_out_of_reach_where_they_are() -> None:
    before = made((0, 1, *[-1] * 8, *[7] * 10))
    after = flip_labels(before, 0.5, Random(1))
    changed = [b for a, b in zip(before.states, after.states, strict=True) if a != b]
    assert len(changed) == 10
    assert {-1, 7} <= set(after.states)
    assert flip_labels(before, 0.0, Random(1)) == before


def test_flipping_refuses_what_is_no_share() -> None:
    with pytest.raises(ValueError, match="share"):
        flip_labels(made((0, 1)), 1.5, Random(1))


def test_held_out_pages_are_on_one_side_only() -> None:
    lessons = made(tuple(range(40)), tuple(tuple(range(start, start + 6)) for start in range(34)))
    taught, asked = held_out(lessons, 0.25, Random(3))
    assert len(asked.pages) == 10
    assert not {page.url for page in taught.pages} & {page.url for page in asked.pages}
    for part in (taught, asked):
        assert part.sequences
        for way in part.sequences:
            assert len(way) > 1
            states = [part.states[page] for page in way]  # of page n it is n, so a way's are consecutive
            assert states == list(range(states[0], states[0] + len(states)))
        for page, state in zip(part.pages, part.states, strict=True):
            assert page.url == f"http://p/{state}"


def test_lessons_that_teach_nothing_are_refused() -> None:
    context = Context(Topic("x"), idf.none(), Random(1))
    with pytest.raises(ConfigError, match="scenthound train FOLDER --model crf"):
        lessons_of(context, "crf")
    with pytest.raises(ConfigError, match="no relevant page"):
        lessons_of(Context(Topic("x"), idf.none(), Random(1), lessons=made((1, 2, -1))), "crf")
