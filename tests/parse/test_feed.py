import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Response
from scenthound.parse import feed
from scenthound.parse.feed import feed_page, is_json_feed, parse_feed
from scenthound.urls import canonical

HERE = "https://a.test/feed"

RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
  <title>Health &amp; travel</title><link>https://a.test/</link><description>News</description><language>en-gb</language>
  <atom:link href="https://a.test/feed" rel="self" type="application/rss+xml"/>
  <image><title>Logo</title><link>https://a.test/logo</link></image>
  <item>
    <title>Dengue &lt;b&gt;fever&lt;/b&gt; returns</title><link>https://a.test/dengue?utm_source=rss</link>
    <description><![CDATA[<p>Mosquitoes <a href="x">spread</a> it.</p><script>no()</script>]]></description>
    <content:encoded><![CDATA[<p>the whole text</p>]]></content:encoded>
    <guid isPermaLink="false">tag:1</guid><source url="https://b.test/feed"><title>Other</title></source>
  </item>
  <item><title>By its guid</title><guid>https://a.test/guid</guid></item>
  <item><title>No page</title><guid isPermaLink="false">https://a.test/not-this</guid></item>
  <item><title>Again</title><link>https://a.test/dengue</link></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="https://b.test/blog/">
  <title>Reise</title><subtitle>Alles</subtitle><link href="https://a.test/self" rel="self"/>
  <entry>
    <title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Gelb<em>fieber</em></div></title>
    <author><name>A</name><uri>https://a.test/author</uri></author>
    <link rel="replies" href="comments"/><link rel="alternate" type="application/pdf" href="p.pdf"/>
    <link rel="alternate" type="text/html" href="gelbfieber"/><link rel="enclosure" href="x.mp3"/>
    <id>https://a.test/id-1</id><summary>Stechmücken</summary>
  </entry>
  <entry xml:base="/other/"><title>Zwei</title><link href="zwei"/></entry>
  <entry><title>Nur eine Kennung</title><id>https://a.test/id-3</id></entry>
</feed>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
  <channel rdf:about="https://a.test/"><title>Old</title><link>https://a.test/</link></channel>
  <item rdf:about="https://a.test/about-1"><title>One</title><link>https://a.test/one</link></item>
  <item rdf:about="https://a.test/two"><title>Two</title></item>
</rdf:RDF>"""

JSON = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Notes",
        "language": "fr",
        "items": [
            {"id": "1", "url": "/un", "title": "Un", "content_html": "<p>Le <b>texte</b></p>"},
            {"id": "https://a.test/deux", "content_text": "sans titre"},
            {"id": 3, "url": ["odd"]},
            "odd",
        ],
    }
)


def seen(source: str) -> list[tuple[str, str, str]]:
    return [(link.url, link.anchor, link.context) for link in parse_feed(source.encode(), HERE)]


def test_rss() -> None:
    assert seen(RSS) == [
        ("https://a.test/dengue", "Dengue fever returns", "Dengue fever returns Mosquitoes spread it."),
        ("https://a.test/guid", "By its guid", "By its guid"),
    ]


def test_atom() -> None:
    assert seen(ATOM) == [
        ("https://b.test/blog/gelbfieber", "Gelbfieber", "Gelbfieber Stechmücken"),
        ("https://b.test/other/zwei", "Zwei", "Zwei"),
        ("https://a.test/id-3", "Nur eine Kennung", "Nur eine Kennung"),
    ]


def test_atom_with_a_prefix() -> None:
    source = '<a:feed xmlns:a="x"><a:entry><a:title>T</a:title><title>no</title><a:link href="/t"/></a:entry></a:feed>'
    assert seen(source) == [("https://a.test/t", "T", "T")]


def test_rss_1_0() -> None:
    assert seen(RDF) == [("https://a.test/one", "One", "One"), ("https://a.test/two", "Two", "Two")]


def test_json_feed() -> None:
    assert is_json_feed(JSON.encode())
    assert seen(JSON) == [("https://a.test/un", "Un", "Un Le texte"), ("https://a.test/deux", "", "sans titre")]


def test_links_say_where_they_are_from() -> None:
    first, second = parse_feed(RSS.encode(), HERE)
    assert (first.source, first.kind, first.position, second.position) == (HERE, "entry", 0, 1)


def test_a_feed_as_a_page() -> None:
    page = feed_page(Response(HERE, 200, body=RSS.encode()), "de")
    assert (page.title, page.description, page.language) == ("Health & travel", "News", "en")
    assert page.terms["dengu"] == 1
    assert page.terms["mosquito"] == 1
    assert "script" not in page.text
    assert "whole" not in page.text
    assert len(page.links) == 2
    assert feed_page(Response(HERE, 200, body=ATOM.encode()), "en").language == "de"
    assert feed_page(Response(HERE, 200, body=RDF.encode()), "en").language == "en"


@pytest.mark.parametrize("body", ["", "<!doctype html><p>Not found", "{}", "[1]", '{"items": 3}', "{" * 100_000])
def test_what_is_no_feed_has_no_entries(body: str) -> None:
    assert seen(body) == []


def test_a_broken_feed_gives_what_comes_before() -> None:
    assert seen(RSS.partition("<item><title>By")[0]) == seen(RSS)[:1]
    assert [url for url, *_ in seen("<rss><item><link>/?a=1&b=2</link></item></rss>")] == ["https://a.test/?a=1&b=2"]


def test_there_is_an_end_to_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "MAX_ENTRIES", 5)
    items = "".join(f"<item><link>/{n}</link></item>" for n in range(20))
    assert len(seen(f"<rss>{items}</rss>")) == 5
    assert len(seen(json.dumps({"items": [{"url": f"/{n}"} for n in range(20)]}))) == 5


PARTS = """<rss> <feed> <rdf:RDF> <item> </item> <entry> </entry> <title> </title> <link> </link> <link/>
http://a.test/ &lt;p & <image> </image> <![CDATA[<p> ]]> </rss>"""
FRAGMENTS = st.sampled_from(PARTS.split())


@given(st.binary() | st.lists(FRAGMENTS).map(lambda parts: "".join(parts).encode()) | st.text().map(str.encode))
def test_nothing_raises_and_every_link_is_canonical(body: bytes) -> None:
    page = feed_page(Response(HERE, 200, body=body), "en")
    assert list(page.links) == parse_feed(body, HERE)
    for link in page.links:
        assert canonical(link.url) == link.url


VALUES = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@given(
    st.dictionaries(
        st.sampled_from(["items", "title", "language"]),
        VALUES | st.lists(st.dictionaries(st.sampled_from(["url", "id", "title", "summary"]), VALUES), max_size=5),
    )
)
def test_any_json_is_a_feed_or_none(data: dict[str, object]) -> None:
    parse_feed(json.dumps(data).encode(), HERE)
