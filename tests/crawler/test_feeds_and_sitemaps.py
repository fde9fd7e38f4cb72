"""Lists of links cost what they may, whatever a site makes of them."""

import gzip

from scenthound.crawler.feeds_and_sitemaps import MAX_BYTES, MOST_FEEDS, MOST_SITEMAPS, FeedsAndSitemaps
from scenthound.model import Link, Page, Response, Visit

HERE = "http://a.test/sitemap.xml"


def read(body: bytes) -> tuple[Page, list[Link]]:
    return FeedsAndSitemaps(sitemaps=True).read(Link(HERE, kind="sitemap"), Response(HERE, 200, body=body), "en")


def visit(url: str, *feeds: str) -> Visit:
    links = tuple(Link(feed, url, kind="feed") for feed in feeds)
    return Visit(Link(url), Page(url, links=links), 1.0, True, 0)


def test_a_packed_sitemap_is_read_no_further_than_a_plain_one() -> None:
    entries = b"".join(b"<url><loc>http://a.test/%d</loc></url>\n" % number for number in range(70_000))
    plain = b"<urlset>" + entries
    assert len(plain) > 2 * MAX_BYTES
    from_plain, from_packed = read(plain)[0], read(gzip.compress(plain, 1))[0]
    assert 1_000 < len(from_packed.links) < MAX_BYTES / 30
    assert from_packed.links == from_plain.links


def test_an_index_leads_to_no_more_sitemaps_than_a_host_may_have() -> None:
    entries = b"".join(b"<sitemap><loc>/s%d</loc></sitemap>" % number for number in range(1_000))
    page, more = read(b"<sitemapindex>" + entries)
    assert not page.links
    assert len(more) == MOST_SITEMAPS


def test_a_host_may_name_so_many_feeds_and_no_more() -> None:
    lists = FeedsAndSitemaps(feeds=True)
    found = lists.worth_asking(visit("http://a.test/", *(f"http://a.test/feed{number}" for number in range(500))))
    assert len(found) == MOST_FEEDS
    assert not lists.worth_asking(visit("http://a.test/2", "http://a.test/another"))
    assert lists.worth_asking(visit("http://b.test/", "http://b.test/feed"))


def test_the_same_feed_on_every_page_counts_once() -> None:
    lists = FeedsAndSitemaps(feeds=True)
    asked = [lists.worth_asking(visit(f"http://a.test/{number}", "http://a.test/feed")) for number in range(200)]
    assert [len(found) for found in asked] == [1] + [0] * 199
    assert lists.worth_asking(visit("http://a.test/", "http://a.test/other"))
