"""The whole website crawler on sites written out by hand: which site is next, which page of it, and when it is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.model import Link, Page, Visit
from scenthound.parse.page import parse
from scenthound.sites.evidence import ClassifierEvidence, JointEvidence, TopicEvidence
from scenthound.sites.exploration import Exploration
from scenthound.sites.site_crawl import SiteCrawl, halfway
from tests.sites.small_sites import AsJudged, SaysItself, crawl, said, settings
from tests.small_web import ScriptedFetcher, answer


def hosts(asked: list[str]) -> list[str]:
    """Sites in the order in which they were begun."""
    return list(dict.fromkeys(url.split("/")[2] for url in asked))


CHAIN = {
    "http://a.test/": said(0.95, "http://a.test/1", "http://b.test/deep/page", "http://c.test/"),
    "http://a.test/1": said(0.95, "http://b.test/"),
    "http://b.test/": said(0.9, "http://d.test/"),
    "http://c.test/": said(0.05, "http://e.test/"),
    "http://d.test/": said(0.9),
    "http://e.test/": said(0.9),
}


def test_sites_are_entered_by_their_homepage_and_told_apart(tmp_path: Path) -> None:
    done = crawl(tmp_path, CHAIN, settings("http://a.test/", p_threshold=0.8))
    assert "http://b.test/deep/page" not in done.asked
    assert done.verdicts() == {"a.test": True, "b.test": True, "c.test": False, "d.test": True, "e.test": True}
    assert done.ending == "frontier empty"
    assert hosts(done.asked) == ["a.test", "b.test", "c.test", "d.test", "e.test"]


def test_the_best_site_of_the_border_goes_first(tmp_path: Path) -> None:
    script = {
        "http://a.test/": said(0.9, "http://bad.test/", "http://good.test/"),
        "http://bad.test/": said(0.1, "http://far.test/"),
        "http://good.test/": said(0.9, "http://near.test/"),
        "http://far.test/": said(0.5),
        "http://near.test/": said(0.5),
    }
    done = crawl(tmp_path, script, settings("http://a.test/", p_threshold=0.8))
    assert hosts(done.asked) == ["a.test", "bad.test", "good.test", "near.test", "far.test"]


def test_inside_a_site_the_clearest_pages_lead_as_in_an_exploration(tmp_path: Path) -> None:
    """The same order as the pure internal crawler of `exploration.py` finds: an independent implementation."""
    script = {
        "http://a.test/": said(0.55, "/m", "/x", "/y"),
        "http://a.test/m": said(0.6, "/m1", "/x"),
        "http://a.test/x": said(0.1, "/x1", "/m1"),
        "http://a.test/y": said(0.95, "/y1", "/x1", "/m1"),
        "http://a.test/m1": said(0.5),
        "http://a.test/x1": said(0.5, "/end"),
        "http://a.test/y1": said(0.5, "/end"),
        "http://a.test/end": said(0.5),
    }
    script = {url: text.replace('"/', '"http://a.test/') for url, text in script.items()}
    done = crawl(tmp_path, script, settings("http://a.test/", p_threshold=1.0))
    pure, order, fetcher = Exploration("a.test", SaysItself(), start="http://a.test/"), [], ScriptedFetcher(script)  # type: ignore[arg-type]
    while (link := pure.next_link()) is not None:
        order.append(link.url)
        pure.visit(parse(answer(link.url, str(fetcher.script[link.url])), "en"))
    assert done.asked == order
    assert len(order) == len(script)


def test_a_decided_site_is_left_and_what_waits_there_is_set_aside(tmp_path: Path) -> None:
    inside = [f"http://a.test/{n}" for n in range(9)]
    script = {"http://a.test/": said(0.9, *inside, "http://b.test/")} | dict.fromkeys(inside, said(0.9))
    done = crawl(tmp_path, script, settings("http://a.test/", p_threshold=0.8, l_threshold=4.5))
    # The first page decides (0.9, corrected 0.82). LinkRank (0.9 * 1 + 1) / 0.82 = 2.3, then 2.9, then 3.9 / 0.82 = 4.8
    assert [url for url in done.asked if "a.test" in url] == ["http://a.test/", "http://a.test/0", "http://a.test/1"]
    refused = {url: reason for url, reason in done.refusals().items() if "a.test" in url}
    assert refused == dict.fromkeys(inside[2:], "site done: relevant by 1 page, 3 seen")


def test_with_nowhere_else_to_go_a_site_is_looked_through(tmp_path: Path) -> None:
    inside = [f"http://a.test/{n}" for n in range(9)]
    script = {"http://a.test/": said(0.9, *inside), "http://b.test/": said(0.9)} | dict.fromkeys(inside, said(0.9))
    script["http://a.test/8"] = said(0.9, "http://b.test/")
    done = crawl(tmp_path, script, settings("http://a.test/", p_threshold=0.8, l_threshold=0.0))
    assert done.asked == ["http://a.test/", *inside, "http://b.test/"]


def test_links_to_other_sites_are_refused_as_pages_with_the_reason(tmp_path: Path) -> None:
    done = crawl(tmp_path, CHAIN, settings("http://a.test/", p_threshold=0.8))
    reason = done.refusals()["http://b.test/deep/page"]
    assert reason == "another site: b.test is looked at from its homepage"


@pytest.mark.parametrize("active", [1, 4])
def test_a_site_without_end_stays_within_its_limit(tmp_path: Path, active: int) -> None:
    class Endless(dict[str, str]):
        """A site that says nothing and links on for ever, and a good one behind it."""

        def get(self, url: str, default: object = None) -> str:  # type: ignore[override]
            if "trap.test" in url:
                n = int(url.rpartition("/")[2] or 0)
                return said(0.5, f"http://trap.test/{n + 1}", f"http://trap.test/{n + 7}", words=f"unlike {n} {n * 7}")
            return said(0.9) if url == "http://good.test/" else said(0.9, "http://trap.test/", "http://good.test/")

    config = settings("http://a.test/", site_pages=12, active=active, p_threshold=0.8)
    config.scope.traps = False
    config.crawl.pages = 500
    done = crawl(tmp_path, Endless(), config)
    assert done.ending == "frontier empty"
    assert sum("trap.test" in url for url in done.asked) == 12
    assert done.verdicts()["good.test"]


def test_a_site_of_nothing_but_dead_links_stays_within_its_limit(tmp_path: Path) -> None:
    script = {"http://a.test/": said(0.5, *(f"http://a.test/{n}" for n in range(100)))}
    done = crawl(tmp_path, script, settings("http://a.test/", site_pages=10))
    assert len(done.asked) == 10


def test_a_homepage_that_moved_to_another_host_is_followed(tmp_path: Path) -> None:
    script = {
        "http://a.test/": said(0.9, "http://b.test/x"),
        "http://b.test/": answer("http://b.test/", status=301, location="http://www.b.test/"),
        "http://www.b.test/": said(0.9),
    }
    done = crawl(tmp_path, script, settings("http://a.test/", p_threshold=0.8))
    assert done.verdicts() == {"a.test": True, "www.b.test": True}


def test_a_page_that_redirects_to_another_site_begins_none(tmp_path: Path) -> None:
    script = {
        "http://a.test/": said(0.5, "http://a.test/login"),
        "http://a.test/login": answer("http://a.test/login", status=302, location="http://sso.test/in?back=a"),
        "http://sso.test/in?back=a": said(0.5),
    }
    done = crawl(tmp_path, script, settings("http://a.test/"))
    assert done.verdicts() == {"a.test": False}


def test_where_the_homepage_is_gone_the_page_linked_to_is_tried(tmp_path: Path) -> None:
    script = {"http://a.test/": said(0.9, "http://b.test/shop/"), "http://b.test/shop/": said(0.9)}
    done = crawl(tmp_path, script, settings("http://a.test/", p_threshold=0.8))
    assert done.asked == ["http://a.test/", "http://b.test/", "http://b.test/shop/"]
    assert done.verdicts()["b.test"]


def test_the_scope_of_the_user_holds_for_sites(tmp_path: Path) -> None:
    config = settings("http://a.test/", p_threshold=0.8)
    config.scope.deny = "host:b.test or host:c.test"
    done = crawl(tmp_path, CHAIN, config)
    assert hosts(done.asked) == ["a.test"]


def test_links_that_ask_not_to_be_followed_are_no_edges(tmp_path: Path) -> None:
    text = said(0.9, "http://c.test/").replace("<p>conf", '<p><a rel="nofollow" href="http://b.test/">b</a> conf')
    done = crawl(tmp_path, {"http://a.test/": text, "http://c.test/": said(0.9)}, settings("http://a.test/"))
    assert "b.test" not in done.sites.sites
    assert "c.test" in done.sites.sites


def test_a_seed_within_a_site_brings_its_homepage_along(tmp_path: Path) -> None:
    script = {"http://a.test/deep/x": said(0.5), "http://a.test/": said(0.5)}
    done = crawl(tmp_path, script, settings("http://a.test/deep/x"))
    assert done.asked == ["http://a.test/deep/x", "http://a.test/"]


def test_sites_without_a_host_of_their_own_are_found_too(tmp_path: Path) -> None:
    script = {
        "http://a.test/": said(0.5, "http://home.test/~jo/", "http://home.test/~al/x.html"),
        "http://home.test/~jo/": said(0.95),
        "http://home.test/~al/": said(0.05),
    }
    done = crawl(tmp_path, script, settings("http://a.test/", kind="folder", p_threshold=0.8))
    assert done.verdicts() == {"a.test": False, "home.test/~jo": True, "home.test/~al": False}


def test_all_hosts_of_a_domain_are_one_site(tmp_path: Path) -> None:
    script = {
        "http://www.a.org/": said(0.6, "http://shop.a.org/"),
        "http://shop.a.org/": said(0.9),
    }
    done = crawl(tmp_path, script, settings("http://www.a.org/", kind="domain", p_threshold=0.99))
    assert [site.name for site in done.sites.sites.values()] == ["a.org"]
    assert len(done.sites.sites["a.org"].pages) == 2


def test_a_crawl_ends_when_it_has_the_sites_that_were_wanted(tmp_path: Path) -> None:
    done = crawl(tmp_path, CHAIN, settings("http://a.test/", p_threshold=0.8, enough=2))
    assert done.ending == "sites"
    assert done.verdicts() == {"a.test": True, "b.test": True}


def test_a_crawl_ends_when_relevant_sites_have_become_too_dear(tmp_path: Path) -> None:
    """One relevant site, and then a row of others: over the last four pages nothing was found."""
    script = {"http://a.test/": said(0.95, *(f"http://o{n}.test/" for n in range(30)))}
    script |= {f"http://o{n}.test/": said(0.05) for n in range(30)}
    done = crawl(tmp_path, script, settings("http://a.test/", p_threshold=0.8, pprs=7.9, pprs_window=4))
    assert done.ending == "pprs-rate"
    assert len(done.asked) < 10
    whole = crawl(tmp_path / "whole", script, settings("http://a.test/", p_threshold=0.8))
    assert (whole.ending, len(whole.verdicts())) == ("frontier empty", 31)


@pytest.mark.parametrize("weight", ["global", "local", "combined", "bandit"])
def test_every_order_of_sites_finds_them_all(tmp_path: Path, weight: str) -> None:
    done = crawl(tmp_path, CHAIN, settings("http://a.test/", weight=weight, p_threshold=0.8))
    assert len(done.verdicts()) == 5


def pages_of(sites: SiteCrawl, *confidences: float) -> None:
    """A page of a new site each."""
    for confidence in confidences:
        url = f"http://s{len(sites.sites)}.test/"
        sites.learn(Visit(Link(url=url), Page(url=url), confidence, True, 0))


def test_the_prior_is_the_share_of_sites_decided_before() -> None:
    sites = SiteCrawl(settings(p_threshold=0.9).sites, AsJudged(0.0))
    pages_of(sites, 0.95, 0.95, 0.95, 0.05, 0.5)
    # Smoothed by five of each class: (3 + 5) / (4 + 10)
    assert sites.sites["s4.test"].probability == pytest.approx(8 / 14)


@pytest.mark.parametrize(("p_threshold", "most"), [(0.9, 0.75), (0.7, 0.6044), (0.5, 0.5)])
def test_the_prior_goes_half_the_way_at_most(p_threshold: float, most: float) -> None:
    assert halfway(p_threshold) == pytest.approx(most, abs=1e-4)
    sites = SiteCrawl(settings(p_threshold=p_threshold).sites, AsJudged(0.0))
    pages_of(sites, *[0.99] * 200)
    assert sites.prior.value == pytest.approx(most, abs=1e-4)


def test_as_published_the_prior_is_the_share_without_a_bound() -> None:
    """By hand: 30 relevant sites and none else give 35 / 40. A page of confidence 0.3, which is 0.32 with an error rate
    of 0.05, then leaves 0.32 * 0.875 / (0.32 * 0.875 + 0.68 * 0.125) = 56 / 73; with the bound of 0.75, 24 / 41."""
    for published, prior, after in ((True, 35 / 40, 56 / 73), (False, 0.75, 24 / 41)):
        sites = SiteCrawl(settings(p_threshold=0.9, published=published).sites, AsJudged(0.05))
        pages_of(sites, *[0.99] * 30)
        assert sites.prior.value == pytest.approx(prior)
        pages_of(sites, 0.3)
        assert sites.sites["s30.test"].probability == pytest.approx(after)


def test_labels_say_what_sites_are_and_leave_the_crawl_alone(tmp_path: Path) -> None:
    """A directory is no relevant site: labelled so, it must still be read, for it leads to those that are."""
    topical = [f"http://no.test/{n}" for n in range(3)]
    script = {
        "http://a.test/": said(0.9, "http://no.test/", "http://yes.test/"),
        "http://no.test/": said(0.6, *topical),
        "http://yes.test/": said(0.05),
        "http://far.test/": said(0.95),
    } | dict.fromkeys(topical, said(0.6, "http://far.test/"))
    labels, config = {"no.test": False, "yes.test": True}, settings("http://a.test/", p_threshold=0.8)
    done = crawl(tmp_path / "labelled", script, config, labels=labels)
    plain = crawl(tmp_path / "plain", script, config)
    assert done.asked == plain.asked
    assert done.verdicts() == plain.verdicts() | labels
    assert done.verdicts()["far.test"]


def learned(sites: SiteCrawl, *pages: tuple[str, float, str]) -> None:
    for url, relevance, text in pages:
        sites.learn(Visit(Link(url), Page(url=url, text=text), relevance, False, 0))


def test_what_labels_taught_moves_a_site_only_where_it_decides() -> None:
    evidence = JointEvidence(TopicEvidence(0.1, 0.1), ClassifierEvidence(SaysItself()))  # type: ignore[arg-type]
    sites = SiteCrawl(settings(p_threshold=0.9).sites, evidence)
    learned(sites, ("http://a.test/", 0.0, "conf 0.7"))
    begun = sites.sites["a.test"]
    assert begun.posterior is not None
    assert begun.posterior.relevant  # both together lean this way
    assert (begun.relevant, begun.decided) == (False, False)  # but the words say no, and it is not decided
    learned(sites, *((f"http://a.test/{n}", 0.0, "conf 0.95") for n in range(6)))
    assert (begun.relevant, begun.decided) == (True, True)
