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

from scenthound import assemble, registry
from scenthound.config import Config, CrawlSection, TopicSection, WeightedTerm
from scenthound.errors import UnknownName
from scenthound.lab.bench import Bench, lab_settings
from scenthound.lab.webs import MadeUpWeb, WebSpec
from scenthound.model import Link, Page, Ranked, Visit
from scenthound.strategies import tunnelling
from scenthound.strategies.blocks import Blocks
from scenthound.strategies.tunnelling import DIRECT, Tunnelling, band, pack, unpack
from tests.conformance import strategies as suite
from tests.small_web import crawl_of, page


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


def visit(
    *anchors: float, relevant: bool, memory: bytes | None = None, url: str = "http://p/", depth: int = 1
) -> Visit:
    links = tuple(Link(f"{url}{n}", url, str(anchor)) for n, anchor in enumerate(anchors))
    return Visit(Link(url), Page(url, links=links), 0.9 if relevant else 0.0, relevant, depth, memory)


def levels(ranked: Sequence[Ranked]) -> dict[str, int]:
    return {one.link.anchor: unpack(one.memory)[0] for one in ranked}


def test_links_of_a_relevant_page_pass_as_they_are() -> None:
    here = visit(0.5, -3.0, relevant=True, memory=pack(2, None))
    assert list(Tunnelling(Inner()).rank(here)) == Inner().rank(here)


def test_links_of_an_irrelevant_page_best_first_each_a_level_deeper() -> None:
    ranked = Tunnelling(Inner(), max_level=3).rank(visit(0.1, 0.9, 0.3, 0.2, 0.5, relevant=False))
    assert levels(ranked) == {"0.9": 1, "0.5": 2, "0.3": 3}
    assert [one.priority for one in ranked] == pytest.approx(
        [DIRECT - 1 + (1 + 0.9 / 1.9) / 2, DIRECT - 2 + (1 + 0.5 / 1.5) / 2, DIRECT - 3 + (1 + 0.3 / 1.3) / 2]
    )


def test_levels_grow_along_a_tunnel_until_there_is_no_more() -> None:
    strategy = Tunnelling(Inner(), max_level=2)
    [first, second] = strategy.rank(visit(0.9, 0.5, 0.1, relevant=False))
    assert levels(strategy.rank(visit(0.8, 0.7, relevant=False, memory=first.memory))) == {"0.8": 2}
    assert list(strategy.rank(visit(0.8, 0.7, relevant=False, memory=second.memory))) == []


def test_a_relevant_page_in_a_tunnel_resets_what_follows() -> None:
    strategy = Tunnelling(Inner(), max_level=2)
    assert levels(strategy.rank(visit(0.8, 0.7, relevant=True, memory=pack(2, b"x")))) == {"0.8": 0, "0.7": 0}


def test_patience_lets_more_links_have_a_level() -> None:
    anchors = (0.9, 0.8, 0.7, 0.6, 0.5)
    ranked = Tunnelling(Inner(), max_level=2, patience=2).rank(visit(*anchors, relevant=False))
    assert levels(ranked) == {"0.9": 1, "0.8": 1, "0.7": 2, "0.6": 2}
    ranked = Tunnelling(Inner(), max_level=2, patience=0).rank(visit(*anchors, relevant=False))
    assert set(levels(ranked).values()) == {1}


def test_an_irrelevant_page_costs_at_most_two_to_the_max_level_minus_one() -> None:
    strategy, asked = Tunnelling(Inner(), max_level=4), 0
    waiting = list(strategy.rank(visit(*range(20), relevant=False)))
    while waiting:
        asked += 1
        waiting += strategy.rank(visit(*range(20), relevant=False, memory=waiting.pop().memory))
    assert asked == 2**4 - 1


def test_a_link_with_a_priority_to_trust_is_direct_whatever_its_page() -> None:
    ranked = Tunnelling(Inner(), max_level=1, trust=0.5).rank(visit(0.9, 0.5, 0.4, 0.3, relevant=False))
    assert levels(ranked) == {"0.9": 0, "0.5": 0, "0.4": 1}


def test_what_counts_as_irrelevant() -> None:
    doubtful = Visit(Link("http://p/"), visit(0.5, relevant=True).page, 0.2, True, 1)
    assert levels(Tunnelling(Inner()).rank(doubtful)) == {"0.5": 0}
    assert levels(Tunnelling(Inner(), limit=0.3).rank(doubtful)) == {"0.5": 1}
    assert levels(Tunnelling(Inner()).rank(visit(0.5, relevant=False, depth=0))) == {"0.5": 0}, "a seed is the user's"


@given(st.floats(-1e5, 1e300), st.floats(-1e300, 1e300), st.integers(1, 99))
def test_bands_do_not_overlap(direct: float, doubtful: float, level: int) -> None:
    assert band(direct, 0) == direct > band(doubtful, 1)
    assert DIRECT - level - 1e-9 <= band(doubtful, level) <= DIRECT - level + 1
    assert band(doubtful, level) >= band(direct, level + 1)


@given(st.integers(0, 100), st.none() | st.binary() | st.just(b"tunnel\x01\x01x"))
def test_memory_of_the_wrapped_strategy_survives(level: int, memory: bytes | None) -> None:
    assert unpack(pack(level, memory)) == (level, memory)


def test_memory_reaches_the_wrapped_strategy_bare() -> None:
    strategy = Tunnelling(inner := Inner())
    strategy.learn(visit(0.5, relevant=False, memory=pack(2, b"its own")))
    strategy.learn(visit(0.5, relevant=False, memory=pack(1, None)))
    strategy.learn(visit(0.5, relevant=False, memory=b"tun"))
    assert inner.told == [("learn", b"its own"), ("learn", None), ("learn", b"tun")]


def test_hooks_are_those_of_the_wrapped_strategy() -> None:
    plain, online = Tunnelling(Inner()), Tunnelling(inner := Online())
    for hook in ("rescore", "missed", "batch", "rescore_every"):
        assert not hasattr(plain, hook)
        assert hasattr(online, hook)
    assert (online.batch, online.rescore_every, plain.merge) == (7, 3, "max")
    online.missed(Link("http://x/"))
    assert inner.told == [("missed", "http://x/")]
    assert Tunnelling(Inner(merge="last")).merge == "last"
    assert Tunnelling(Inner(merge="mean")).merge == "max"


def test_rescoring_leaves_links_in_their_table() -> None:
    strategy = Tunnelling(Online())
    strategy.learn(visit(0.9, relevant=False, url="http://bad/", memory=pack(1, None)))
    strategy.learn(visit(0.9, relevant=True, url="http://good/"))
    links = [Link("http://x/", "http://bad/"), Link("http://y/", "http://good/")]
    assert strategy.rescore(links) == pytest.approx([band(0.5, 2), 0.5])


def test_a_link_once_direct_stays_direct_where_the_last_word_counts() -> None:
    strategy = Tunnelling(Inner(merge="last"))
    strategy.learn(visit(0.9, 0.8, relevant=True))
    again = visit(0.3, 0.2, 0.1, relevant=False)  # http://p/0 and /1 are known, /2 is new
    strategy.learn(again)
    assert levels(strategy.rank(again)) == {"0.3": 0, "0.2": 0, "0.1": 1}


def test_links_the_strategy_vouches_for_are_direct() -> None:
    strategy = Tunnelling(Blocks())
    strategy.begin(suite.make_ground())
    mixed = suite.make_page(1, suite.ABOUT)
    assert set(levels(strategy.rank(suite.make_visit(mixed, relevance=0.0))).values()) == {0}
    other = suite.make_page(2, suite.OTHER)
    doubtful = strategy.rank(suite.make_visit(other, relevance=0.0))
    assert [unpack(one.memory)[0] for one in doubtful] == [1, 2, 3]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnelling, "REMEMBERED", 5)
    strategy = Tunnelling(Online(merge="last"))
    for n in range(20):
        strategy.learn(visit(0.1, 0.2, relevant=bool(n % 2), url=f"http://{n}/"))
    assert len(strategy.levels_) == len(strategy.direct_) == 5


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
    with crawl_of(tmp_path, web, strategy=Tunnelling(Inner(), max_level=2)) as crawl:
        await crawl.run()
        assert [stored.url for stored in crawl.library.pages()] == [a, b, c, d, f, g, e]  # type: ignore[attr-defined]
    with crawl_of(tmp_path / "hard", web, strategy=Tunnelling(Inner(), max_level=0)) as crawl:
        await crawl.run()
        assert [stored.url for stored in crawl.library.pages()] == [a, b, c]  # type: ignore[attr-defined]


# What it buys: shares of the targets found on a made-up web, by a crawl whose seeds are three links away from any


@cache
def bench() -> Bench:
    return Bench(MadeUpWeb(WebSpec(generated=1200, seed=5)))


def recall(strategy: dict[str, Any], topics: Sequence[int] = (2,), pages: int = 300) -> float:
    web, shares = bench().web, []
    assert isinstance(web, MadeUpWeb)
    for number in topics:
        topic = web.topics()[number]
        settings = lab_settings(
            Config(
                topic=TopicSection(topic.name, [WeightedTerm(word.term, word.weight) for word in topic.keywords]),
                crawl=CrawlSection(list(topic.seeds), pages=pages, threshold=0.4),
            )
        )
        examples = tuple(found for url in topic.relevant_examples if (found := bench().page(url, "en")))
        ground = assemble.make_ground(settings, examples)
        judge = assemble.build(registry.judge, "auto", ground)
        trace, _ = bench().crawl(settings, assemble.build(registry.strategy, strategy, ground), judge)
        found = {request.url for request in trace.pages}
        shares.append(len(found & topic.scored_targets()) / len(topic.scored_targets()))
    return sum(shares) / len(shares)


@pytest.mark.parametrize(("name", "floor", "gain"), [("best-first", 0.6, 0.5), ("blocks", 0.6, 0.25)])
def test_what_tunnelling_buys_on_a_web_with_tunnels(name: str, floor: float, gain: float) -> None:
    without = recall({"name": "tunnelling", "strategy": name, "max_level": 0})
    through = recall({"name": "tunnelling", "strategy": name, "max_level": 3})
    assert through >= floor
    assert through - without >= gain, "what a crawl finds that drops the links of irrelevant pages"
