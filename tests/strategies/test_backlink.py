from __future__ import annotations

from collections import Counter

from scenthound.model import Link, Page, Visit
from scenthound.strategies.backlink import Backlink
from tests.strategies.grown_web import context, crawl, grow, visit


def priorities(strategy: Backlink, *urls: str) -> list[float]:
    page = Page("http://asks/", links=tuple(Link(url) for url in urls))
    return [one.priority for one in strategy.rank(Visit(Link(page.url), page, 0.0, False, 0))]


def test_by_hand() -> None:
    strategy = Backlink()
    strategy.begin(context())
    for seen in (visit("http://a/", "http://b/", "http://c/", "http://a/"), visit("http://b/", "http://c/")):
        strategy.learn(seen)
    assert priorities(strategy, "http://a/", "http://b/", "http://c/", "http://d/") == [0.0, 1.0, 2.0, 0.0]


def test_the_new_evidence_is_in_the_priority_at_once() -> None:
    strategy = Backlink()
    strategy.begin(context())
    for name, expected in (("a", 1.0), ("b", 2.0), ("c", 3.0)):
        seen = visit(f"http://{name}/", "http://wanted/")
        strategy.learn(seen)
        assert [one.priority for one in strategy.rank(seen)] == [expected]
    assert strategy.merge == "last"


def test_counts_are_those_of_the_pages_read() -> None:
    strategy = Backlink()
    strategy.begin(context())
    read = crawl(strategy, grow(400, seed=1), 150)
    counts = Counter(target for targets in read.values() for target in targets)
    assert priorities(strategy, *counts) == [float(count) for count in counts.values()]


def test_what_is_linked_to_most_is_read_first() -> None:
    strategy = Backlink()
    strategy.begin(context())
    web = {"http://m/": [], "http://c/": [], "http://z/": ["http://c/"]}
    web["http://a/"] = ["http://m/", "http://z/", "http://c/"]
    assert list(crawl(strategy, web, 4)) == ["http://a/", "http://z/", "http://c/", "http://m/"]
