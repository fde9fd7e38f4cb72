"""Habits inside the page: bytes that are no text, markup made to cost, links that lead nowhere good."""

from __future__ import annotations

import random

from tests.hostile.server import Changes, Exchange, habit, honest, met

LINKS = 100_000
FOREIGN = "Собака взяла след и бежит по лесу. " * 8

WIDE: Changes = {"crawl": {"pages": 40}, "fetch": {"max_bytes": 5_000_000}}
"""Enough room that a page is read to its end, and a budget for what its links lead to."""

# Bytes and charsets


@habit
async def nul_bytes(exchange: Exchange) -> None:
    body = honest("nul-bytes").encode().replace(b"hound", b"ho\0und").replace(b"<p>", b"\0<p\0>\0")
    await exchange.answer(body)


@habit
async def invalid_utf8(exchange: Exchange) -> None:
    body = b'<title>bad \xff\xfe\xc3\x28 utf</title><p>\xed\xa0\x80 \xf8\x88 words <a href="/caf\xe9">\xe9</a>'
    await exchange.answer(body, "Content-Type: text/html; charset=utf-8")


@habit
async def wrong_charset(exchange: Exchange) -> None:
    body = f"<title>{FOREIGN[:16]}</title><p>{FOREIGN}".encode("cp1251")
    await exchange.answer(body, "Content-Type: text/html; charset=utf-8")


@habit
async def missing_charset(exchange: Exchange) -> None:
    await exchange.answer(f"<title>{FOREIGN[:16]}</title><p>{FOREIGN}".encode("cp1251"))


@habit
async def unknown_charset(exchange: Exchange) -> None:
    await exchange.answer(f"<title>{FOREIGN[:16]}</title>", "Content-Type: text/html; charset=x-klingon")


@habit
async def forbidden_charset(exchange: Exchange) -> None:
    """UTF-7 hides markup from filters: no browser reads it, and neither do we."""
    body = b"<title>seven</title>+ADw-a href+AD0-/hidden+AD4-go+ADw-/a+AD4-"
    await exchange.answer(body, "Content-Type: text/html; charset=utf-7")


@habit
async def binary_as_html(exchange: Exchange) -> None:
    await exchange.answer(b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(50_000))


@habit
async def image_of_html(exchange: Exchange) -> None:
    await exchange.answer(honest("image-of-html"), "Content-Type: image/png")


@habit
async def replacing_parts(exchange: Exchange) -> None:
    await exchange.answer(b"--x\r\n", "Content-Type: multipart/x-mixed-replace; boundary=x")


# Markup made to cost


@met(**WIDE)
@habit
async def many_links(exchange: Exchange) -> None:
    if exchange.path != "/bad":
        await exchange.answer(honest(exchange.path))
        return
    links = "".join(f'<a href="/l{number}">a {number}</a>\n' for number in range(LINKS))
    await exchange.answer(f"<title>many</title>{links}")


@met(**WIDE)
@habit
async def deep_nesting(exchange: Exchange) -> None:
    await exchange.answer("<title>deep</title>" + "<div>" * 100_000 + "<p>at the bottom" + "</div>" * 100_000)


@habit
async def open_formatting(exchange: Exchange) -> None:
    await exchange.answer("<title>fonts</title>" + "<font><b><i>" * 2_000 + "<p>x" * 20_000)


@met(**WIDE)
@habit
async def many_attributes(exchange: Exchange) -> None:
    await exchange.answer("<title>attributes</title><p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x")


@met(**WIDE)
@habit
async def unclosed_everything(exchange: Exchange) -> None:
    await exchange.answer("<title>open</title><p>text" + "<table><tr><td><select><option><a href='/x" * 5_000)


@met(**WIDE)
@habit
async def open_comment(exchange: Exchange) -> None:
    await exchange.answer("<title>comments</title><p>x" + "<!-- " * 100_000 + "<![CDATA[" * 20_000)


@met(**WIDE)
@habit
async def entity_flood(exchange: Exchange) -> None:
    await exchange.answer("<title>entities</title><p>" + "&NotEqualTilde;&#x10FFFF;&#0;&bogus;&" * 20_000)


@met(**WIDE)
@habit
async def huge_title(exchange: Exchange) -> None:
    await exchange.answer("<title>" + "long " * 200_000 + "</title><p>text")


@habit
async def html_title(exchange: Exchange) -> None:
    await exchange.answer("<title><b>bold</b><script>alert(1)</script>\x1b[2J\n</title><p>text")


@met(**WIDE)
@habit
async def huge_words(exchange: Exchange) -> None:
    await exchange.answer("<title>words</title><p>" + "w" * 500_000 + " " + "щ" * 200_000)


# Links


@met(**WIDE)
@habit
async def huge_anchor(exchange: Exchange) -> None:
    await exchange.answer(f'<title>anchor</title><a href="/target">{"anchor " * 100_000}</a>')


@met(**WIDE)
@habit
async def huge_url(exchange: Exchange) -> None:
    await exchange.answer(f'<title>url</title><a href="/{"u" * 500_000}">long</a><a href="/?{"a&" * 3_000}">too</a>')


@habit
async def script_links(exchange: Exchange) -> None:
    hrefs = [
        "javascript:alert(1)",
        " java\tscript:alert(2)",
        "data:text/html,<script>alert(3)</script>",
        "data:text/html;base64," + "QUJD" * 50_000,
        "vbscript:x",
        "mailto:a@b.test",
        "file:///etc/passwd",
        "blob:http://x/y",
        "about:blank",
        "http://",
        "http://[::bad",
        "http://user:secret@script-links.test/credentials",
        "//",
        "http:///",
        "\0",
        "http://script-links.test:99999/",
        "http://-.test/%00",
    ]
    await exchange.answer("<title>schemes</title>" + "".join(f'<a href="{href}">x</a>' for href in hrefs))


@habit
async def private_links(exchange: Exchange) -> None:
    hosts = [
        "10.0.0.1",
        "0x0a000001",
        "012.0.0.1",
        "167772161",
        "10.1",
        "192.168.1.1:8080",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "[fd00:ec2::254]",
        "169.254.169.254",
        "0.0.0.0",
        "wiki.inside.test",
    ]
    await exchange.answer("<title>inside</title>" + "".join(f'<a href="http://{host}/">x</a>' for host in hosts))


@habit
async def hostile_base(exchange: Exchange) -> None:
    await exchange.answer('<title>base</title><base href="javascript:alert(1)"><a href="next">x</a>')


@habit
async def error_page(exchange: Exchange) -> None:
    """Every address exists and says that it does not; the page shows what was asked for."""
    words = " ".join(f"apology{number}" for number in range(300))
    links = "".join(f'<a href="/gone-{exchange.count}-{number}">try this</a> ' for number in range(3))
    await exchange.answer(f"<title>Oops</title><h1>Not found</h1><p>{words}</p><i>{exchange.path}</i>{links}")


@habit
async def refresh_self(exchange: Exchange) -> None:
    await exchange.answer('<title>refresh</title><meta http-equiv="refresh" content="0"><p>again')


@habit
async def refresh_loop(exchange: Exchange) -> None:
    target = "/bad" if exchange.path == "/other" else "/other"
    await exchange.answer(f'<title>refresh</title><meta http-equiv="refresh" content="0; url={target}"><p>again')


@habit
async def refresh_chain(exchange: Exchange) -> None:
    target = f"/bad?{int(exchange.query or 0) + 1}"
    await exchange.answer(f'<title>refresh</title><meta http-equiv="refresh" content="0;{target}"><p>again')


@habit
async def canonical_chain(exchange: Exchange) -> None:
    target = f"/bad?{int(exchange.query or 0) + 1}"
    await exchange.answer(f'<title>canonical</title><link rel="canonical" href="{target}"><p>not quite')


@habit
async def frame_chain(exchange: Exchange) -> None:
    number = int(exchange.query or 0)
    frames = f'<frame src="/bad?{2 * number + 1}"><frame src="/bad?{2 * number + 2}">'
    await exchange.answer(f"<title>frames</title><frameset>{frames}</frameset>")


# More lies about charsets, and images


@habit
async def charset_utf16_lie(exchange: Exchange) -> None:
    """ASCII called UTF-16: read so, it is Chinese of a kind."""
    await exchange.answer(honest("charset-utf16-lie"), "Content-Type: text/html; charset=utf-16le")


@habit
async def charset_contradiction(exchange: Exchange) -> None:
    """Header, mark and page name three charsets."""
    body = b'\xef\xbb\xbf<meta charset="shift_jis"><title>caf\xc3\xa9</title><p>text'
    await exchange.answer(body, "Content-Type: text/html; charset=koi8-r")


@habit
async def image_bomb(exchange: Exchange) -> None:
    """A picture of 100,000 x 100,000 pixels in a few bytes, linked to and shown."""
    if exchange.path == "/bad":
        await exchange.answer('<title>bomb</title><img src="/picture"><a href="/picture">p</a><a href="/p.png">q</a>')
    else:
        header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100_000).to_bytes(4, "big") * 2 + b"\x08\x06\0\0\0"
        await exchange.answer(header + bytes(1_000), "Content-Type: image/png")


@habit
async def direction_marks(exchange: Exchange) -> None:
    """Marks that turn the direction of writing: what is shown is not what is there."""
    body = "<title>report \u202egnp.exe\u2066\u2069</title><p>\u202etxet desrever\u202c</p>"
    await exchange.answer(body, "Content-Type: text/html; charset=utf-8")


@habit
async def formula_title(exchange: Exchange) -> None:
    """A title that a spreadsheet would run."""
    await exchange.answer("<title>=cmd|' /C calc'!A0</title><p>=1+1")


@met(**WIDE)
@habit
async def text_without_spaces(exchange: Exchange) -> None:
    """Half a million signs of Chinese without a space, then marks that combine with nothing."""
    body = "<title>signs</title><p>" + "字符文本分析猎犬" * 60_000 + "\u0301" * 50_000
    await exchange.answer(body, "Content-Type: text/html; charset=utf-8")
