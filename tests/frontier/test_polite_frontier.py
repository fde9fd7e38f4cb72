from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound.config import PolitenessSection
from scenthound.frontier.polite_frontier import IN_MEMORY, PoliteFrontier
from scenthound.model import Link, Ranked, Waiting
from scenthound.protocols.crawl import Frontier
from tests.conformance.frontiers import FrontierConformance
from tests.frontier.plain_store import PlainStore


class TestPoliteFrontier(FrontierConformance):
    make = PoliteFrontier
    resume = PoliteFrontier.resume


def test_it_is_a_frontier() -> None:
    frontier: Frontier = PoliteFrontier()
    assert len(frontier) == 0
    assert frontier.next_time(0.0) is None
    assert frontier.take(3, 0.0) == []


def test_a_link_that_is_given_up_is_told_of_and_may_come_back() -> None:
    """The strategy sees the link as it waits, with its memory, when its turn has come and not before."""
    asked = []

    def gives_up(waiting: Waiting) -> str | None:
        asked.append(waiting.link.url)
        return "no good" if waiting.memory == b"bad" else None

    frontier = PoliteFrontier(None, PolitenessSection(delay=0.0, robots=False), gives_up=gives_up)
    bad, good = Link("http://a.test/bad"), Link("http://a.test/good")
    frontier.put([Ranked(bad, 2.0, b"bad"), Ranked(good, 1.0, b"good")], 1)
    assert asked == []
    (lease,) = frontier.take(1, 0.0)
    assert (lease.link, asked, len(frontier)) == (good, [bad.url, good.url], 0)
    [refusal] = frontier.refused()
    assert (refusal.link, refusal.reason, refusal.for_good) == (bad, "no good", False)
    frontier.done(lease, 0.0)
    assert [row.link for row in frontier.put([Ranked(bad, 0.5, b"better"), Ranked(good, 9.0)], 1)] == [bad]
    assert [lease.link for lease in frontier.take(2, 0.0)] == [bad]


def test_a_crawl_holds_a_bounded_number_of_links_in_memory() -> None:
    """As crawls make it: without a word on memory."""
    store = PlainStore()
    frontier = PoliteFrontier(store, PolitenessSection(delay=0.0, robots=False))
    held = []
    for page in range(600):
        links = [Ranked(Link(f"http://h{n}.test/{page}"), n / 77 + page % 10) for n in range(77)]
        store.record(frontier.put(links, 1))
        held.append(len(frontier._memory_queue.links))
    assert len(frontier) == 600 * 77 > 2 * IN_MEMORY
    assert max(held) <= IN_MEMORY
    assert [lease.priority for lease in frontier.take(3, 0.0)] == sorted((76 / 77 + 9, 75 / 77 + 9, 74 / 77 + 9))[::-1]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=60), st.integers(0, 20))
def test_links_ranked_anew_go_in_their_new_order_wherever_they_wait(worth: list[tuple[int, int]], gone: int) -> None:
    """Few fit in memory, so most have their new priority in the store alone. Some are gone, and some come later."""
    store = PlainStore()
    frontier = PoliteFrontier(store, PolitenessSection(delay=0.0, robots=False), in_memory=8)
    links = [Ranked(Link(f"http://h{n % 3}.test/{n}"), float(first)) for n, (first, _) in enumerate(worth)]
    for at in range(0, len(links), 7):
        store.record(frontier.put(links[at : at + 7], 1))
    for lease in frontier.take(gone, 0.0):
        frontier.done(lease, 0.0)
        store.finish(lease.id)
    left = [row for row in store.rows.values() if row.id not in store.over]
    anew = {row.id: float(worth[int(row.link.url.rpartition("/")[2])][1]) for row in left}
    store.rows |= {row.id: replace(row, priority=anew[row.id]) for row in left}
    frontier.rank_again(anew.items())
    assert len(frontier) == len(left)
    store.record(frontier.put([Ranked(Link("http://h0.test/late"), 4.5)], 1))
    asked = []
    while leases := frontier.take(1, 0.0):
        asked.append(leases[0].priority)
        frontier.done(leases[0], 0.0)
        store.finish(leases[0].id)
    assert asked == sorted([*anew.values(), 4.5], reverse=True)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 20), st.integers(-3, 3)), min_size=1, max_size=60),
    st.integers(0, 10),
    st.integers(1, 12),
)
def test_who_looks_seldom_sees_the_same_top_and_leaves_nothing_to_be_kept_up(
    worth: list[tuple[int, int, int]], gone: int, wanted: int
) -> None:
    """Links found again with another worth leave stale items behind: neither way shows them."""
    frontier = PoliteFrontier(politeness=PolitenessSection(delay=0.0, robots=False, connections=100))
    for host, page, priority in worth:
        frontier.put([Ranked(Link(f"http://{host}.test/{page}"), float(priority))], 0)
        frontier.rescore([(row.id, row.priority / 2) for row in frontier.top(3)])
    frontier.take(gone, 0.0)
    seen = frontier.top(wanted)
    assert frontier._memory_queue._best is None
    assert seen == frontier.best(wanted)
