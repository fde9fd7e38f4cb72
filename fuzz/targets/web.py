"""What servers send: nothing of it may raise."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable

import can_ada

from fuzz.targets.target import level, must, target
from scenthound import urls
from scenthound.fetch import robots, robots_matching
from scenthound.fetch.robots_usage import UsageRules
from scenthound.fetch.unpack import BadCoding, TooMuch, UnknownCoding, Unpacker
from scenthound.model import Link, Response
from scenthound.parse import charset, feed, page, sitemap
from scenthound.parse.main_text import main_text
from scenthound.parse.usage_preferences import of_answer, of_value

BASE = "http://a.test/b/c/d.html?e"


@target(
    "urls",
    *("http://", "https://", "//", "user:pw@", "a.test", "xn--", "[::1]", ":80", ":99999", "/../", "/./", "%2e%2e"),
    *(
        "%7e",
        "%C3%A9",
        ";jsessionid=1",
        "?utm_source=x&",
        "&sid=0123456789abcdef0",
        "#top",
        "mailto:",
        "\\",
        "。",
        "．",
    ),
    *("0x7f.1", "127.1", "javascript:", "data:,", "a.b.co.uk", ".", "?lang=de", "/de/", ".pdf"),
    refuses=False,
)
def try_url(data: bytes) -> Hashable:
    text = data.decode("utf-8", "surrogateescape")
    whole = urls.canonical(text)
    joined = urls.Base(BASE).resolve(text)
    for found in (whole, joined):
        if isinstance(found, str):
            _check_canonical(found)
    if isinstance(whole, str) and _is_absolute(text):
        must(joined == whole, "an absolute URL depends on its base")
    if isinstance(joined, str) and _is_text(text):
        must(urls.canonical((can_ada.parse(BASE) + text).href) == joined, "the quick way says another URL")
        must(urls.Base(joined).resolve(joined) == joined, "relative to itself it is another")
    reasons = [found.reason for found in (whole, joined) if isinstance(found, urls.Malformed)]
    must(all(reasons), "refused without a reason")
    shape = re.sub(r"[a-zA-Z0-9]+", "a", joined)[:30] if isinstance(joined, str) else ""
    return (*reasons, shape)


_is_absolute = re.compile(r"[\0- ]*https?://", re.IGNORECASE).match  # `http:x` is a relative URL, among browsers


def _check_canonical(url: str) -> None:
    must(urls.canonical(url) == url, "not stable")
    must(len(url) <= urls.MAX_LENGTH and url.isascii(), "too long, or not ASCII")
    must(url.startswith(("http://", "https://")) and "#" not in url and " " not in url, "not canonical")
    must(url.startswith(urls.origin(url) + urls.path(url)), "not its parts")
    must(urls.host(url) != "" and urls.site(url) != "", "no host")
    must(urls.canonical(urls.other_scheme(urls.other_scheme(url))) == url, "another after going there and back")
    must(all(url.startswith(folder) for folder in urls.ascending(url)), "a folder that it does not lie in")
    must(-(2**63) <= urls.fingerprint(url) < 2**63, "a fingerprint that SQLite cannot hold")
    urls.file_type(url), urls.language(url)


def _check_links(links: Iterable[Link]) -> None:
    for link in links:
        must(urls.canonical(link.url) == link.url, "a link that is not canonical")
        must(all(_is_text(text) for text in (link.anchor, link.title, link.context)), "an anchor that is no text")


def _is_text(text: str) -> bool:
    """Whether it can be stored: no half characters, no NUL."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


TYPES = ("text/html", "text/html; charset=utf-8", "text/html; charset=windows-1252", "", "text/html; charset=utf-16")


def _split(data: bytes) -> tuple[int, bytes]:
    """A small number and the rest: so that mutations also change how something is sent."""
    return (data[0], data[1:]) if data else (0, b"")


@target(
    "html",
    *("<a href='x'>", "</a>", "<p>", "<h1>", "</h1>", "<h2>", "<base href='//b.test/'>", "<title>", "<meta charset="),
    *("<meta name=robots content=noindex>", "<!--", "-->", "<![CDATA[", "<svg>", "<math>", "<template>", "<table>"),
    *("<select>", "<textarea>", "<script>", "</script>", "<style>", "<noscript>", "<frameset><frame src=f>", "<img"),
    *(
        "<link rel=canonical href=/c>",
        "<meta http-equiv=refresh content='0;url=/r'>",
        "&amp;",
        "&#xD800;",
        "<html lang=",
    ),
    *("<iframe src=", "<area href=", " nofollow", "<br>", "<li>", "<ul>", "<td>", "<b>", "<i>", "<font>", "</p>"),
    refuses=False,
)
def try_html(data: bytes) -> Hashable:
    kind, body = _split(data)
    answer = Response(BASE, 200, (("Content-Type", TYPES[kind % len(TYPES)]),), body)
    found = page.parse(answer, "en" if kind & 64 else "")
    must(found == page.parse(answer, "en" if kind & 64 else ""), "another page the second time")
    texts = (found.title, found.description, found.keywords, found.text, *found.headings)
    must(all(map(_is_text, texts)), "text that cannot be stored")
    must(len(found.text) <= 4 * len(body) + 100, "more text than source")
    must(len(found.links) <= len(body), "more links than source")
    _check_links(found.links)
    must(set(of_answer(answer).said.values()) <= {True, False}, "a preference that is neither")
    said = main_text(answer)
    must(_is_text(said.markdown) and said.words <= said.all_words, "main text that is none")
    must(len(said.markdown) <= 4 * max(len(found.url), 10) * len(body) + 100, "more Markdown than source")
    must(all(0 <= link.block < max(len(found.blocks), 1) for link in found.links), "a link in no block")
    must(not found.canonical or urls.canonical(found.canonical) == found.canonical, "canonical is not canonical")
    parts = (len(found.links), len(found.blocks), len(found.text), len(found.images), len(found.headings))
    return (*map(level, parts), found.charset, found.noindex, found.nofollow, bool(found.canonical), bool(found.title))


@target(
    "robots",
    *("User-agent: *\n", "User-agent: scenthound\n", "Disallow: /", "Allow: /", "*", "$", "Crawl-delay: 1\n"),
    *("Sitemap: http://a.test/s.xml\n", "#", ":", "%2F", "%24", "/index.html", "http://a.test/", "é", "%c3%a9", "?"),
    refuses=False,
)
def try_robots(data: bytes) -> Hashable:
    """The first line is the path that is asked for, the rest the file."""
    asked, _, body = data.partition(b"\n")
    url = urls.Base("http://a.test/").resolve(asked.decode("utf-8", "replace"))
    if not isinstance(url, str):
        url = "http://a.test/a/b?c=d"
    rules = robots.parse(Response("http://a.test/robots.txt", 200, (), body), "scenthound", 0.0)
    must(rules.delay is None or 0 <= rules.delay <= 60.0, "a delay out of bounds")
    allowed = rules.allows(url)
    said = UsageRules(body, "scenthound").of_url(url)
    must(of_value(str(said)).said == said.said, "preferences that are not themselves when written down")
    if rules.rules is not None and rules.weight < 40 and urls.path(url) != "/robots.txt":
        path = url[len(urls.origin(url)) :] or "/"
        records, _ = robots.records_for(robots.robots_text(body), "scenthound")
        given = [(robots.RULES[field], value) for field, value in records if field in robots.RULES and value]
        pieces = sum(value.count("*") + 2 for _, value in given)
        if 2 * pieces < robots_matching.MOST_PIECES:
            must(allowed == _plainly_allowed(given, path), "another word than rule by rule")
            must(allowed == robots_matching.PathRules(reversed(given)).allow(path), "the order of rules matters")
    return allowed, level(rules.weight), rules.delay is None, level(len(rules.sitemaps))


def _plainly_allowed(rules: list[tuple[bool, str]], path: str) -> bool:
    """Every rule as a regular expression, the longest that matches decides."""
    path = robots_matching.spelled_path(path)
    best = (0, True)
    for allows, pattern in robots_matching.spelled_rules(rules):
        ends = pattern.endswith("$")
        expression = ".*?".join(map(re.escape, re.split(r"\*+", pattern.removesuffix("$"))))
        if pattern.count("*") < 6 and re.match(expression + (r"\Z" if ends else ""), path, re.DOTALL):
            best = max(best, (len(pattern), allows))
        elif pattern.count("*") >= 6 and robots_matching.StarredRule(pattern, allows).matches(path):
            best = max(best, (len(pattern), allows))  # the expression would go back and forth
    return best[1]


LABELS = ("", "utf-8", "utf-16", "iso-8859-1", "shift_jis", "gb2312", "utf-7", "rot13", "euc-jp", "iso-2022-jp", "x")


@target(
    "charset",
    *("<meta charset=utf-8>", "<meta charset='shift_jis'>", '<?xml version="1.0" encoding="gbk"?>', b"\xef\xbb\xbf"),
    *(
        b"\xff\xfe",
        b"\xfe\xff",
        b"\x1b$B",
        "日本語".encode("shift_jis"),
        "Grüße".encode("latin-1"),
        "привет".encode("koi8-r"),
    ),
    *("日本語".encode("euc-jp"), "中文".encode("gb18030"), "한국어".encode("euc-kr"), b"\x81\x30\x81\x30"),
    refuses=False,
)
def try_charset(data: bytes) -> Hashable:
    kind, body = _split(data)
    label = LABELS[kind % len(LABELS)]
    text, name = charset.to_utf8(body, f"text/html; charset={label}" if label else "text/html")
    text.decode("utf-8")
    must(b"\0" not in text, "a NUL")
    must(len(text) <= 4 * len(body) + 16, "more than could be in it")
    must(charset.codec_for(name) is not None, "a name nobody knows")
    if not text.startswith((b"\xef\xbb\xbf", b"\xff", b"\xfe")):
        must(charset.to_utf8(text, "text/html; charset=utf-8")[0] == text, "not stable")
    return name, label, text.isascii()


CODINGS = ("gzip", "deflate", "br", "zstd", "gzip, deflate", "x-gzip", "identity", "gzip, gzip", "unheard-of")
LIMIT = 20_000


@target(
    "codings", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", b"\x78\x9c", b"\x28\xb5\x2f\xfd", b"\0" * 8, refuses=False
)
def try_codings(data: bytes) -> Hashable:
    kind, body = _split(data)
    once = _unpacked(CODINGS[kind % len(CODINGS)], [body])
    step = 1 + kind // len(CODINGS)
    pieces = [body[start : start + step] for start in range(0, min(len(body), 3000), step)]
    slowly = _unpacked(CODINGS[kind % len(CODINGS)], pieces)
    if len(body) <= 3000 and not once[0] and not slowly[0]:
        must(once == slowly, "another body in other pieces")
    return kind % len(CODINGS), once[0], slowly[0], level(len(once[1]))


def _unpacked(coding: str, pieces: list[bytes]) -> tuple[str, bytes, bool]:
    try:
        unpacker = Unpacker(coding, LIMIT)
    except UnknownCoding:
        return "unknown", b"", True
    problem = ""
    try:
        for piece in pieces:
            unpacker.feed(piece)
    except (BadCoding, TooMuch) as error:
        problem = type(error).__name__
    must(len(unpacker.body()) <= LIMIT, "more than was allowed")
    return problem, unpacker.body(), not problem and unpacker.complete()


@target(
    "lists",
    *(
        "<urlset>",
        "<url><loc>",
        "</loc></url>",
        "<sitemap>",
        "<lastmod>2026-01-01</lastmod>",
        "<priority>0.5</priority>",
    ),
    *("<rss><channel><item><link>", "</link></item>", "<feed><entry><link href='", "xml:base='", "<![CDATA[", "]]>"),
    *(
        '{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"',
        "&amp;",
        "<!DOCTYPE x [<!ENTITY a 'b'>]>",
        "&a;",
    ),
    *(
        "http://a.test/x\n",
        b"\x1f\x8b\x08\x00",
        "<content:encoded>",
        "<guid isPermaLink='true'>",
        "<media:content url='",
    ),
    refuses=False,
)
def try_lists(data: bytes) -> Hashable:
    answer = Response(BASE, 200, (("Content-Type", "application/xml"),), data)
    entries = sitemap.parse_sitemap(data, BASE)
    must(all(urls.canonical(entry.url) == entry.url for entry in entries), "an entry that is not canonical")
    as_page, as_feed = sitemap.sitemap_page(BASE, entries), feed.feed_page(answer)
    for found in (as_page, as_feed):
        _check_links(found.links)
        must(_is_text(found.text) and _is_text(found.title), "text that cannot be stored")
    must(len(as_feed.links) <= len(data), "more links than source")
    return level(len(entries)), level(len(as_feed.links)), bool(as_feed.title), level(len(as_feed.text))
