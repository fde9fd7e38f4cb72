from __future__ import annotations

import pytest

from scenthound.model import Link, Page, Visit
from scenthound.sites.page_crawler import PageCrawler, grouped


def test_links_wait_with_the_confidence_of_the_page() -> None:
    page = Page(url="http://a.test/", links=(Link("http://a.test/x"), Link("http://b.test/feed", kind="feed")))
    ranked = PageCrawler().rank(Visit(Link("http://a.test/"), page, 0.7, True, 0))
    assert [(entry.link.url, entry.priority) for entry in ranked] == [("http://a.test/x", 0.7)]


def test_pages_are_grouped_by_site_and_judged_together() -> None:
    pages = [("http://a.test/", 0.8), ("http://b.test/", 0.2), ("http://a.test/x", 0.6)]
    sites = grouped(pages, p_err=0.0)
    assert sites["a.test"].probability == pytest.approx(0.8 * 0.6 / (0.8 * 0.6 + 0.2 * 0.4))
    assert (sites["a.test"].pages, sites["b.test"].relevant) == (2, False)
    assert list(grouped(pages, 0.0, "domain")) == ["a.test", "b.test"]
