"""Bad sitemaps and feeds, in crawls that ask for them, and robots.txt files that change their mind."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

from tests.hostile.names import INSIDE
from tests.hostile.server import Changes, Exchange, habit, honest, met
from tests.hostile.wire import bomb

RELEVANT: dict[str, Any] = {"threshold": 0.0, "pages": 60}  # lists are asked for where a page is relevant: any is
SITEMAPS: Changes = {"crawl": RELEVANT | {"sitemaps": True}}
FEEDS: Changes = {"crawl": RELEVANT | {"feeds": True}}
XML = "Content-Type: application/xml"

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "laugh">{LAUGHS}]>'


def urlset(*targets: str) -> str:
    entries = "".join(f"<url><loc>{target}</loc></url>" for target in targets)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def index(*targets: str) -> str:
    entries = "".join(f"<sitemap><loc>{target}</loc></sitemap>" for target in targets)
    return f"<sitemapindex>{entries}</sitemapindex>"


@cache
def million_entries() -> bytes:
    """Packed, piece by piece: nobody has all of it in memory."""
    packing = zlib.compressobj(1, wbits=31)
    entries = urlset(*(f"/p{number}" for number in range(20_000))).removesuffix("</urlset>").encode()
    return b"".join([packing.compress(entries), *(packing.compress(entries[60:]) for _ in range(49)), packing.flush()])


async def page(exchange: Exchange, feed: str = "") -> None:
    link = f'<link rel="alternate" type="application/rss+xml" href="{feed}">' if feed else ""
    await exchange.answer(honest(exchange.host + exchange.path).replace("</head>", f"{link}</head>"))


@met(**SITEMAPS)
@habit
async def sitemap_bomb(exchange: Exchange) -> None:
    if exchange.path == "/sitemap.xml":
        await exchange.answer(bomb("gzip"), "Content-Type: application/gzip")
    else:
        await page(exchange)


@met(**SITEMAPS)
@habit
async def sitemap_bomb_of_entries(exchange: Exchange) -> None:
    """A million entries in what looks like a small file."""
    if exchange.path == "/sitemap.xml":
        await exchange.answer(million_entries(), "Content-Type: application/gzip")
    else:
        await page(exchange)


@met(**SITEMAPS)
@habit
async def sitemap_index_loop(exchange: Exchange) -> None:
    """Every index names itself and two more."""
    if "sitemap" in exchange.path:
        number = int(exchange.query or 1)
        host = f"http://{exchange.host}"
        more = [f"{host}/sitemap.xml?{2 * number}", f"{host}/sitemap.xml?{2 * number + 1}", f"{host}{exchange.path}"]
        await exchange.answer(index(*more), XML)
    else:
        await page(exchange)


@met(**SITEMAPS)
@habit
async def sitemap_entities(exchange: Exchange) -> None:
    """A kilobyte that wants to become three gigabytes."""
    if exchange.path == "/sitemap.xml":
        await exchange.answer(BILLION + urlset("http://sitemap-entities.test/&l9;"), XML)
    else:
        await page(exchange)


@met(**SITEMAPS)
@habit
async def sitemap_external(exchange: Exchange) -> None:
    """Entities that stand for a file of ours, and for an address inside."""
    if exchange.path == "/sitemap.xml":
        inside = f"http://{INSIDE}:{exchange.inside_port}/"
        declared = (
            f'<!DOCTYPE x SYSTEM "{inside}dtd" [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY i SYSTEM "{inside}">]>'
        )
        await exchange.answer(declared + urlset("http://sitemap-external.test/&f;&i;"), XML)
    else:
        await page(exchange)


@met(**SITEMAPS)
@habit
async def sitemap_inside(exchange: Exchange) -> None:
    """Entries, and further sitemaps, at an address inside."""
    inside = f"http://0x7f000002:{exchange.inside_port}/"
    if exchange.path == "/robots.txt":
        await exchange.answer(f"Sitemap: {inside}sitemap.xml\nSitemap: http://{exchange.host}/sitemap.xml\n")
    elif exchange.path == "/sitemap.xml":
        await exchange.answer(urlset(f"{inside}a", f"{inside}b"), XML)
    else:
        await page(exchange)


@met(**SITEMAPS)
@habit
async def sitemap_nesting(exchange: Exchange) -> None:
    if exchange.path == "/sitemap.xml":
        await exchange.answer("<urlset>" + "<url>" * 50_000 + "<loc>/x</loc>", XML)
    else:
        await page(exchange)


@met(**SITEMAPS)
@habit
async def robots_sitemap_flood(exchange: Exchange) -> None:
    """A robots.txt that names ten thousand sitemaps, each of which answers with a page."""
    if exchange.path == "/robots.txt":
        host = f"http://{exchange.host}"
        await exchange.answer("".join(f"Sitemap: {host}/sitemap-{number}.xml\n" for number in range(10_000)))
    else:
        await page(exchange)


@met(**FEEDS)
@habit
async def feed_entities(exchange: Exchange) -> None:
    if exchange.path == "/feed":
        await exchange.answer(f"{BILLION}<rss><channel><item><title>&l9;</title></item></channel></rss>", XML)
    else:
        await page(exchange, "/feed")


@met(**FEEDS)
@habit
async def feed_of_itself(exchange: Exchange) -> None:
    """Every page names a feed of its own, whose only entry is a page that does the same."""
    number = int(exchange.query or 0)
    if exchange.path.startswith("/feed"):
        link = f"<item><link>http://{exchange.host}/page?{number + 1}</link></item>"
        await exchange.answer(f"<rss><channel>{link}</channel></rss>", XML)
    else:
        await page(exchange, f"/feed?{number}")


@met(**FEEDS)
@habit
async def feed_flood(exchange: Exchange) -> None:
    """A page that names five hundred feeds."""
    if exchange.path.startswith("/feed"):
        await exchange.answer("<rss><channel></channel></rss>", XML)
    else:
        feeds = (f'<link rel="alternate" type="application/rss+xml" href="/feed{number}">' for number in range(500))
        await exchange.answer(honest("feed-flood").replace("</head>", f"{''.join(feeds)}</head>"))


@met(**FEEDS)
@habit
async def feed_markup(exchange: Exchange) -> None:
    """Summaries that are pages of their own, unclosed."""
    item = f"<item><link>/a</link><description><![CDATA[{'<div><b>' * 20_000}]]></description></item>"
    if exchange.path == "/feed":
        await exchange.answer(f"<rss><channel>{item}</channel></rss>", XML)
    else:
        await page(exchange, "/feed")


# robots.txt that changes


@met("/bad", "/1", "/2", "/3")
@habit
async def robots_changing(exchange: Exchange) -> None:
    """Allows everything the first time, and forbids it from then on, though it may be kept."""
    if exchange.path == "/robots.txt":
        await exchange.answer("User-agent: *\n" + ("Disallow:\n" if exchange.count == 1 else "Disallow: /\n"))
    else:
        await page(exchange)


@met("/bad", "/1", "/2", "/3")
@habit
async def robots_not_to_be_kept(exchange: Exchange) -> None:
    """Asks that its robots.txt is read anew before every page."""
    if exchange.path == "/robots.txt":
        await exchange.answer("User-agent: *\nDisallow: /private\n", "Cache-Control: no-store, max-age=0")
    else:
        await page(exchange)


@met("/bad", "/1", "/2", "/3")
@habit
async def robots_flapping(exchange: Exchange) -> None:
    """503 the first time, then rules: what waited for them goes on."""
    if exchange.path != "/robots.txt":
        await page(exchange)
    elif exchange.count == 1:
        await exchange.answer(b"", status="503 Service Unavailable")
    else:
        await exchange.answer("User-agent: *\nDisallow: /2\n")


@habit
async def robots_patterns(exchange: Exchange) -> None:
    """Rules on which a matcher could go back and forth for ever, and a page with links that they concern."""
    if exchange.path == "/robots.txt":
        rules = "".join(f"Disallow: /{number}*a*a*a*a*a*$\n" for number in range(10_000))
        await exchange.answer("User-agent: *\n" + rules)
    elif exchange.path == "/bad":
        links = "".join(f'<a href="/{number}{"a" * 100}b">x</a>' for number in range(10))
        await exchange.answer(honest("robots-patterns").replace("</body>", f"{links}</body>"))
    else:
        await page(exchange)
