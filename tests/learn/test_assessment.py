from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.learn.assessment import assess
from scenthound.model import Lessons, Link, Page
from scenthound.protocols.crawl import Context
from tests.conformance import strategies as suite

pytest.importorskip("scipy")


def ladders(count: int = 24) -> Lessons:
    """Ways of four pages, each with words of its own rung: states can be told from words."""
    words = ("dengue fever", "clinic doctor", "city council", "country map")
    pages, states, edges, sequences = [], [], [], []
    for ladder in range(count):
        first = len(pages)
        for state in (3, 2, 1, 0):
            url = f"http://h{ladder}.example/{state}"
            links = (Link(f"http://h{ladder}.example/{state - 1}", url, words[state - 1]),) if state else ()
            text = f"{words[state]} number {ladder}"
            terms = suite.analyzer("en").counts(text)
            pages.append(Page(url, title=words[state], text=text, terms=terms, links=links))
            states.append(state)
        edges += [(first + n, first + n + 1) for n in range(3)]
        sequences.append(tuple(range(first, first + 4)))
    return Lessons(tuple(pages), tuple(edges), tuple(states), tuple(sequences))


def context() -> Context:
    return replace(suite.make_context(), lessons=ladders())


@pytest.mark.parametrize("name", ["crf", "memm", "hmm", "context-graph"])
def test_states_are_told_on_pages_held_out(name: str) -> None:
    strategy = registry.strategy.build(name)
    report = assess(strategy, context(), Random(2), share=0.3)
    assert (report.pages, report.edges, report.sequences) == (96, 72, 24)
    assert report.examined > 0
    assert report.accuracy is not None
    assert report.usual is not None
    assert report.mean_error is not None
    assert report.accuracy > max(0.7, report.usual)
    assert report.mean_error < 0.5
    assert sum(map(sum, report.confusion)) == report.examined
    assert sum(row[n] for n, row in enumerate(report.confusion)) == round(report.accuracy * report.examined)
    assert report.seconds > 0
    strategy.begin(context())  # the one that was assessed is trained


def test_curve_and_strongest_features() -> None:
    report = assess(registry.strategy.build("crf"), context(), Random(2))
    assert report.curve[-1] >= report.curve[0]
    assert len(report.strongest) == 5
    assert any("dengu" in name for name, _ in report.strongest[0])


def test_a_strategy_that_names_no_states() -> None:
    report = assess(registry.strategy.build("reinforcement"), context(), Random(2))
    assert report.accuracy is None
    assert report.pages == 96


def test_too_little_to_hold_anything_out() -> None:
    few = replace(context(), lessons=Lessons(suite.make_lessons().pages[4:5], (), (0,)))
    assert assess(registry.strategy.build("crf"), few, Random(1)).accuracy is None
