from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.model import Link
from scenthound.registry import strategy as registry
from scenthound.strategies.pagerank import PageRank
from tests.strategies.grown_web import Web, context, crawl, grow, rank_correlation, visit


def begun(**params: float) -> PageRank:
    strategy = registry.build("pagerank", params)
    assert isinstance(strategy, PageRank)
    strategy.begin(context())
    return strategy


def scores(strategy: PageRank, urls: list[str]) -> list[float]:
    return list(strategy.rescore([Link(url) for url in urls]))


def test_by_hand() -> None:
    strategy = begun(damping=0.5)
    first = visit("http://a/", "http://b/", "http://c/")
    strategy.learn(first)
    assert [one.priority for one in strategy.rank(first)] == [1.25, 1.25]  # 1 + 0.5 * 1 / 2
    strategy.learn(visit("http://b/", "http://c/"))
    # PR(c) = 1 + 0.5 * PR(a) / 2 + 0.5 * PR(b) / 1 = 1 + 0.25 + 0.625
    assert scores(strategy, ["http://a/", "http://b/", "http://c/", "http://unknown/"]) == [1.0, 1.25, 1.875, 1.0]


def test_a_circle_comes_to_its_fixed_point() -> None:
    strategy = begun(damping=0.5)
    strategy.learn(visit("http://a/", "http://b/"))
    strategy.learn(visit("http://b/", "http://a/"))
    for i in range(60):
        strategy.learn(visit(f"http://other/{i}", "http://else/"))
    assert scores(strategy, ["http://a/", "http://b/"]) == pytest.approx([2.0, 2.0])  # x = 1 + x / 2


@pytest.mark.parametrize("damping", [0.5, 0.85])
def test_the_order_is_that_of_networkx(damping: float) -> None:
    pytest.importorskip("scipy")
    networkx = pytest.importorskip("networkx")
    strategy = begun(damping=damping)
    read = crawl(strategy, grow(1500, seed=2), 500)
    graph = networkx.DiGraph((url, target) for url, targets in read.items() for target in targets)
    exact = networkx.pagerank(graph, alpha=damping, tol=1e-12, max_iter=1000)
    urls, waiting = list(graph), [url for url in graph if url not in read]
    assert len(waiting) > 200
    assert rank_correlation(scores(strategy, urls), [exact[url] for url in urls]) > 0.999
    assert rank_correlation(scores(strategy, waiting), [exact[url] for url in waiting]) > 0.999


def test_a_little_effort_is_nearly_as_good_and_none_is_worse() -> None:
    pytest.importorskip("scipy")
    networkx = pytest.importorskip("networkx")
    web = grow(1500, seed=3)
    graph = networkx.DiGraph((url, target) for url, targets in web.items() for target in targets)
    exact = networkx.pagerank(graph, tol=1e-12, max_iter=1000)
    agreement = []
    for effort in (0, 100, 1000):
        strategy = begun(effort=effort)
        for url, targets in web.items():
            strategy.learn(visit(url, *targets))
        agreement.append(rank_correlation(scores(strategy, list(graph)), [exact[url] for url in graph]))
    assert agreement == sorted(agreement)
    assert agreement[1] > 0.99


WEBS = st.dictionaries(st.integers(0, 15), st.lists(st.integers(0, 15), max_size=8), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(WEBS, st.floats(0.0, 0.99), st.integers(0, 20))
def test_cash_is_what_is_missing_from_the_equation(web: dict[int, list[int]], damping: float, effort: int) -> None:
    """cash(v) = 1 + d * sum of history(u) / links(u) - history(v), whatever was spent in whatever order."""
    strategy, read = begun(damping=damping, effort=effort), Web()
    for page, targets in web.items():
        url = f"http://{page}/"
        read[url] = list(dict.fromkeys(target for to in targets if (target := f"http://{to}/") != url))
        strategy.learn(visit(url, *read[url]))
    urls = sorted({*read, *(target for targets in read.values() for target in targets)})
    numbers = strategy.graph_.find([Link(url) for url in urls])
    cash = dict(zip(urls, strategy.cash_.of(numbers).tolist(), strict=True))
    history = dict(zip(urls, strategy.history_.of(numbers).tolist(), strict=True))
    for url in urls:
        given = sum(history[page] / len(targets) for page, targets in read.items() if url in targets)
        assert cash[url] == pytest.approx(1.0 + damping * given - history[url])
        assert cash[url] >= 0.0


def test_asking_changes_nothing() -> None:
    strategy = begun()
    seen = visit("http://a/", "http://b/", "http://c/")
    strategy.learn(seen)
    assert strategy.rank(seen) == strategy.rank(seen)
    strategy.learn(seen)
    assert scores(strategy, ["http://b/"]) == pytest.approx([1.425])  # a page is read once


@pytest.mark.parametrize("params", [{"damping": 1.0}, {"damping": -0.1}, {"damping": float("nan")}, {"effort": -1}])
def test_bad_parameters(params: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(params))):
        begun(**params)
