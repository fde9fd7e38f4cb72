"""Contestants of the lab on a small generated web: all run, in the same engine, and the log says what they did."""

from __future__ import annotations

import pytest

from scenthound.config import SitesSection
from scenthound.fetch.answer import classify
from scenthound.lab.generated.sites import SiteWeb
from scenthound.lab.sites.site_crawls import Kind, SiteCrawler, SiteLab, SiteTask, train
from scenthound.lab.sites.site_trials import SiteWalker, generated_labelled_sites
from scenthound.model import Failed, Link, Response
from scenthound.report.curves_picture import draw
from scenthound.sites.measures import accuracy, found_at
from scenthound.sites.posterior import log_odds
from scenthound.text import idf

WEB = SiteWeb(seed=5, sites=60, classes=4)
NAME = WEB.classes[0]


def answer(link: Link) -> Response | Failed:
    given = WEB.respond(link.url)
    if not given.status:
        return Failed(link.url, "dns", "no such name")
    return classify(Response(link.url, given.status, given.headers, given.body), link.kind)


@pytest.fixture(scope="module")
def task() -> SiteTask:
    sites = generated_labelled_sites(WEB, NAME, SiteWalker(answer))
    good, others = [site for site in sites if site.relevant], [site for site in sites if not site.relevant]
    seeds = tuple(site.start for site in good[:2])
    hidden = frozenset(site.site for site in good[2:])
    return SiteTask(NAME, seeds, hidden, 120, *train(good[:4], others[:10], idf.background("en")))


@pytest.fixture(scope="module")
def lab() -> SiteLab:
    return SiteLab(answer)


@pytest.mark.parametrize("kind", ["website", "homepage", "page"])
def test_a_contestant_crawls_within_its_budget_and_finds_sites(kind: Kind, task: SiteTask, lab: SiteLab) -> None:
    log = lab.run(SiteCrawler(kind, kind), task)
    assert 40 <= len(log) <= 120
    assert len({look.site for look in log}) > 3
    assert max(sum(look.site == site for look in log) for site in {look.site for look in log}) <= 25
    assert found_at(log, task.truth)
    assert log == lab.run(SiteCrawler(kind, kind), task)


def test_as_published_classes_are_not_brought_into_balance(task: SiteTask, lab: SiteLab) -> None:
    assert (task.classifier.bias != 0.0, task.unbalanced.bias) == (True, 0.0)
    page = lab.look(Link(task.seeds[0]))
    assert page is not None
    balanced, plain = log_odds(task.classifier.confidence(page)), log_odds(task.unbalanced.confidence(page))
    assert balanced == pytest.approx(plain - task.classifier.bias)
    published = SiteCrawler("website(published=true)", sites=SitesSection(active=1, published=True))
    log = lab.run(published, task)
    assert 40 <= len(log) <= 120
    assert found_at(log, task.truth)


def test_the_website_crawler_tells_sites_apart(task: SiteTask, lab: SiteLab) -> None:
    log = lab.run(SiteCrawler("website"), task)
    known = {seed.split("/")[2] for seed in task.seeds}
    told = accuracy([look for look in log if look.site not in known], task.truth)
    assert told.f > 0.6


def test_a_homepage_crawler_decides_by_the_first_page(task: SiteTask, lab: SiteLab) -> None:
    log = lab.run(SiteCrawler("homepage", "homepage"), task)
    verdicts: dict[str, set[bool]] = {}
    for look in log:
        verdicts.setdefault(look.site, set()).add(look.relevant)
    assert all(len(said) == 1 for said in verdicts.values())


def test_the_guard_limits_the_page_crawler(task: SiteTask, lab: SiteLab) -> None:
    log = lab.run(SiteCrawler("page", "page", SitesSection(site_pages=3)), task)
    assert max(sum(look.site == site for look in log) for site in {look.site for look in log}) <= 3


def test_curves_are_one_picture_that_stands_alone() -> None:
    drawn = draw({"a <b>": [(0, 1), (10, 5)], "c": [(0, 2), (10, 5)], "none": []}, "x", "y", top=4)
    assert drawn.startswith("<svg")
    assert "a &lt;b&gt;" in drawn
    assert drawn.count("<path") >= 4
    assert "http-equiv" not in drawn
    assert draw({}, "x", "y", top=0.0).startswith("<svg")
