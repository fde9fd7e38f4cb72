from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.learn.chains import belief
from scenthound.text.vectors import cosine, weigh
from tests.conformance import strategies as suite


def begun(name: str, **params: Any) -> Any:
    return suite.begun(lambda: registry.strategy.build(name, params))


def test_priority_from_the_tables() -> None:
    """Eq. 5 and 6 along a way of two pages, with the model's own tables."""
    strategy = begun("hmm")
    tables, dengue, museum = strategy.model_.tables, suite.make_page(1), suite.make_page(2, suite.OTHER)
    relevant = strategy.model_.cluster(dengue, 5)
    assert relevant == 0, "the relevant pages are a cluster by themselves"
    assert strategy.model_.cluster(museum, 5) != 0
    first = strategy.rank(suite.make_visit(museum))
    alpha = tables.pi * tables.b[:, strategy.model_.cluster(museum, 5)]
    alpha /= alpha.sum()
    one, two = alpha @ tables.a, alpha @ tables.a @ tables.a
    assert first[0].priority == pytest.approx(0.001 * (round(one[0] / 0.001) + two[0]))
    assert {entry.priority for entry in first} == {first[0].priority}
    second = strategy.rank(suite.make_visit(dengue, memory=first[0].memory))
    alpha = (alpha @ tables.a) * tables.b[:, 0]
    alpha /= alpha.sum()
    assert second[0].priority == pytest.approx(
        0.001 * (round((alpha @ tables.a)[0] / 0.001) + (alpha @ tables.a @ tables.a)[0])
    )
    kept = belief.unpacked(second[0].memory, 5)
    assert kept == pytest.approx(alpha, abs=1e-6)


def test_as_printed_by_hand() -> None:
    """Eq. 5 to the letter: pi for the first page, whatever it is; nothing is scaled; what was never seen is 0."""
    strategy = begun("hmm", published=True)
    tables, dengue, museum = strategy.model_.tables, suite.make_page(1), suite.make_page(2, suite.OTHER)
    assert (tables.b == 0.0).any()
    first = strategy.rank(suite.make_visit(museum))
    assert belief.unpacked(first[0].memory, 5, scaled=False) == pytest.approx(tables.pi)
    second = strategy.rank(suite.make_visit(dengue, memory=first[0].memory))
    alpha = (tables.pi @ tables.a) * tables.b[:, strategy.model_.cluster(dengue, 5)]
    assert belief.unpacked(second[0].memory, 5, scaled=False) == pytest.approx(alpha, abs=1e-7)
    assert alpha.sum() < 1.0
    one, two = alpha @ tables.a, alpha @ tables.a @ tables.a
    assert second[0].priority == pytest.approx(0.001 * (round(one[0] / 0.001) + two[0]), abs=1e-6)


def test_relevant_pages_are_set_apart_by_k_means_only() -> None:
    states = np.array(suite.make_lessons().states)
    clusters = begun("hmm", k=3).model_.clusters
    assert set(clusters[states == 0].tolist()) == {0}
    assert 0 not in clusters[states != 0]
    assert clusters.max() <= 2
    assert len(begun("hmm-xmeans").model_.clusters) == len(states)


def test_hybrids() -> None:
    """Eq. 11 and 12, put together from their parts."""
    context, page = suite.make_context(), suite.make_page(1)
    plain, hybrid, anchor = (begun(name) for name in ("hmm", "hybrid-hmm", "hybrid-hmm-anchor"))
    visit = suite.make_visit(page)
    hmm = plain.rank(visit)[0].priority
    centroid = hybrid.model_.centroid
    of_page = cosine(weigh(page.terms, context.idf), centroid)
    assert of_page > 0.5
    assert [one.priority for one in hybrid.rank(visit)] == pytest.approx([(hmm + of_page) / 2] * 5)
    counts = suite.analyzer("en").counts
    for one in anchor.rank(visit):
        of_anchor = cosine(weigh(counts(one.link.anchor or one.link.title), context.idf), centroid)
        assert one.priority == pytest.approx((hmm + (of_page + of_anchor) / 2) / 2)


@pytest.mark.parametrize("name", ["hmm", "hmm-xmeans", "hybrid-hmm", "hybrid-hmm-anchor"])
def test_untrained_says_what_to_do(name: str) -> None:
    with pytest.raises(ConfigError, match=f"--model {name}"):
        registry.strategy.build(name).begin(suite.make_context())


@pytest.mark.parametrize("params", [{"k": 1}, {"neighbours": 0}, {"epsilon": 0.0}])
def test_bad_parameters(params: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(params))):
        registry.strategy.build("hmm", params)
