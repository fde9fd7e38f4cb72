"""Trails written down by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.learn.graphs.trails import START, Trail, click_path
from scenthound.training import trail_files
from scenthound.training.trail_files import read

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")


def test_a_click_path() -> None:
    text = f"# mine\n{A}  the start\n{B}\n# in between\n<\n+ {C}\n\n\n- {D}\n< <\n{A}\n"
    found = read(text, "x")
    assert found.trails == [click_path([A, B, "<", C]), click_path([D, A])]
    assert found.marks == {C: True, D: False}


def test_an_outline() -> None:
    text = f"{A}\n    {B}\n        + {C}\n\t{D}\n{B}\n"
    assert read(text, "x").trails == [Trail((A, B, C, D, B), (START, 0, 1, 0, START))]
    whole = f"    {A}\n    {B}\n"  # all by the same: a click path that stands a little to the right
    assert read(whole, "x").trails == [click_path([A, B])]


def test_the_example_of_the_documentation() -> None:
    example = [line[4:] for line in (trail_files.__doc__ or "").splitlines() if line.startswith("    ")]
    written = "\n".join(line[:56].rstrip() for line in example)
    found = read(written.replace("# From the city to the tram museum.", "#"), "x")
    assert [len(trail.urls) for trail in found.trails] == [3, 4]
    assert found.trails[0].origins == (START, 0, 0)
    assert found.trails[1].origins == (START, 0, 1, 0)
    assert sorted(found.marks.values()) == [False, True, True]


@pytest.mark.parametrize("line", ["no url here", "+", "- <", "ftp://a.test/"])
def test_what_is_no_url(line: str) -> None:
    with pytest.raises(ConfigError, match=r"x, line 2: .* is no usable URL: .*one URL a line"):
        read(f"{A}\n{line}\n", "x")


@given(st.lists(st.tuples(st.sampled_from(["", "  ", "\t"]), st.sampled_from([A, f"+ {B}", "<", "", "#"]))))
def test_any_such_lines_make_sound_trails(lines: list[tuple[str, str]]) -> None:
    for trail in read("\n".join(indent + line for indent, line in lines), "x").trails:
        assert trail.urls
        assert all(START <= origin < step for step, origin in enumerate(trail.origins))
