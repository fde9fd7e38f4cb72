from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.learn.chains import belief
from scenthound.learn.chains.hmm import Hmm
from scenthound.learn.chains.hmm_model import HmmModel
from scenthound.learn.pages.clusters import ClusteredPages
from scenthound.model import Link, Page, Visit
from scenthound.protocols.crawl import Context
from scenthound.text import idf
from scenthound.text.vectors import cosine, weigh
from tests.conformance import strategies as suite


def begun(name: str, **params: Any) -> Any:
    return suite.begun(lambda: registry.strategy.build(name, params))


def test_scaled_from_the_tables() -> None:
    """Eq. 5 and 6 along a way of two pages, with the model's own tables."""
    strategy = begun("hmm", scaled=True)
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


def test_as_printed_from_the_tables() -> None:
    """Eq. 5 to the letter: pi for the first page, whatever it is; nothing is scaled; what was never seen is 0."""
    strategy = begun("hmm")
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


def test_hybrids_as_published_in_numbers() -> None:
    """Eq. 5, 6, 11 and 12 along a way of two pages, worked by hand, with three of the five states in use.

    The seed has pi. Of the page behind it, in cluster 0: alpha = b * (pi a) = (0.8 * 0.35, 0.2 * 0.65, 0). One step on:
    0.28 + 0.5 * 0.13 = 0.345, and two: 0.345 + 0.5 * 0.065 = 0.3775, which counts where others have 0.345, too. Cosines
    with c_r = (dengu 0.6, fever 0.8) are 0.6 for the page and 0.8 for the anchor.
    """
    a, b = np.zeros((5, 5)), np.zeros((5, 2))
    a[0, 0], a[1, :2], a[2, 1] = 1.0, 0.5, 1.0
    b[0], b[1], b[2] = (0.8, 0.2), (0.2, 0.8), (0.0, 1.0)
    tables = Hmm(np.array([0.2, 0.3, 0.5, 0.0, 0.0]), a, b)
    pages = ClusteredPages.of([{"dengu": 1}, {"museum": 1}], idf.none())
    model = HmmModel(tables, pages, np.array([0, 1]), {"dengu": 0.6, "fever": 0.8})
    hmm, found = 0.001 * (345 + 0.3775), dict[str, float]()
    for name in ("hmm", "hybrid-hmm", "hybrid-hmm-anchor"):
        made = registry.strategy.build(name, {"published": True, "neighbours": 1})
        made.model_ = model
        made.begin(Context(suite.TOPIC, idf.none(), Random(1)))
        seed = Page("http://a/", terms={"museum": 1}, links=(Link("http://b/"),))
        [first] = made.rank(Visit(Link(seed.url), seed, 0.0, False, 0))
        behind = Page("http://b/", terms={"dengu": 1}, links=(Link("http://c/", anchor="fever"),))
        [second] = made.rank(Visit(first.link, behind, 0.0, False, 1, first.memory))
        found[name] = second.priority
    assert found["hmm"] == pytest.approx(hmm, abs=1e-7)
    assert found["hybrid-hmm"] == pytest.approx((hmm + 0.6) / 2, abs=1e-7)
    assert found["hybrid-hmm-anchor"] == pytest.approx((hmm + (0.6 + 0.8) / 2) / 2, abs=1e-7)
