"""A person's rules in the frontier: links are moved at once, and back to exactly where they were."""

from hypothesis import given
from hypothesis import strategies as st

from scenthound.config import PolitenessSection
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Link, Ranked


class HostRule:
    """Shifts the links of one host, and refuses those of another."""

    def __init__(self, host: str, by: float, banned: str = "nobody") -> None:
        self.host, self.by, self.banned = host, by, banned

    def shift(self, url: str) -> float:
        return self.by if self.host in url else 0.0

    def refuses(self, url: str) -> str | None:
        return "banned" if self.banned in url else None

    def strikes(self, url: str) -> str | None:
        return "struck" if url.endswith("/struck") else None


def frontier() -> PoliteFrontier:
    return PoliteFrontier(politeness=PolitenessSection(delay=0.0, robots=False, connections=100))


def links(*priorities: float, host: str = "a") -> list[Ranked]:
    return [Ranked(Link(f"http://{host}.test/{n}"), priority) for n, priority in enumerate(priorities)]


def order(of: PoliteFrontier) -> list[str]:
    return [link.link.url for link in of.best(100)]


def test_raised_links_go_first_and_new_ones_too() -> None:
    waiting = frontier()
    waiting.put([*links(0.9), *links(0.1, host="b")], 0)
    rows = waiting.steer_by(HostRule("b.test", 1.0))
    assert [row.link.url for row in rows] == ["http://b.test/0"]
    waiting.put([Ranked(Link("http://b.test/new"), 0.2)], 0)
    assert order(waiting) == ["http://b.test/new", "http://b.test/0", "http://a.test/0"]


def test_banned_links_are_refused_and_seeds_are_not() -> None:
    waiting = frontier()
    waiting.put([*links(0.9), *links(0.5, host="b"), Ranked(Link("http://a.test/seed", kind="seed"), 0.3)], 0)
    waiting.steer_by(HostRule("nobody", 0.0, banned="a.test"))
    assert [lease.link.url for lease in waiting.take(9, 0.0)] == ["http://b.test/0", "http://a.test/seed"]
    assert [refused.reason for refused in waiting.refused()] == ["banned"]


def test_a_seed_that_was_struck_is_refused() -> None:
    waiting = frontier()
    seeds = [Ranked(Link(f"http://a.test/{name}", kind="seed"), 0.3) for name in ("struck", "kept")]
    waiting.put(seeds, 0)
    waiting.steer_by(HostRule("nobody", 0.0, banned="nobody"))
    assert [lease.link.url for lease in waiting.take(9, 0.0)] == ["http://a.test/kept"]
    assert [refused.reason for refused in waiting.refused()] == ["struck"]


@given(st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=1, max_size=20), st.sampled_from([1.0, -1.0, 0.1]))
def test_taken_back_all_is_as_it_was(priorities: list[float], by: float) -> None:
    waiting = frontier()
    waiting.put([*links(*priorities), *links(*priorities, host="b")], 0)
    before = waiting.best(100)
    waiting.steer_by(HostRule("b.test", by))
    waiting.steer_by(HostRule("b.test", 2 * by))
    waiting.steer_by(None)
    assert waiting.best(100) == before
