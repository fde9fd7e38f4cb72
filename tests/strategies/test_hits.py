from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.model import Link
from scenthound.registry import strategy as registry
from scenthound.strategies import hits
from scenthound.strategies.hits import Hits
from tests.strategies.grown_web import Web, context, crawl, grow, rank_correlation, visit


def begun(**params: int) -> Hits:
    strategy = registry.build("hits", params)
    assert isinstance(strategy, Hits)
    strategy.begin(context())
    return strategy


def scores(strategy: Hits, urls: list[str]) -> list[float]:
    return list(strategy.rescore([Link(url) for url in urls]))


def test_one_page_makes_equal_authorities() -> None:
    strategy = begun()
    seen = visit("http://a/", "http://b/", "http://c/")
    strategy.learn(seen)
    assert [one.priority for one in strategy.rank(seen)] == pytest.approx([0.5, 0.5])
    assert scores(strategy, ["http://a/", "http://unknown/"]) == [0.0, 0.0]


def test_by_hand() -> None:
    """p -> x, y and q -> y: a(x) = h(p), a(y) = h(p) + h(q), c h(p) = a(x) + a(y), c h(q) = a(y).

    With h(q) = 1 and h(p) = g: g / 1 = (2 g + 1) / (g + 1), so g is the golden ratio, and a(x) : a(y) = g : g + 1.
    """
    strategy, golden = begun(), (1 + 5**0.5) / 2
    strategy.learn(visit("http://p/", "http://x/", "http://y/"))
    strategy.learn(visit("http://q/", "http://y/"))
    for _ in range(30):
        strategy._step(strategy.links_.turn(strategy.effort))
    expected = [golden / (2 * golden + 1), (golden + 1) / (2 * golden + 1)]
    assert scores(strategy, ["http://x/", "http://y/"]) == pytest.approx(expected)


@pytest.mark.parametrize("seed", [2, 5])
def test_the_order_is_that_of_networkx(seed: int) -> None:
    pytest.importorskip("scipy")
    networkx = pytest.importorskip("networkx")
    strategy = begun()
    read = crawl(strategy, grow(1500, seed), 500)
    graph = networkx.DiGraph((url, target) for url, targets in read.items() for target in targets)
    _, exact = networkx.hits(graph, tol=1e-12, max_iter=1000)
    urls, waiting = list(graph), [url for url in graph if url not in read]
    assert len(waiting) > 200
    assert rank_correlation(scores(strategy, urls), [exact[url] for url in urls]) > 0.99
    assert rank_correlation(scores(strategy, waiting), [exact[url] for url in waiting]) > 0.99
    assert scores(strategy, urls) == pytest.approx([exact[url] for url in urls], abs=0.001)


WEBS = st.dictionaries(st.integers(0, 15), st.lists(st.integers(0, 15), max_size=8), min_size=1, max_size=12)


def check_sums(strategy: Hits, read: Web) -> None:
    urls = sorted({*read, *(target for targets in read.values() for target in targets)})
    numbers = strategy.graph_.find([Link(url) for url in urls])
    hub = dict(zip(urls, strategy.hub_.of(numbers).tolist(), strict=True))
    authority = dict(zip(urls, strategy.authority_.of(numbers).tolist(), strict=True))
    for url in urls:
        expected = sum(hub[page] for page, targets in read.items() if url in targets)
        assert authority[url] == pytest.approx(expected, abs=1e-9)
    assert strategy.hubs_ == pytest.approx(sum(hub.values()))
    assert strategy.authorities_ == pytest.approx(sum(authority.values()))
    strength = sum(authority[target] for targets in read.values() for target in targets)
    assert strategy.strength_ == pytest.approx(strength)


@settings(max_examples=60, deadline=None)
@given(WEBS, st.integers(0, 20))
def test_authority_is_always_the_sum_of_its_hubs(web: dict[int, list[int]], effort: int) -> None:
    strategy, read = begun(effort=effort), Web()
    for page, targets in web.items():
        url = f"http://{page}/"
        read[url] = list(dict.fromkeys(target for to in targets if (target := f"http://{to}/") != url))
        strategy.learn(visit(url, *read[url]))
        check_sums(strategy, read)


def test_large_numbers_are_made_small_again(monkeypatch: pytest.MonkeyPatch) -> None:
    web = grow(60, seed=4)
    free, bound = begun(), begun()
    crawl(free, web, 60)
    monkeypatch.setattr(hits, "HIGHEST", 2.0)
    read = crawl(bound, web, 60)
    assert 0.5 < bound.hubs_ < 2.0 < free.hubs_
    check_sums(bound, read)
    assert scores(bound, list(web)) == pytest.approx(scores(free, list(web)))


def test_a_redirect_hands_on_what_it_is_given() -> None:
    strategy = begun()
    strategy.learn(visit("http://a/", "http://old/"))
    moved = visit("http://new/", "http://b/")
    moved = type(moved)(Link("http://new/", "http://old/", kind="redirect"), moved.page, 0.0, False, 1)
    strategy.learn(moved)
    assert scores(strategy, ["http://new/"])[0] > 0.0
    check_sums(strategy, {"http://a/": ["http://old/"], "http://old/": ["http://new/"], "http://new/": ["http://b/"]})


def test_bad_parameters() -> None:
    with pytest.raises(ConfigError, match="effort"):
        begun(effort=-1)
