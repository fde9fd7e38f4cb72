"""The frontier of sites is a frontier: robots, politeness and the store are those of the one inside."""

from __future__ import annotations

from typing import Any

from scenthound.config import PolitenessSection, SitesSection
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Link, Page, Ranked, Visit, Waiting
from scenthound.sites.site_crawl import SiteCrawl
from scenthound.sites.site_frontier import SiteFrontier
from tests.conformance.frontiers import FrontierConformance
from tests.frontier.plain_store import PlainStore
from tests.sites.small_sites import AsJudged


class AllOpen(SiteCrawl):
    """Lets every link in as it comes."""

    def admit(self, new: Ranked) -> Ranked:
        self.begin(self.site_of(new.link.url))
        return new


def open_to_all(inside: PoliteFrontier) -> SiteFrontier:
    return SiteFrontier(inside, AllOpen(SitesSection(site_pages=10**9), AsJudged(0.1)), lambda rows: None)


def make(store: Any, politeness: PolitenessSection, **given: Any) -> SiteFrontier:
    return open_to_all(PoliteFrontier(store, politeness, **given))


def resume(store: Any, now: float, politeness: PolitenessSection, **given: Any) -> SiteFrontier:
    return open_to_all(PoliteFrontier.resume(store, now, politeness, **given)).resume(store)


class TestConformance(FrontierConformance):
    make = make
    resume = resume
    holds_far_hosts_back = False  # a site that is open was chosen


AT_ONCE = PolitenessSection(delay=0.0, robots=False)


class Bench:
    """A frontier of sites whose pages are given by hand."""

    def __init__(self, store: PlainStore | None = None, manners: PolitenessSection = AT_ONCE, **rules: Any) -> None:
        self.sites = SiteCrawl(SitesSection(**({"active": 1} | rules)), AsJudged(0.1))
        self.store = store
        self.announced: list[Waiting] = []
        inside = PoliteFrontier(store, manners, merge="mean", denies=self.sites.denies)
        self.frontier = SiteFrontier(inside, self.sites, self.announced.extend)

    def show(self, url: str, confidence: float, *links: str) -> None:
        """As the engine does with a page."""
        page = Page(url=url, links=tuple(Link(url=link, source=url) for link in links))
        visit = Visit(Link(url=url), page, confidence, True, 0)
        self.sites.learn(visit)
        self.frontier.put(self.sites.rank(visit), 1)

    def next(self) -> str | None:
        for lease in self.frontier.take(1, 0.0):
            self.frontier.done(lease, 0.0)
            return lease.link.url
        self.frontier.refused()
        return None


def test_only_as_many_sites_as_allowed_are_under_way() -> None:
    bench = Bench(active=2)
    bench.show("http://a.test/", 0.9, "http://b.test/", "http://c.test/", "http://d.test/")
    assert bench.frontier.next_time(0.0) == 0.0
    assert bench.frontier.under_way() == ["b.test", "c.test"]
    assert [row.link.url for row in bench.announced] == ["http://b.test/", "http://c.test/"]


def test_a_site_with_a_request_under_way_keeps_its_place() -> None:
    bench = Bench(active=1)
    bench.show("http://a.test/", 0.9, "http://b.test/", "http://c.test/")
    (lease,) = bench.frontier.take(5, 0.0)
    assert lease.link.url == "http://b.test/"
    assert bench.frontier.next_time(0.0) is None
    bench.frontier.done(lease, 0.0)
    bench.show("http://b.test/", 0.6, "http://b.test/x")
    assert bench.next() == "http://b.test/x"
    assert bench.next() == "http://c.test/"


def test_a_retry_keeps_the_place_too() -> None:
    bench = Bench(active=1)
    bench.show("http://a.test/", 0.9, "http://b.test/", "http://c.test/")
    (lease,) = bench.frontier.take(1, 0.0)
    bench.frontier.done(lease, 0.0, retry=lease)
    assert bench.next() == "http://b.test/"
    assert bench.next() == "http://c.test/"


def test_a_site_that_cannot_be_asked_gives_its_place_to_the_next() -> None:
    bench = Bench(manners=PolitenessSection(delay=0.0), active=1)
    bench.show("http://a.test/", 0.9, "http://b.test/", "http://c.test/")
    assert bench.next() == "http://b.test/robots.txt"
    bench.frontier.hold("b.test", 600.0)
    assert bench.next() == "http://c.test/robots.txt"
    assert bench.frontier.under_way() == ["c.test"]
    bench.show("http://a.test/more", 0.9, "http://b.test/x")
    assert bench.frontier.under_way() == ["c.test"]
    assert bench.frontier.held() == {"b.test": 1}


def test_how_a_site_was_found_is_written_to_its_homepage() -> None:
    bench = Bench()
    bench.show("http://a.test/", 0.6, "http://b.test/x")
    bench.show("http://a.test/links", 0.9, "http://b.test/y")
    bench.frontier.next_time(0.0)
    (row,) = bench.announced
    assert (row.link.url, row.link.source, row.depth) == ("http://b.test/", "http://a.test/links", 1)


def test_after_a_restart_the_sites_under_way_are_known() -> None:
    store = PlainStore()
    bench = Bench(store, active=2)
    bench.show("http://a.test/", 0.6, "http://a.test/1", "http://b.test/", "http://c.test/", "http://d.test/")
    store.record(bench.frontier.inside.best(9))
    bench.frontier.next_time(0.0)
    store.record(bench.announced)
    again = SiteCrawl(SitesSection(active=2), AsJudged(0.1))
    links = ("http://a.test/1", "http://b.test/", "http://c.test/", "http://d.test/")
    page = Page(url="http://a.test/", links=tuple(Link(url=link, source="http://a.test/") for link in links))
    again.learn(Visit(Link(url="http://a.test/"), page, 0.6, True, 0))
    inside = PoliteFrontier.resume(store, 0.0, AT_ONCE, merge="mean", denies=again.denies)
    resumed = SiteFrontier(inside, again, lambda rows: None).resume(store)
    assert set(resumed.under_way()) == set(bench.frontier.under_way()) == {"a.test", "b.test"}
    assert again.sites["b.test"].number == bench.sites.sites["b.test"].number == 1
