from __future__ import annotations

import pytest

from scenthound.config import named
from scenthound.crawler.assemble import make_context
from scenthound.judges.threshold import threshold_of
from scenthound.model import Link, Page, Visit
from scenthound.sites.confidence import by_threshold
from scenthound.sites.parts import SiteCrawlParts, as_run, site_crawl
from scenthound.sites.taught import TaughtSites
from tests.sites.small_sites import SaysItself, settings


def visit(relevance: float, text: str = "") -> Visit:
    return Visit(Link("http://a.test/"), Page(url="http://a.test/", text=text), relevance, False, 0)


def test_what_was_taught_speaks_for_sites_and_the_judge_for_pages() -> None:
    dress = SiteCrawlParts(TaughtSites(SaysItself()))  # type: ignore[arg-type]
    parts = dress(settings("http://a.test/"), make_context(settings("http://a.test/")))
    hounds = Page(url="http://a.test/", text="hounds conf 0.7", terms={"hound": 1})
    assert parts.judge(hounds) == pytest.approx(1.0)
    assert dress.crawl is not None
    assert (dress.crawl.evidence.p_err, dress.crawl.evidence(visit(1.0, "conf 0.7"))) == (0.1, 0.7)


def test_labels_are_known_to_the_crawl() -> None:
    dress = SiteCrawlParts(labels={"a.test": False})
    dress(settings("http://a.test/"), make_context(settings("http://a.test/")))
    assert dress.crawl is not None
    assert dress.crawl.begin("a.test").label is False
    assert dress.crawl.begin("b.test").label is None


def test_from_a_topic_alone_the_settings_name_the_judge() -> None:
    config = settings("http://a.test/", p_err=0.3)
    dress = SiteCrawlParts()
    parts = dress(config, make_context(config))
    hounds = Page(url="http://a.test/", text="hounds", terms={"hound": 1})
    assert parts.judge(hounds) == pytest.approx(1.0)
    assert dress.crawl is not None
    assert dress.crawl.evidence.p_err == 0.3
    assert dress.crawl.evidence(visit(0.2)) == by_threshold(0.2, threshold_of(config))


def test_a_run_is_noted_for_what_it_was() -> None:
    config = settings(weight="local")
    run = as_run(config)
    assert named(run.crawl.strategy, "strategy") == ("sites", {"weight": "local"})
    assert run.crawl.judge == config.crawl.judge
    assert config.crawl.strategy == "auto"  # the user's settings are left alone


def test_the_page_may_ask_not_to_be_followed() -> None:
    sites = site_crawl(settings())
    page = Page(url="http://a.test/", nofollow=True)
    assert list(sites.follows(page, 1)) == []
