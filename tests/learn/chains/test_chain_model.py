from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.learn.chains import belief, chain_model
from scenthound.learn.chains.chain_model import ChainSettings, Forecast, RememberedRows, teach
from scenthound.learn.chains.labels import STATES
from scenthound.learn.chains.page_features import SeenFeatures
from scenthound.model import Link, Visit
from tests.conformance.strategies import TOPIC, make_context, make_lessons, make_page, make_visit
from tests.learn.test_assessment import ladders

pytest.importorskip("scipy")

CONTEXT = make_context()


def forecast(kind: str = "crf", best: bool = False, **settings: Any) -> Forecast:
    model = teach(make_lessons(), TOPIC, CONTEXT.idf, ChainSettings(kind, **settings))
    return Forecast(model, TOPIC, CONTEXT.idf, best)


@pytest.mark.parametrize("kind", ["memm", "crf"])
@pytest.mark.parametrize("view", ["page", "target"])
@pytest.mark.parametrize("best", [False, True])
def test_each_link_is_scored_as_if_alone(kind: str, view: Any, best: bool) -> None:
    """What is remembered and done for all links at once gives what the formula gives for one."""
    made = forecast(kind, best, view=view)
    page = make_page(1, links=9)
    before = np.array([0.1, 0.2, 0.3, 0.3, 0.1])
    visit = make_visit(page, memory=belief.packed(before[None])[0])
    found = made.beliefs(visit)
    assert found.sum(axis=1) == pytest.approx(np.ones(9))
    for link, row in zip(page.links, found, strict=True):
        alone = made.beliefs(replace(visit, page=replace(page, links=(link,))))
        assert row == pytest.approx(alone[0])
        reader = made.model.reader(TOPIC, CONTEXT.idf)
        parts = [reader.of_page(page)]
        if view == "target":
            parts.append(reader.of_link(link, page.blocks[link.block].heading))
        else:
            parts += [reader.of_link(visit.link), reader.of_anchor(link.anchor or link.title, "child ")]
        scores = sum(made.model.scores(part) for part in parts)
        moves = chain_model.KINDS[kind].transitions(made.model.weights, np.asarray(scores)[None])[0]
        reached = (before[:, None] * moves).max(axis=0) if best else before @ moves
        assert row == pytest.approx(reached / reached.sum(), abs=1e-5)


def test_the_belief_travels_with_the_link() -> None:
    made = forecast()
    first = make_page(1)
    ranked = made.rank(Visit(Link(first.url, kind="seed"), first, 0.5, True, 0))
    assert all(belief.unpacked(one.memory, STATES) is not None for one in ranked)
    second = make_page(2)
    with_way = made.rank(Visit(ranked[0].link, second, 0.5, True, 1, ranked[0].memory))
    without = made.rank(Visit(ranked[0].link, second, 0.5, True, 1, None))
    assert [one.priority for one in with_way] != [one.priority for one in without]
    restarted = forecast().rank(Visit(ranked[0].link, second, 0.5, True, 1, ranked[0].memory))
    assert restarted == with_way


@pytest.mark.parametrize("kind", ["memm", "crf"])
def test_links_that_lead_nearer_come_first(kind: str) -> None:
    lessons = ladders()
    made = Forecast(teach(lessons, TOPIC, CONTEXT.idf, ChainSettings(kind)), TOPIC, CONTEXT.idf)
    page = lessons.pages[1]  # of state 2, on its way to 1
    better, worse = (
        Link(f"http://new.example/{n}", page.url, words) for n, words in enumerate(("dengue", "country map"))
    )
    ranked = made.rank(make_visit(replace(page, links=(worse, better))))
    assert ranked[1].priority > ranked[0].priority


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_model, "REMEMBERED", 10)
    made = forecast()
    table = RememberedRows(made._weights, made.reader.anchors, made.reader.urls)
    named, scores = made.model.reader(TOPIC, CONTEXT.idf), made.model.scores
    for number in range(30):
        said = f"country{number} maps"
        page = scores(named.of_page(make_page(number)))
        found = table(made.reader.page(make_page(number)), [said, "dengue"], ["http://x/dengue", "http://x/"])
        first = page + scores(named.of_anchor(said)) + scores(named.of_url("http://x/dengue"))
        second = page + scores(named.of_anchor("dengue")) + scores(named.of_url("http://x/"))
        assert found == pytest.approx(np.array([first, second]))
        assert sum(map(len, table._known)) <= 10
    assert table(SeenFeatures([()], {}), [], []).shape == (0, STATES)
    assert table.of({}) == pytest.approx(np.zeros(STATES))


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8), max_size=12))
def test_what_is_remembered_is_what_would_be_worked_out_anew(pages: list[list[tuple[int, int]]]) -> None:
    """Texts are numbers here: each says the rows of its digits, and those above 7 a row with a value, too."""
    weights = np.vstack([np.random.default_rng(0).normal(size=(20, STATES)), np.zeros(STATES)])

    def read(texts: Sequence[str], above: int = 0) -> SeenFeatures:
        valued = {place: {19: int(text) / 10} for place, text in enumerate(texts) if int(text) > 7}
        return SeenFeatures([[above + row for row in range(int(text) // 2)] for text in texts], valued)

    def score(text: int, above: int) -> Any:
        return weights[above : above + text // 2].sum(axis=0) + (weights[19] * text / 10 if text > 7 else 0.0)

    table = RememberedRows(weights, read, partial(read, above=10))
    for links in pages:
        found = table(SeenFeatures([[18]], {0: {17: 0.5}}), *([str(link[kind]) for link in links] for kind in (0, 1)))
        page = weights[18] + weights[17] / 2
        assert found == pytest.approx(np.array([page + score(one, 0) + score(other, 10) for one, other in links]))


def test_lessons_without_ways_still_teach() -> None:
    few = replace(make_lessons(), edges=(), sequences=())
    model = teach(few, TOPIC, CONTEXT.idf, ChainSettings("memm"))
    assert model.weights.start.argmax() in range(STATES)


def test_strongest_features_are_named() -> None:
    model = teach(ladders(), TOPIC, CONTEXT.idf, ChainSettings("memm"))
    strongest = model.strongest(5)
    assert len(strongest) == STATES
    assert any("dengu" in name for name, _ in strongest[0])
    assert all(a[1] >= b[1] for row in strongest for a, b in pairwise(row))
