"""Tunnelling: levels and bands by hand, hooks of the wrapped strategy, and what it buys on a web with tunnels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound import registry
from scenthound.config import Config, CrawlSection, TopicSection, WeightedTerm
from scenthound.crawler import assemble
from scenthound.errors import UnknownName
from scenthound.lab.crawls.lab_crawl import LabCrawler, lab_settings
from scenthound.lab.webs import MadeUpWeb, WebSpec
from scenthound.learn.links.tunnel_levels import TunnelFailures, TunnelPlace
from scenthound.model import Link, Page, Ranked, Step, Visit, Waiting
from scenthound.strategies import tunnelling
from scenthound.strategies.blocks import Blocks
from scenthound.strategies.tunnelling import DIRECT, Tunnelling, band, pack, unpack
from tests.conformance import strategies as suite
from tests.small_web import crawl_of, page

PLACE = TunnelPlace(table=5, level=2, score=0.5, since=0)


@dataclass
class Inner:
    """Priority = the number in the anchor. Notes what it is told."""

    merge: str = "max"
    told: list[Any] = field(default_factory=list)

    def learn(self, visit: Visit) -> None:
        self.told.append(("learn", visit.memory))

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, float(link.anchor), b"for " + link.url.encode()) for link in visit.page.links]


@dataclass
class Online(Inner):
    batch = 7
    rescore_every = 3

    def rescore(self, links: Sequence[Link]) -> list[float]:
        return [0.5] * len(links)

    def missed(self, link: Link) -> None:
        self.told.append(("missed", link.url))

    def moved(self, link: Link, target: str) -> None:
        self.told.append((target, link.url))

    def refused(self, link: Link, for_good: bool) -> None:
        self.told.append((for_good, link.url))


def visit(
    *anchors: float, relevant: bool, memory: bytes | None = None, url: str = "http://p/", depth: int = 1
) -> Visit:
    links = tuple(Link(f"{url}{n}", url, str(anchor)) for n, anchor in enumerate(anchors))
    return Visit(Link(url), Page(url, links=links), 0.9 if relevant else 0.0, relevant, depth, memory)


def levels(ranked: Sequence[Ranked]) -> dict[str, int]:
    """When found; 0 for direct links."""
    places = {one.link.anchor: unpack(one.memory)[0] for one in ranked}
    return {anchor: place.level if place else 0 for anchor, place in places.items()}


def follow(strategy: Tunnelling, one: Ranked, *anchors: float, relevant: bool = False) -> list[Ranked]:
    """The link is followed to a page with these links: the engine's two steps."""
    assert strategy.gives_up(waiting(one)) is None
    here = visit(*anchors, relevant=relevant, memory=one.memory, url=f"{one.link.url}/")
    strategy.learn(here)
    return list(strategy.rank(here))


def waiting(one: Ranked) -> Waiting:
    return Waiting(0, one.link, "p", one.priority, 0, memory=one.memory)


def risen(strategy: Tunnelling, ranked: Sequence[Ranked]) -> dict[str, int]:
    """By now, after what failed since."""
    return {one.link.anchor: strategy._level(unpack(one.memory)[0]) for one in ranked}


def given_up(strategy: Tunnelling, ranked: Sequence[Ranked]) -> list[str]:
    return [one.link.anchor for one in ranked if strategy.gives_up(waiting(one))]


def test_links_of_a_relevant_page_pass_as_they_are() -> None:
    here = visit(0.5, -3.0, relevant=True, memory=pack(TunnelPlace(1, 2, 0.5, 0), None))
    assert list(Tunnelling(Inner()).rank(here)) == Inner().rank(here)


def test_links_of_an_irrelevant_page_wait_in_the_table_best_first() -> None:
    ranked = Tunnelling(Inner(), max_level=3).rank(visit(0.1, 0.9, relevant=False))
    assert levels(ranked) == {"0.1": 1, "0.9": 1}
    assert [one.priority for one in ranked] == pytest.approx(
        [DIRECT - 1 + (1 + 0.1 / 1.1) / 2, DIRECT - 1 + (1 + 0.9 / 1.9) / 2]
    )


def test_a_failure_raises_the_level_of_what_is_scored_no_better_at_that_level() -> None:
    """Aastha 4.6.1, lines 26 to 28, by hand."""
    strategy = Tunnelling(Inner(), max_level=3)
    table = list(strategy.rank(visit(0.9, 0.6, 0.6, 0.3, relevant=False)))
    best, first, second, last = table
    below = follow(strategy, first, 0.7, 0.2)  # the best one's host rests, say: 0.6 is followed first, and fails
    assert risen(strategy, table) == {"0.9": 1, "0.6": 2, "0.3": 2}, "0.9 is better; the other 0.6 is no better"
    assert levels(below) == {"0.7": 2, "0.2": 2}
    follow(strategy, best)  # a failure of level 1: nothing of that level is left
    assert risen(strategy, [second, last, *below]) == {"0.6": 2, "0.3": 2, "0.7": 2, "0.2": 2}
    deeper = follow(strategy, below[0], 0.8)  # 0.7 of level 2: all that is left of level 2 is no better
    assert risen(strategy, [second, last, below[1]]) == {"0.6": 3, "0.3": 3, "0.2": 3}
    assert levels(deeper) == {"0.8": 3}
    assert given_up(strategy, [second, last, below[1], *deeper]) == []
    assert follow(strategy, deeper[0], 1.0) == [], "level 4 is over the limit"
    assert given_up(strategy, [second, last, below[1]]) == ["0.6", "0.3", "0.2"]


def as_published(max_level: int) -> Tunnelling:
    return Tunnelling(Inner(), max_level=max_level, pseudocode=True)


@pytest.mark.parametrize(("max_level", "fetches"), [(0, 1), (1, 2), (2, 3), (3, 4)])
def test_the_pseudocode_allows_one_failure_more_than_levels(max_level: int, fetches: int) -> None:
    """Aastha 4.6.1: links begin at level 0, and each failure raises all that is left, since the best goes first."""
    strategy = as_published(max_level)
    table = list(strategy.rank(visit(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, relevant=False)))
    followed = 0
    for one in table:
        if strategy.gives_up(waiting(one)):
            break
        assert follow(strategy, one, 0.99) == [], "links of irrelevant pages in a tunnel are not inserted"
        followed += 1
    assert followed == fetches


def test_links_of_relevant_tunnel_pages_come_into_the_table_a_level_up() -> None:
    """Lines 16 to 24: `level ++`, and the new links are inserted with it."""
    strategy = as_published(max_level=2)
    table = list(strategy.rank(visit(0.9, 0.5, 0.2, relevant=False)))
    assert levels(table) == {"0.9": 1, "0.5": 1, "0.2": 1}, "counted from 1: level 0 of the document"
    found = follow(strategy, table[0], 0.8, relevant=True)
    assert levels(found) == {"0.8": 2}, "level 1 of the document"
    assert risen(strategy, table[1:]) == {"0.5": 1, "0.2": 1}
    again = follow(strategy, found[0], 0.7, relevant=True)
    assert levels(again) == {"0.7": 3}
    assert follow(strategy, again[0], 0.6, relevant=True) == [], "its level is maxLevel: line 18"
    assert given_up(strategy, table[1:]) == []


def test_by_the_pseudocode_a_table_is_emptied_before_any_direct_link() -> None:
    strategy = as_published(max_level=1)
    direct = strategy.rank(visit(0.9, relevant=True))
    table = strategy.rank(visit(0.1, 0.3, relevant=False, depth=0))  # a seed may be irrelevant, too
    assert min(one.priority for one in table) > max(one.priority for one in direct)
    assert table[0].priority < table[1].priority


def test_the_pseudocode_goes_alone() -> None:
    with pytest.raises(ValueError, match="the document has no such thing"):
        Tunnelling(Inner(), pseudocode=True, patience=2)


def test_a_relevant_page_in_a_tunnel_resets_what_follows() -> None:
    strategy = Tunnelling(Inner(), max_level=1)
    table = list(strategy.rank(visit(0.9, 0.5, relevant=False)))
    found = follow(strategy, table[0], 0.8, 0.7, relevant=True)
    assert levels(found) == {"0.8": 0, "0.7": 0}
    assert risen(strategy, table[1:]) == {"0.5": 1}, "that was no failure"
    assert levels(follow(strategy, found[0], 0.1)) == {"0.1": 1}, "from a direct link the count begins anew"


def test_a_table_for_each_tunnel_or_one_for_all() -> None:
    for shared, left in ((False, {"0.4": 1}), (True, {"0.4": 2})):
        strategy = Tunnelling(Inner(), shared=shared)
        one = list(strategy.rank(visit(0.9, 0.5, relevant=False, url="http://one/")))
        other = list(strategy.rank(visit(0.4, relevant=False, url="http://other/")))
        follow(strategy, one[0])
        assert risen(strategy, one[1:]) == {"0.5": 2}
        assert risen(strategy, other) == left


def test_patience_is_how_many_failures_raise_a_level() -> None:
    anchors = (0.9, 0.8, 0.7, 0.6, 0.5)
    for patience, expected in ((2, [1, 2, 2, 3]), (0, [1, 1, 1, 1])):
        strategy = Tunnelling(Inner(), max_level=5, patience=patience)
        table = list(strategy.rank(visit(*anchors, relevant=False)))
        seen = []
        for one in table[:4]:
            follow(strategy, one)
            seen.append(risen(strategy, table[4:])["0.5"])
        assert seen == expected


def test_a_table_ends_with_its_last_failure() -> None:
    strategy, asked = Tunnelling(Inner(), max_level=4), 0
    table = list(strategy.rank(visit(*range(20), relevant=False)))
    while table := [one for one in table if not strategy.gives_up(waiting(one))]:
        best = max(table, key=lambda one: one.priority)
        table.remove(best)
        table += follow(strategy, best, *range(20))
        asked += 1
    assert asked == 4


def test_levels_survive_a_restart() -> None:
    """What was followed is relived, in order, with its memory; nothing is ranked again."""
    strategy = Tunnelling(Inner(), max_level=3)
    table = list(strategy.rank(visit(0.9, 0.6, 0.3, relevant=False)))
    below = follow(strategy, table[0], 0.8)
    follow(strategy, below[0])
    again = Tunnelling(Inner(), max_level=3)
    again.learn(visit(0.9, 0.6, 0.3, relevant=False))
    again.learn(visit(relevant=False, memory=table[0].memory))
    again.learn(visit(relevant=False, memory=below[0].memory))
    assert risen(again, table[1:]) == risen(strategy, table[1:]) == {"0.6": 3, "0.3": 3}


def test_a_link_with_a_priority_to_trust_is_direct_whatever_its_page() -> None:
    ranked = Tunnelling(Inner(), max_level=1, trust=0.5).rank(visit(0.9, 0.5, 0.4, 0.3, relevant=False))
    assert levels(ranked) == {"0.9": 0, "0.5": 0, "0.4": 1, "0.3": 1}


def test_what_counts_as_irrelevant() -> None:
    doubtful = Visit(Link("http://p/"), visit(0.5, relevant=True).page, 0.2, True, 1)
    assert levels(Tunnelling(Inner()).rank(doubtful)) == {"0.5": 0}
    assert levels(Tunnelling(Inner(), limit=0.3).rank(doubtful)) == {"0.5": 1}
    assert levels(Tunnelling(Inner()).rank(visit(0.5, relevant=False, depth=0))) == {"0.5": 0}, "a seed is the user's"


@given(st.floats(-1e5, 1e300), st.floats(-1e300, 1e300))
def test_bands_do_not_overlap(direct: float, doubtful: float) -> None:
    assert band(direct, False) == direct > band(doubtful, True)
    assert DIRECT - 1 - 1e-9 <= band(doubtful, True) <= DIRECT


places = st.builds(
    TunnelPlace, st.integers(-(2**63), 2**63 - 1), st.integers(1, 100), st.floats(allow_nan=False), st.just(7)
)


@given(st.none() | places, st.none() | st.binary() | st.builds(pack, places, st.none() | st.binary()))
def test_memory_of_the_wrapped_strategy_survives(place: TunnelPlace | None, memory: bytes | None) -> None:
    assert unpack(pack(place, memory)) == (place, memory)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3), st.integers(0, 3), st.booleans()), max_size=40))
def test_levels_as_a_table_that_is_walked_through(events: list[tuple[int, int, int, bool]]) -> None:
    """The document's own way as oracle: every link of the table is touched at every failure."""
    failures, table = TunnelFailures(), list[list[int]]()  # [level, score]
    places = list[TunnelPlace]()
    for score, level, _, new in events:
        if new:
            table.append([level, score])
            places.append(TunnelPlace(1, level, score, failures.count))
            continue
        failures.add(level, score)
        for link in table:
            if link[1] <= score and link[0] == level:
                link[0] += 1
    assert [failures.level(place, 1, 50) for place in places] == [level for level, _ in table]


def test_memory_reaches_the_wrapped_strategy_bare() -> None:
    strategy = Tunnelling(inner := Inner())
    strategy.learn(visit(0.5, relevant=False, memory=pack(PLACE, b"its own")))
    strategy.learn(visit(0.5, relevant=False, memory=pack(PLACE, None)))
    strategy.learn(visit(0.5, relevant=False, memory=b"tab"))
    assert inner.told == [("learn", b"its own"), ("learn", None), ("learn", b"tab")]


def test_hooks_are_those_of_the_wrapped_strategy() -> None:
    plain, online = Tunnelling(Inner()), Tunnelling(inner := Online())
    for hook in ("rescore", "missed", "moved", "refused", "batch", "rescore_every"):
        assert not hasattr(plain, hook)
        assert hasattr(online, hook)
    assert (online.batch, online.rescore_every, plain.merge) == (7, 3, "max")
    online.missed(Link("http://x/"))
    online.moved(Link("http://x/"), "http://y/")
    online.refused(Link("http://x/"), False)
    assert inner.told == [("missed", "http://x/"), ("http://y/", "http://x/"), (False, "http://x/")]
    assert Tunnelling(Inner(merge="last")).merge == "last"
    assert Tunnelling(Inner(merge="mean")).merge == "max"


def test_rescoring_leaves_links_in_their_table() -> None:
    strategy = Tunnelling(Online())
    strategy.learn(visit(0.9, relevant=False, url="http://bad/"))
    strategy.learn(visit(0.9, relevant=True, url="http://good/"))
    links = [Link("http://x/", "http://bad/"), Link("http://y/", "http://good/")]
    assert strategy.rescore(links) == pytest.approx([band(0.5, True), 0.5])


def test_a_link_once_direct_stays_direct_where_the_last_word_counts() -> None:
    strategy = Tunnelling(Inner(merge="last"))
    strategy.learn(visit(0.9, 0.8, relevant=True))
    again = visit(0.3, 0.2, 0.1, relevant=False)  # http://p/0 and /1 are known, /2 is new
    strategy.learn(again)
    assert levels(strategy.rank(again)) == {"0.3": 0, "0.2": 0, "0.1": 1}


def test_links_the_strategy_vouches_for_are_direct() -> None:
    strategy = Tunnelling(Blocks())
    strategy.begin(suite.make_context())
    mixed = suite.make_page(1, suite.ABOUT)
    assert set(levels(strategy.rank(suite.make_visit(mixed, relevance=0.0))).values()) == {0}
    other = suite.make_page(2, suite.OTHER)
    doubtful = strategy.rank(suite.make_visit(other, relevance=0.0))
    assert set(levels(doubtful).values()) == {1}


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnelling, "REMEMBERED", 5)
    strategy = Tunnelling(Online(merge="last"))
    for n in range(20):
        memory = pack(TunnelPlace(n, 1, 0.5, 0), None)
        strategy.learn(visit(0.1, 0.2, relevant=bool(n % 2), url=f"http://{n}/", memory=memory))
    assert len(strategy.irrelevant_) == len(strategy.direct_) == len(strategy.tables_) == 5
    failures = TunnelFailures()
    for n in range(5000):
        failures.add(1, float(n))
    assert failures.level(TunnelPlace(1, 1, 0.5, 4000), 1, 3) == 2
    assert len(failures._by_level[1]) <= 2000


def test_built_by_name() -> None:
    built = registry.strategy.build("tunnelling", {"strategy": {"name": "best-n-first", "n": 3}, "max_level": 2})
    assert (built.batch, built.max_level) == (3, 2)
    with pytest.raises(UnknownName):
        Tunnelling("best-frist")
    for params, told in (
        ({"max_level": -1}, "max_level"),
        ({"limit": 2.0}, "limit"),
        ({"patience": -1}, "patience"),
        ({"strategy": "tunnelling"}, "another strategy"),
    ):
        with pytest.raises(ValueError, match=told):
            Tunnelling(**params)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["blocks", "best-n-first", "random"])
@pytest.mark.parametrize("check", suite.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_conformance_around_others(name: str, check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(lambda: Tunnelling(name), monkeypatch)


async def test_in_a_crawl_the_tunnel_is_dug_after_all_direct_links(tmp_path: Path) -> None:
    a, b, c, d, e, f, g = (f"http://{name}.test/" for name in "abcdefg")
    web = {
        a: page(f"0.5={b}", f"0.1={c}", text="hound"),
        b: page(f"0.9={d}", f"0.2={e}"),  # irrelevant: its links wait behind c
        c: page(text="hound"),
        d: page(f"0.9={f}"),  # irrelevant again, level 2
        e: page(),
        f: page(f"0.1={g}", text="hound"),  # relevant: g is direct
        g: page(),
    }
    in_order = [a, b, c, d, f, g]  # d failed, so e is of level 2 now; f was better, of level 2, and relevant
    with crawl_of(tmp_path, web, strategy=Tunnelling(Inner(), max_level=2)) as crawl:
        await crawl.run()
        assert [stored.url for stored in crawl.library.pages()] == [*in_order, e]  # type: ignore[attr-defined]
    with crawl_of(tmp_path / "hard", web, strategy=Tunnelling(Inner(), max_level=0)) as crawl:
        await crawl.run()
        assert [stored.url for stored in crawl.library.pages()] == [a, b, c]  # type: ignore[attr-defined]


async def test_in_a_crawl_what_was_given_up_comes_back_when_a_relevant_page_links_to_it(tmp_path: Path) -> None:
    a, b, c, d, e, f = (f"http://{name}.test/" for name in "abcdef")
    web = {
        a: page(f"0.5={b}", f"0.4={c}", text="hound"),
        b: page(f"0.9={d}", f"0.8={e}"),  # two irrelevant pages, a table each
        c: page(f"0.1={f}"),
        d: page(),  # fails: e is given up when its turn comes
        e: page(text="hound"),
        f: page(f"0.3={e}", text="hound"),
    }
    steps: list[Step] = []
    with crawl_of(tmp_path, web, strategy=Tunnelling(Inner(), max_level=1), steps=steps) as crawl:
        await crawl.run()
    told = [(step.lease.link.url, step.reason) for step in steps if step.state in ("fetched", "refused")]
    assert [url for url, _ in told] == [a, b, c, d, e, f, e]
    assert told[4] == (e, "tunnel: level over 1, better links of its table led nowhere")


# What it buys: shares of the targets found on a made-up web, by a crawl whose seeds are three links away from any


@cache
def crawler() -> LabCrawler:
    return LabCrawler(MadeUpWeb(WebSpec(generated=1200, seed=5)))


def recall(strategy: dict[str, Any], topics: Sequence[int] = (2,), pages: int = 300) -> float:
    web, shares = crawler().web, []
    assert isinstance(web, MadeUpWeb)
    for number in topics:
        topic = web.topics()[number]
        settings = lab_settings(
            Config(
                topic=TopicSection(topic.name, [WeightedTerm(word.term, word.weight) for word in topic.keywords]),
                crawl=CrawlSection(list(topic.seeds), pages=pages, judge="examples", threshold=0.4),
            )
        )
        examples = tuple(found for url in topic.relevant_examples if (found := crawler().page(url, "en")))
        context = assemble.make_context(settings, examples)
        settings.crawl.strategy = strategy
        trace, _ = crawler().crawl(settings, assemble.page_crawl_parts(settings, context))
        found = {request.url for request in trace.pages}
        shares.append(len(found & topic.scored_targets()) / len(topic.scored_targets()))
    return sum(shares) / len(shares)


@pytest.mark.parametrize(("name", "floor", "gain"), [("best-first", 0.6, 0.5), ("blocks", 0.6, 0.25)])
def test_what_tunnelling_buys_on_a_web_with_tunnels(name: str, floor: float, gain: float) -> None:
    without = recall({"name": "tunnelling", "strategy": name, "max_level": 0})
    through = recall({"name": "tunnelling", "strategy": name, "max_level": 3})
    assert through >= floor
    assert through - without >= gain, "what a crawl finds that drops the links of irrelevant pages"
