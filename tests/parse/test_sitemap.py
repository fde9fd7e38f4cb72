import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse import sitemap
from scenthound.parse.sitemap import SitemapEntry, entry_links, moment, parse_sitemap, path_words, sitemap_page
from scenthound.urls import canonical

HERE = "https://a.test/sitemap.xml"
URLSET = b"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="/style.xsl"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <!-- <url><loc>https://a.test/commented-out</loc></url> -->
  <url>
    <loc> https://A.test/dengue?id=1&amp;part=2#top </loc>
    <lastmod>2024-05-06T07:08:09+00:00</lastmod><changefreq>daily</changefreq><priority>0.8</priority>
    <image:image><image:loc>https://a.test/dengue.jpg</image:loc></image:image>
  </url>
  <url><loc><![CDATA[https://a.test/malaria]]></loc><lastmod>soon</lastmod><priority>7</priority></url>
  <url><loc>/relative</loc><priority>high</priority></url>
  <url><loc>https://a.test/malaria</loc></url>
  <url><loc>mailto:me@a.test</loc></url><url><loc></loc></url><url/>
</urlset>"""


def urls(body: bytes) -> list[str]:
    return [entry.url for entry in parse_sitemap(body, HERE)]


def test_pages_with_what_the_site_says_of_them() -> None:
    assert parse_sitemap(URLSET, HERE) == [
        SitemapEntry("https://a.test/dengue?id=1&part=2", 1714979289.0, 0.8),
        SitemapEntry("https://a.test/malaria", 0.0, 1.0),
        SitemapEntry("https://a.test/relative", 0.0, 0.5),
    ]


def test_an_index_leads_to_other_sitemaps() -> None:
    index = b"""<sm:sitemapindex xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9">
      <sm:sitemap><sm:loc>https://a.test/1.xml.gz</sm:loc><sm:lastmod>2024-05</sm:lastmod></sm:sitemap>
      <sm:sitemap><sm:loc>https://a.test/2.xml</sm:loc></sm:sitemap></sm:sitemapindex>"""
    first, second = parse_sitemap(index, HERE)
    assert first == SitemapEntry("https://a.test/1.xml.gz", 1714521600.0, 0.5, sitemap=True)
    assert second.sitemap
    assert entry_links([first, second], HERE) == ()


def test_gzip_whole_and_damaged() -> None:
    packed = gzip.compress(URLSET)
    assert parse_sitemap(packed, HERE) == parse_sitemap(URLSET, HERE)
    assert parse_sitemap(packed[:-8], HERE) == parse_sitemap(URLSET, HERE)
    assert parse_sitemap(packed[:3], HERE) == []


def test_a_gzip_bomb_costs_its_limit() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * 50_000_000, 1)
    assert len(sitemap._unzipped(bomb, sitemap.MAX_UNPACKED)) == sitemap.MAX_UNPACKED
    assert parse_sitemap(bomb, HERE) == []


def test_plain_text() -> None:
    assert urls("\ufeffhttps://a.test/1\r\nhttps://a.test/ü\nno url\n\nhttps://a.test/1\n".encode()) == [
        "https://a.test/1",
        "https://a.test/%C3%BC",
    ]


def test_feeds_are_sitemaps_too() -> None:
    assert urls(b"<rss><channel><item><link>https://a.test/new</link></item></channel></rss>") == ["https://a.test/new"]
    assert urls(b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/j"}]}') == ["https://a.test/j"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!doctype html><title>Not found</title><a href='https://a.test/x'>x</a>",
        b'{"error": 404}',
        b"\x89PNG\r\n",
    ],
)
def test_what_is_no_sitemap_has_no_entries(body: bytes) -> None:
    assert parse_sitemap(body, HERE) == []


def test_mistakes_cost_no_more_than_what_follows() -> None:
    assert urls(b"<urlset><url><loc>https://a.test/?a=1&b=2</loc></url></urlset>") == ["https://a.test/?a=1&b=2"]
    assert urls(b"<urlset><url><loc>https://a.test/1</loc></url><url><loc>https://a.test/2</lo") == ["https://a.test/1"]


def test_no_more_than_the_protocol_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "MAX_ENTRIES", 3)
    lines = [f"https://a.test/{n}" for n in range(9)]
    assert urls("\n".join(lines).encode()) == lines[:3]
    assert urls(f"<urlset>{''.join(f'<url><loc>{line}</loc></url>' for line in lines)}</urlset>".encode()) == lines[:3]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2024", 1704067200.0),
        ("2024-05", 1714521600.0),
        (" 2024-05-06 ", 1714953600.0),
        ("2024-05-06T07:08Z", 1714979280.0),
        ("2024-05-06T09:08:09.5+02:00", 1714979289.5),
        ("2024-13", 0.0),
        ("0000", 0.0),
        ("yesterday", 0.0),
    ],
)
def test_dates(text: str, seconds: float) -> None:
    assert moment(text) == seconds


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/health/dengue-fever_2024.html", "health dengue fever"),
        ("/a/Fi%C3%A8vre-jaune", "a Fièvre jaune"),
        ("/v1.2.3-notes", "v notes"),
        ("/%FF%FE/", ""),
        ("/", ""),
    ],
)
def test_words_of_a_path(path: str, words: str) -> None:
    assert path_words(f"https://a.test{path}") == words


def test_entries_are_links_a_strategy_can_rank() -> None:
    page = sitemap_page(HERE, parse_sitemap(URLSET, HERE), "en")
    assert [(link.url, link.anchor, link.source, link.kind, link.position) for link in page.links][:2] == [
        ("https://a.test/dengue?id=1&part=2", "dengue", HERE, "entry", 0),
        ("https://a.test/malaria", "malaria", HERE, "entry", 1),
    ]
    assert set(page.terms) == {"dengu", "malaria", "rel"}


PARTS = """<urlset> <sitemapindex> </urlset> <url> </url> <sitemap> <loc> </loc> <lastmod> </lastmod> http://a.test/x
2024-01-01 & ]]> <![CDATA[ <priority> </priority> 1e999 nan"""
FRAGMENTS = st.sampled_from(PARTS.split())


@given(st.binary() | st.binary().map(gzip.compress) | st.lists(FRAGMENTS).map(lambda parts: "".join(parts).encode()))
def test_nothing_raises_and_every_url_is_canonical(body: bytes) -> None:
    for entry in parse_sitemap(body, HERE):
        assert canonical(entry.url) == entry.url
        assert 0 <= entry.priority <= 1
