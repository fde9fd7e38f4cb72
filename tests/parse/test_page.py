import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from scenthound.model import Image, Page, Response
from scenthound.parse.blocks import MAX_HEADING
from scenthound.parse.head import MAX_TITLE
from scenthound.parse.hostile_html import make_safe
from scenthound.parse.links import CONTEXT, MAX_ANCHOR
from scenthound.parse.nesting import MAX_DEPTH
from scenthound.parse.page import MAX_TEXT, _layout_of, is_html, parse
from scenthound.parse.tree import MAX_NODES, gather
from tests.watchdog import no_hang

URL = "http://example.org/dir/page.html"


def page(html: str | bytes, *headers: tuple[str, str], language: str = "en") -> Page:
    body = html.encode() if isinstance(html, str) else html
    return parse(Response(url=URL, status=200, headers=headers, body=body), language)


def hrefs(html: str | bytes) -> list[str]:
    return [link.url.removeprefix("http://example.org") for link in page(html).links]


def test_what_a_page_says_about_itself():
    got = page(
        """<html lang="de-AT"><head><title> Two
        words </title><meta name=Description content="about  it"><meta name=keywords content="a, b">
        <link rel=canonical href="/real"></head><body><p>Text</body></html>"""
    )
    assert (got.url, got.title, got.description, got.keywords) == (URL, "Two words", "about it", "a, b")
    assert (got.language, got.canonical, got.charset, got.text) == ("de", "http://example.org/real", "utf-8", "Text")
    assert [(link.url, link.kind) for link in got.links] == [("http://example.org/real", "canonical")]


def test_language_falls_back_to_header_then_topic():
    assert page("x", ("Content-Language", "fr, en")).language == "fr"
    assert page("<meta http-equiv=content-language content=it>x").language == "it"
    assert page("x", language="nl").language == "nl"


def test_terms_are_stems_of_title_and_text():
    assert page("<title>Crawlers</title><p>A crawler crawls. <script>var hidden</script>").terms == {
        "crawler": 2,
        "crawl": 1,
    }


def test_words_of_neighbouring_blocks_stay_apart_and_split_words_together():
    html = "<ul><li>one</li><li>two</ul>three<br>four<table><tr><td>five<td>six</table><b>se</b>v<FONT>en</FONT>"
    assert page(html).text == "one two three four five six seven"


def test_what_is_not_seen_is_not_text():
    html = (
        "a<script>b</script><style>c</style><noscript>d</noscript><template>e</template><!-- f --><iframe>g</iframe>h"
    )
    assert page(html).text == "ah"


def test_blocks_run_from_heading_to_heading():
    got = page("before<h1>One</h1>text<table><tr><td>cell<h3>Two</h3>more</table><h2></h2>end")
    assert [(block.level, block.heading, block.text) for block in got.blocks] == [
        (0, "", "before"),
        (1, "One", "One text cell"),
        (3, "Two", "Two more"),
        (2, "", "end"),
    ]
    assert got.headings == ("One", "Two")
    assert [block.level for block in page("").blocks] == [0]


def test_links_know_their_block():
    got = page("<a href=0>x</a><h1>A <a href=1>x</a></h1><a href=2>x</a><a href=3><h2>B</h2></a><a href=4>x</a>")
    assert [link.block for link in got.links] == [0, 1, 1, 2, 2]


def test_a_link_with_all_its_parts():
    html = """see <a href="x.html#y" title="the title" rel="NoFollow  me">the  <b>an</b>chor <img src=i alt="the alt">
              </a> here"""
    [link] = page(html).links
    assert (link.url, link.source) == ("http://example.org/dir/x.html", URL)
    assert (link.anchor, link.title, link.context) == ("the anchor", "the title the alt", "see the anchor here")
    assert (link.rel, link.kind, link.position, link.block) == ("nofollow me", "a", 0, 0)


def test_context_is_cut_between_words():
    words = " ".join(f"word{n}" for n in range(100))
    [link] = page(f"{words} <a href=x>anchor</a> {words}").links
    before, after = link.context.split("anchor")
    assert set(before.split()) | set(after.split()) <= set(words.split())
    assert CONTEXT - 10 < len(before) <= CONTEXT + 1
    assert CONTEXT - 10 < len(after) <= CONTEXT + 1


def test_a_link_around_the_whole_page_keeps_a_part():
    [link] = page("<a href=x>" + "word " * 1000 + "</a>").links
    assert len(link.anchor) <= MAX_ANCHOR
    assert len(link.context) <= MAX_ANCHOR + 2 * CONTEXT


def test_every_kind_of_link():
    html = """<head><meta http-equiv=Refresh content="3; URL='/next'"><link rel=alternate type=application/rss+xml
        href=/feed title=News></head><a href=/a>x</a><map><area href=/b alt=B></map><iframe src=/c></iframe>"""
    assert [(link.kind, link.url[18:], link.title) for link in page(html).links] == [
        ("refresh", "/next", ""),
        ("a", "/a", ""),
        ("area", "/b", "B"),
        ("frame", "/c", ""),
        ("feed", "/feed", "News"),
    ]


def test_framesets_give_their_frames_and_their_text_without_frames():
    html = """<HTML><HEAD><TITLE>T</TITLE></HEAD><FRAMESET COLS="1,2"><FRAME SRC="left.html" NAME=l>
        <FRAME SRC=right.html>
        <NOFRAMES><BODY>Old <A HREF=plain.html>browser</A></BODY></NOFRAMES></FRAMESET></HTML>"""
    got = page(html)
    assert [(link.kind, link.url.rpartition("/")[2], link.anchor) for link in got.links] == [
        ("frame", "left.html", ""),
        ("frame", "right.html", ""),
        ("a", "plain.html", "browser"),
    ]
    assert got.text == "Old browser"


def test_one_link_per_url_the_first_with_words():
    html = "<a href=/x><img src=i alt=Pic></a> <a href=/y>why</a> <a href=/x#z title=T>words</a> <a href=/x>more</a>"
    links = page(html).links
    assert [(link.url[18:], link.anchor, link.title) for link in links] == [("/x", "words", "Pic T"), ("/y", "why", "")]
    assert [link.position for link in links] == [0, 1]


def test_links_to_the_page_itself_and_unusable_ones_are_left_out():
    assert (
        hrefs("<a href=#x>a</a><a href=page.html>b</a><a href=''>c</a><a href=mailto:x>d</a><a href='http://['>e</a>")
        == []
    )


def test_base_is_honoured():
    assert hrefs("<base href=/other/><a href=x>a</a><a href=#y>b</a>") == ["/other/x", "/other/"]
    assert hrefs("<base href='mailto:x'><a href=x>a</a>") == ["/dir/x"]


def test_links_in_noscript_are_found():
    got = page("<body><noscript>enable <a href=/plain>plain version</a></noscript>text <a href=/b>b</a>")
    assert [(link.url[18:], link.anchor) for link in got.links] == [("/b", "b"), ("/plain", "plain version")]
    assert got.text == "text b"


def test_broken_pages_of_1997():
    assert hrefs("<!-- no end -> <a href=/x>x</a> <a href=/y>y</a>") == ["/x", "/y"]
    assert hrefs('<a href="/x>one</a> <a href="/y">two</a>')[0] == "/x"
    assert hrefs("<a href=/x>one<a href=/y>two<h2>three</h1><li><a href=/z>") == ["/x", "/y", "/z"]
    assert page("<h2><a name=top>Head</h2></a>text").headings == ("Head",)


def test_marks_lost_in_the_tree_cost_places_not_links():
    gathered = gather(b"<a href=/x>x</a><h1>H</h1><a href=/y>y</a>")
    gathered.text = gathered.text.replace("\0a", "", 1)
    layout = _layout_of(gathered)
    assert layout.text == "x H y"
    assert (len(layout.links), layout.headings, gathered.levels) == (2, [], [])


def test_images():
    got = page("<img src=a.gif alt='  An  a '><img src=a.gif><img src='data:x,y'><img alt=none>")
    assert got.images == (Image("http://example.org/dir/a.gif", "An a"),)


@pytest.mark.parametrize(
    ("html", "header", "noindex", "nofollow"),
    [
        ("", "", False, False),
        ("<meta name=robots content='NOINDEX, follow'>", "", True, False),
        ("<meta name=robots content=none>", "", True, True),
        ("<meta name=googlebot content=none>", "", False, False),
        ("<meta name=Scenthound content=nofollow>", "", False, True),
        ("", "noindex, nofollow", True, True),
        ("", "otherbot: noindex, nofollow", False, False),
        ("", "otherbot: noindex, scenthound: nofollow", False, True),
        ("", "unavailable_after: 25 Jun 2030 15:00:00 GMT, nofollow", False, True),
    ],
)
def test_robots_directives(html, header, noindex, nofollow):
    got = page(html, ("X-Robots-Tag", header))
    assert (got.noindex, got.nofollow) == (noindex, nofollow)


def test_marks_cannot_be_forged():
    got = page(b"\0a &#0;a &#x0;h \0z <h1>T\0e</h1><a href=/x>an\0chor</a>")
    assert [(link.url[18:], link.anchor) for link in got.links] == [("/x", "anchor")]
    assert [block.heading for block in got.blocks] == ["", "Te"]
    assert "\0" not in got.text


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("text/html; charset=x", b"", True),
        ("Application/XHTML+xml", b"", True),
        ("application/pdf", b"<html>", False),
        ("text/plain", b"<html>", False),
        (None, b"\n<!DOCTYPE HTML><p>", True),
        (None, b"<!-- x --><html>", True),
        (None, b"%PDF-1.4", False),
        (None, b"", False),
    ],
)
def test_is_html(content_type, body, expected):
    headers = (("Content-Type", content_type),) if content_type else ()
    assert is_html(Response(url=URL, status=200, headers=headers, body=body)) is expected


TAGS = st.sampled_from(
    b"""<a href=x>|</a>|<h1>|</h1>|<p>|<table>|<td>|<img src=y alt=z>|<b>|<svg>|<frameset>|<noscript>|</noscript>|
    <select>|<!--|-->|<title>|<base href=|\0a|&#0;|<template>|<iframe src=q>|<iframe>|<script>|</script>|</body>|<math>|
    <area href=r>|</title>""".split(b"|")
)


@settings(deadline=None)
@given(st.lists(st.one_of(TAGS, st.binary(max_size=8)), max_size=40).map(b"".join))
@example(b"!</h1>\x1b\t!")
@example(b"<math>\x01<noscript><h1>\x01")
@example(b"%PDF-")
def test_no_bytes_raise_and_the_parts_agree(body):
    got = page(body)
    assert all(0 <= link.block < len(got.blocks) for link in got.links)
    assert [link.position for link in got.links] == list(range(len(got.links)))
    assert len({link.url for link in got.links}) == len(got.links)
    assert all(link.anchor in link.context for link in got.links if link.context)
    assert " ".join(" ".join(block.text for block in got.blocks).split()) == got.text
    assert "\0" not in got.text


HOSTILE = {
    "deep": b"<div>" * 100_000 + b"<a href=x>end</a>",
    "deep lists": b"<ul><li>" * 50_000 + b"<a href=x>end</a>",
    "deep, by other names": b"<li><dd>" * 100_000 + b"<a href=x>end</a>",
    "deep, with ends of nothing": b"<div></span>" * 140_000 + b"<a href=x>end</a>",
    "deep, with ends in comments": b"<div><!--</div>-->" * 80_000 + b"<a href=x>end</a>",
    "deep drawings": b"<svg>" * 100_000 + b"<a href=x>end</a>",
    "links": b"".join(b'<a href="/%d">l</a>' % n for n in range(100_000)),
    "formatting": b"<p>" + b"".join(b"<font size=%d>" % n for n in range(3000)) + b"<p>x" * 3000 + b"<a href=x>end</a>",
    "formatting in disguise": b"<p>"
    + b"".join(b"<font size='<%d'>" % n for n in range(3000))
    + b"<p>x" * 3000
    + b"<a href=x>end</a>",
    "attributes of an end": b"</p " + b" ".join(b"a%d=1" % n for n in range(200_000)) + b"><a href=x>end</a>",
    "attributes of many roots": b"".join(b"<html a%d=1>" % n for n in range(100_000)) + b"<a href=x>end</a>",
    "attributes behind a stray quote": b"<p a=b' "
    + b" ".join(b"a%d=1" % n for n in range(100_000))
    + b"><a href=x>end</a>",
    "attributes": b"<p " + b" ".join(b"a%d=1" % n for n in range(100_000)) + b"><a href=x>end</a>",
    "hidden attributes": b"<p " + b" ".join(b"a%d='<>'" % n for n in range(100_000)) + b"><a href=x>end</a>",
    "entities": b"<a href=x>end</a>" + b"&amp;&#x41;&notin;" * 250_000,
    "one word": b"<a href=x>end</a>" + b"x" * 5_000_000,
    "nuls": b"\0" * 5_000_000 + b"<a href=x>end</a>",
    "brackets": b"<a href=x>end</a>" + b"<" * 5_000_000,
}


def test_what_is_kept_of_headings_and_images_is_bounded():
    got = page(b"<h1><x>" * 3000 + b"word " * 10_000)
    assert len(got.headings) == 3000
    assert max(map(len, got.headings)) <= MAX_HEADING
    (link,) = page(b"<a href=y>" + b"<img alt='%s'>" % (b"alt " * 200) * 100 + b"</a>").links
    assert 500 < len(link.title) <= MAX_TITLE


@pytest.mark.parametrize("name", HOSTILE)
def test_what_the_parser_is_given_of_a_hostile_page_is_an_ordinary_one(name):
    """Depth, attributes and nodes are what its work grows with the square of."""
    elements = LexborHTMLParser(make_safe(HOSTILE[name])).css("*")
    assert len(elements) <= 101_000
    assert max(len(element.attributes) for element in elements) <= 200
    depth = 0
    above = elements[-1]
    while (above := above.parent) is not None:
        depth += 1
    assert depth <= MAX_DEPTH + 4


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_cost_no_more_than_large_ones(name):
    with no_hang():
        got = page(HOSTILE[name])
    assert 1 <= len(got.links) <= MAX_NODES
    assert len(got.text) <= MAX_TEXT
