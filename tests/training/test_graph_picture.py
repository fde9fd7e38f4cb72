"""The graph as a page."""

from __future__ import annotations

import re

from scenthound.learn.graphs.sequences import walks
from scenthound.model import Lessons, Page
from scenthound.training.graph_picture import MOST_DOTS, MOST_EDGES, counts, name_of, render, samples


def lessons(n: int, title: str = "Page") -> Lessons:
    edges = tuple((b, a) for a in range(n) for b in range(a + 1, min(n, a + 4)))
    states = tuple((number + 9) // 10 for number in range(n))
    pages = tuple(Page(f"http://a.test/{number}", f"{title} {number}") for number in range(n))
    return Lessons(pages, edges, states, walks(edges, states, 20))


def test_every_page_is_a_dot_and_every_link_a_curve() -> None:
    html = render(lessons(25), "trams & more")
    assert html.count("<circle ") == 25
    assert len(re.findall(r"M[\d.]+ ", html)) == len(lessons(25).edges)
    assert "T3: Page 24" in html
    assert "trams &amp; more" in html
    assert "prefers-color-scheme: dark" in html
    assert "25 pages, 69 links among them, 1 target, 20 sequences." in html


def test_a_large_graph_stays_small() -> None:
    large = lessons(3000)
    flat = Lessons(large.pages, large.edges, (0, *[1] * 2999), large.sequences)
    html = render(flat, "x")
    assert html.count("<circle ") == MOST_DOTS + 1
    assert len(re.findall(r"M[\d.-]+ ", html)) <= MOST_EDGES
    assert f"{MOST_DOTS + 1:,} of the pages" in html
    assert len(html) < 300_000


def test_nothing_a_page_says_is_obeyed() -> None:
    html = render(lessons(3, "<script>alert(1)</script>\x1b[2J"), "<b>")
    assert "<script" not in html
    assert "\x1b" not in html
    assert "<h1>&lt;b&gt;</h1>" in html


def test_counts_begin_with_the_targets_and_end_with_the_lost() -> None:
    pages = tuple(Page(f"http://a.test/{n}") for n in range(4))
    assert counts(Lessons(pages, (), (-1, 0, 2, 0))) == [(0, 2), (2, 1), (-1, 1)]
    assert (name_of(2), name_of(-1)) == ("T2", "no way")
    assert render(Lessons(pages, (), (-1, 0, 2, 0)), "x").count("<circle ") == 4
    assert "None." in render(Lessons((), (), ()), "x")


def test_samples_are_the_same_for_a_seed() -> None:
    many = lessons(25)
    assert samples(many, 5, 1) == samples(many, 5, 1) != samples(many, 5, 2)
    assert len(samples(many, 99)) == 20
