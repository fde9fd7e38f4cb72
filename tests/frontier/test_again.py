"""Links that were done with, asked once more; and links that must wait however free their hosts are."""

from math import inf

from msgspec.structs import replace

from scenthound import urls
from scenthound.config import PolitenessSection
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Link, Ranked, Waiting

CALM = PolitenessSection(delay=0.0, robots=False)


def frontier(**settings: object) -> PoliteFrontier:
    return PoliteFrontier(None, CALM, **settings)  # type: ignore[arg-type]


def put(made: PoliteFrontier, url: str, priority: float) -> None:
    made.put([Ranked(Link(url=url), priority)], depth=0)


def past(url: str, priority: float) -> Waiting:
    return Waiting(urls.fingerprint(url), Link(url=url), urls.host(url), priority, 0)


def take(made: PoliteFrontier, n: int = 10, now: float = 0.0, least: float = -inf) -> list[str]:
    leases = made.take(n, now, least)
    for lease in leases:
        made.done(lease, now)
    return [lease.link.url.removeprefix("http://") for lease in leases]


def test_a_link_that_was_done_with_can_be_asked_again_and_again() -> None:
    made = frontier()
    put(made, "http://a/", 1.0)
    assert take(made) == ["a/"]
    put(made, "http://a/", 1.0)
    assert take(made) == [], "found again is not enough"
    for _ in range(2):
        made.again([past("http://a/", 5.0)])
        assert len(made) == 1
        assert take(made) == ["a/"]
        assert len(made) == 0


def test_it_comes_at_its_priority_whoever_finds_it() -> None:
    for rule in ("max", "mean", "min", "last"):
        made = frontier(merge=rule)
        made.again([past("http://a/x", 5.0), past("http://a/y", 6.0)])
        put(made, "http://a/x", 9.0)
        put(made, "http://a/y", 0.1)
        made.rescore([(urls.fingerprint("http://a/x"), 99.0)])
        put(made, "http://a/new", 5.5)
        assert [link.link.url for link in made.best(10)] == ["http://a/new"]
        assert [made.take(1, 0.0)[0].link.url for _ in range(1)] == ["http://a/y"]


def test_a_link_is_not_asked_twice_at_once() -> None:
    made = frontier()
    made.again([past("http://a/", 5.0)])
    (lease,) = made.take(10, 0.0)
    made.again([past("http://a/", 5.0)])
    assert made.take(10, 0.0) == []
    made.done(lease, 0.0)
    assert take(made) == []


def test_no_limit_but_robots_holds_it_back() -> None:
    made = frontier(host_pages=1, denies=lambda url: "a trap", gives_up=lambda link: "no use")
    made.again([past("http://a/x", 5.0), past("http://a/y", 4.0)])
    assert [*take(made, 1), *take(made, 1)] == ["a/x", "a/y"]
    put(made, "http://a/z", 1.0)
    assert take(made) == []
    assert [refusal.reason for refusal in made.refused()] == ["a trap"], "looks do not use up a host's pages"

    class Closed:
        delay, expires = None, inf

        def allows(self, url: str) -> bool:
            return False

    obedient = PoliteFrontier(None, PolitenessSection(delay=0.0))
    obedient.again([past("http://a/x", 5.0)])
    (robots_request,) = obedient.take(5, 0.0)
    obedient.done(robots_request, 0.0)
    obedient.rules("a", Closed())
    assert obedient.take(5, 0.0) == []
    assert [refusal.reason for refusal in obedient.refused()] == ["robots"]


def test_a_retry_of_a_look_is_a_look() -> None:
    made = frontier(host_pages=1)
    made.again([past("http://a/x", 5.0)])
    (lease,) = made.take(5, 0.0)
    made.done(lease, 0.0, retry=replace(lease, tries=1, not_before=10.0))
    assert made.next_time(0.0) == 10.0
    assert take(made, now=10.0) == ["a/x"]


def test_what_is_below_the_least_priority_waits() -> None:
    made = frontier()
    put(made, "http://a/low", 1.0)
    put(made, "http://b/low", 2.0)
    made.again([past("http://a/high", 100.0)])
    assert made.next_time(0.0, 50.0) == 0.0
    assert take(made, least=50.0) == ["a/high"]
    assert made.next_time(0.0, 50.0) is None, "nothing to wait for"
    assert take(made, least=50.0) == []
    assert len(made) == 2
    assert take(made) == ["b/low", "a/low"]
