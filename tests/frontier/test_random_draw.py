"""Links that are drawn at random, and seeds, go next, wherever they wait, and nothing lowers them again."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound import urls
from scenthound.config import PolitenessSection
from scenthound.frontier.fingerprints import LOST, OVER, WAITS, FingerprintTable, Note
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.frontier.random_draw import DRAWN
from scenthound.model import Link, MergeRule, Ranked
from tests.frontier.plain_store import PlainStore

PLAIN = PolitenessSection(delay=0.0, robots=False, connections=100)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.integers(-20, 20)
LINKS = [Ranked(Link(f"http://h{n % 5}.test/{n}"), float(n)) for n in range(40)]


@settings(deadline=None)
@given(st.dictionaries(NUMBERS, st.sampled_from([WAITS, OVER, LOST, (0.5, 1)])), st.sets(NUMBERS), NUMBERS)
def test_the_first_that_waits_from_a_number_on(notes: dict[int, Note], leased: set[int], start: int) -> None:
    table = FingerprintTable(recent=4)
    for number, note in notes.items():
        table.add(number, note)
    waiting = sorted(n for n, note in notes.items() if note in (WAITS, (0.5, 1)) and n not in leased)
    after = [number for number in waiting if number >= start]
    assert table.first_waiting(start, leased) == next(iter(after or waiting), None)


@pytest.mark.parametrize("in_memory", [1000, 8])
def test_a_drawn_link_is_next_from_memory_and_from_the_store(in_memory: int) -> None:
    store = PlainStore()
    frontier = PoliteFrontier(store, PLAIN, in_memory=in_memory)
    store.record(frontier.put(LINKS, 1))
    for worst in LINKS[:3]:
        row = frontier.draw(urls.fingerprint(worst.link.url))
        assert row is not None
        assert (row.link, row.priority) == (worst.link, DRAWN)
        store.record([row])
        assert len(frontier) == len(store._waiting())
        (lease,) = frontier.take(1, 0.0)
        assert lease.link == worst.link
        frontier.done(lease, 0.0)
        store.finish(lease.id)
    rest = [lease.link for _ in LINKS for lease in frontier.take(1, 0.0)]
    assert rest == [ranked.link for ranked in LINKS[:2:-1]]


def test_any_link_may_be_drawn_and_none_that_is_leased_or_over() -> None:
    frontier, chance, drawn = PoliteFrontier(None, PLAIN), Random(1), Counter[str]()
    frontier.put(LINKS, 1)
    leases = frontier.take(2, 0.0)
    frontier.done(leases[0], 0.0)
    for _ in range(4000):
        row = frontier.draw(chance.getrandbits(64) - 2**63)
        assert row is not None
        drawn[row.link.url] += 1
    assert drawn.keys() == {ranked.link.url for ranked in LINKS[:-2]}
    assert PoliteFrontier(None, PLAIN).draw(0) is None


@pytest.mark.parametrize("merge", ["max", "min", "last", "mean"])
def test_nothing_lowers_a_drawn_link(merge: MergeRule) -> None:
    frontier = PoliteFrontier(None, PLAIN, merge=merge)
    frontier.put(LINKS, 2)
    row = frontier.draw(urls.fingerprint(LINKS[0].link.url))
    assert row is not None
    assert frontier.put([Ranked(LINKS[0].link, -5.0)], 1) == []
    assert frontier.rescore([(row.id, 7.0)]) == []
    assert frontier.take(1, 0.0)[0].link == LINKS[0].link


@pytest.mark.parametrize("in_memory", [1000, 8])
@pytest.mark.parametrize("rule", ["last", "min", "mean", "max"])
def test_a_seed_that_a_page_links_to_keeps_its_place(rule: MergeRule, in_memory: int) -> None:
    store = PlainStore()
    frontier = PoliteFrontier(store, PLAIN, in_memory=in_memory, merge=rule)
    seeds = [Ranked(Link(f"http://s{n}.test/", kind="seed"), 1e6) for n in range(20)]
    store.record(frontier.put(seeds, 0))
    store.record(frontier.put([Ranked(Link(seed.link.url, source="http://x.test/"), 0.5) for seed in seeds], 3))
    store.record(frontier.put(LINKS, 1))
    taken = [lease.link.url for _ in seeds for lease in frontier.take(1, 0.0)]
    assert taken == [seed.link.url for seed in seeds]


def test_what_stands_for_a_seed_keeps_its_place_when_links_are_scored_anew() -> None:
    frontier = PoliteFrontier(None, PLAIN, merge="last")
    (moved,) = frontier.put([Ranked(Link("http://s.test/home", kind="redirect"), 1e6)], 0)
    frontier.put(LINKS, 1)
    assert frontier.rescore([(moved.id, 0.5)]) == []
    (lease,) = frontier.take(1, 0.0)
    assert lease.link.url == "http://s.test/home"
