"""Habits in the header of an answer, and in what comes before it."""

from __future__ import annotations

from itertools import count

from tests.hostile.server import Exchange, habit, honest, met


@habit
async def endless_headers(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\n")
    for number in count():
        await exchange.send(b"X-%d: y\r\n" % number * 100)


@habit
async def header_flood(exchange: Exchange) -> None:
    await exchange.answer(honest("header-flood"), *(f"X-{number}: flood" for number in range(10_000)))


@habit
async def header_huge(exchange: Exchange) -> None:
    await exchange.answer(honest("header-huge"), "X-Huge: " + "h" * 2_000_000)


@habit
async def header_bytes(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Odd: \xff\xfe\x80caf\xe9\r\n")
    await exchange.send(b"Content-Length: 28\r\n\r\n<title>odd header</title>...")


@habit
async def header_escape(exchange: Exchange) -> None:
    """A media type that would clear the screen of whoever reads why the page was not taken."""
    await exchange.answer(honest("header-escape"), "Content-Type: image/\x1b[2J\x07png")


@habit
async def headers_twice(exchange: Exchange) -> None:
    await exchange.answer(
        honest("headers-twice"), "Content-Type: text/html", "Content-Type: application/pdf", "Server: a", "Server: b"
    )


@habit
async def cookie_flood(exchange: Exchange) -> None:
    await exchange.answer(honest("cookie-flood"), *(f"Set-Cookie: c{n}={'v' * 200}; Path=/" for n in range(90)))


@habit
async def header_nul(exchange: Exchange) -> None:
    await exchange.answer(honest("header-nul"), "X-Nul: a\0b")


@habit
async def header_no_colon(exchange: Exchange) -> None:
    await exchange.answer(honest("header-no-colon"), "this is no field")


@habit
async def header_space_before_colon(exchange: Exchange) -> None:
    """Two programs may read two lengths here: how answers are smuggled past caches."""
    body = honest("header-space").encode()
    await exchange.head("Content-Length : 3", f"Content-Length: {len(body)}")
    await exchange.send(body)


@habit
async def header_folded(exchange: Exchange) -> None:
    """A field over several lines, as was allowed once; the second one looks like a field."""
    await exchange.answer(honest("header-folded"), "X-Long: one\r\n Content-Length: 2")


@habit
async def header_empty_name(exchange: Exchange) -> None:
    await exchange.answer(honest("header-empty-name"), ": nobody")


@habit
async def bare_line_feeds(exchange: Exchange) -> None:
    """Lines that end as in a text file."""
    body = honest("bare-line-feeds").encode()
    await exchange.send(b"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: %d\n\n" % len(body) + body)


@habit
async def early_hints(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
    await exchange.answer(honest("early-hints"))


@habit
async def interim_flood(exchange: Exchange) -> None:
    """A thousand answers that are none, then one that is."""
    await exchange.send(b"HTTP/1.1 102 Processing\r\n\r\n" * 1_000)
    await exchange.answer(honest("interim-flood"))


@habit
async def type_missing(exchange: Exchange) -> None:
    body = honest("type-missing").encode()
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


@habit
async def type_missing_binary(exchange: Exchange) -> None:
    body = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


@habit
async def type_nonsense(exchange: Exchange) -> None:
    await exchange.answer(honest("type-nonsense"), "Content-Type: ;;;=text/html,,")


@habit
async def type_parameters(exchange: Exchange) -> None:
    """A media type with thousands of parameters, and a charset as long as a page."""
    more = "; ".join(f"p{number}={number}" for number in range(2_000))
    await exchange.answer(honest("type-parameters"), f"Content-Type: text/html; {more}; charset={'x' * 5_000}")


@habit
async def type_of_a_program(exchange: Exchange) -> None:
    await exchange.answer(b"MZ" + bytes(3_000), "Content-Type: application/x-msdownload")


@habit
async def disposition_attack(exchange: Exchange) -> None:
    """Names a file that nobody wants to have written."""
    await exchange.answer(
        honest("disposition-attack"), 'Content-Disposition: attachment; filename="../../../../etc/cron.d/x"'
    )


@met("/bad", "/more", "/most", fetch={"cookies": True})
@habit
async def cookie_bomb(exchange: Exchange) -> None:
    """A hundred cookies of 4 KB with every answer, to a crawl that sends cookies back."""
    fields = (f"Set-Cookie: c{exchange.count}-{number}={'v' * 4_000}; Path=/" for number in range(100))
    await exchange.answer(honest(f"cookie-bomb{exchange.path}"), *fields)


@met("/bad", "/more", fetch={"cookies": True})
@habit
async def cookie_for_all(exchange: Exchange) -> None:
    """A cookie for every host there is, to a crawl that sends cookies back."""
    fields = ("Set-Cookie: all=1; Domain=.test; Path=/", "Set-Cookie: own=1; Path=/", "Set-Cookie: a=\x01; Domain=\x02")
    await exchange.answer(honest(f"cookie-for-all{exchange.path}"), *fields)


@met("/bad", "/more")
@habit
async def cloaking(exchange: Exchange) -> None:
    """Shows crawlers another page than people, by the name they give."""
    shown = "for crawlers" if "scenthound" in exchange.headers.get("user-agent", "").lower() else "for people"
    await exchange.answer(honest(f"cloaking{exchange.path}").replace("good page", shown))
