"""Habits that break HTTP, or stretch it: time, lengths, codings, redirects, statuses."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from functools import lru_cache
from itertools import count

from scenthound.fetch import unpack
from tests.hostile.server import Changes, Exchange, habit, honest, met

UNPACKED = 50_000_000
"""Bytes that a bomb would unpack to."""

PIECE = b"x" * 65_536

IMPATIENT: Changes = {"fetch": {"read_timeout": 2.5, "total_timeout": 4.0, "retries": 0}}
"""For servers that take their time. The others must not need it: on a busy machine an honest answer may be late."""

# Time


@met(**IMPATIENT)
@habit
async def slow_drip(exchange: Exchange) -> None:
    await exchange.head("Content-Length: 100000")
    await exchange.drip(b"<html>" * 1000)


@met(**IMPATIENT)
@habit
async def slow_headers(exchange: Exchange) -> None:
    await exchange.drip(b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 1000)


@met(**IMPATIENT)
@habit
async def silent(exchange: Exchange) -> None:
    await asyncio.sleep(60)


@met(**IMPATIENT)
@habit
async def silent_body(exchange: Exchange) -> None:
    await exchange.head("Content-Length: 1000")
    await exchange.send(b"<html>and then")
    await asyncio.sleep(60)


@met(**IMPATIENT)
@habit
async def endless_interim(exchange: Exchange) -> None:
    """One `100 Continue` after the other; the answer never comes."""
    for _ in count():
        await exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.002)


# Lengths


@habit
async def endless_body(exchange: Exchange) -> None:
    await exchange.head("Connection: close")
    while True:
        await exchange.send(PIECE)


@habit
async def endless_chunks(exchange: Exchange) -> None:
    await exchange.head("Transfer-Encoding: chunked")
    while True:
        await exchange.send(b"%x\r\n%b\r\n" % (len(PIECE), PIECE))


@habit
async def length_too_long(exchange: Exchange) -> None:
    await exchange.head("Content-Length: 5000")
    await exchange.send(honest("length").encode())
    exchange.close()


@habit
async def length_too_short(exchange: Exchange) -> None:
    """What is left over looks like the answer to a request that was not made yet."""
    forged = b"<title>forged</title>"
    await exchange.head("Content-Length: 27")
    await exchange.send(
        b"<title>short</title><p>body"
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(forged), forged)
    )


@habit
async def length_negative(exchange: Exchange) -> None:
    await exchange.head("Content-Length: -1")
    await exchange.send(b"<html>")


@habit
async def length_huge(exchange: Exchange) -> None:
    await exchange.head("Content-Length: 999999999999999999")
    await exchange.send(PIECE)


@habit
async def length_absurd(exchange: Exchange) -> None:
    await exchange.head("Content-Length: " + "9" * 5000)
    await exchange.send(PIECE)


@habit
async def length_words(exchange: Exchange) -> None:
    await exchange.head("Content-Length: about a page")
    await exchange.send(b"<html>")


@habit
async def length_twice(exchange: Exchange) -> None:
    await exchange.head("Content-Length: 5", "Content-Length: 50")
    await exchange.send(b"a" * 50)


@habit
async def length_and_chunks(exchange: Exchange) -> None:
    await exchange.head("Content-Length: 5", "Transfer-Encoding: chunked")
    await exchange.send(b"4\r\nbody\r\n0\r\n\r\n")


@habit
async def early_close(exchange: Exchange) -> None:
    exchange.close()


@habit
async def close_in_headers(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/h")
    exchange.close()


@habit
async def reset_mid_body(exchange: Exchange) -> None:
    await exchange.head("Content-Length: 100000")
    await exchange.send(b"<html>" * 1000)
    await asyncio.sleep(0.02)
    exchange.reset()


@habit
async def keepalive_lie(exchange: Exchange) -> None:
    """A whole answer that promises to keep the connection, which then ends."""
    await exchange.answer(honest("keepalive-lie"), "Connection: keep-alive")
    exchange.reset()


# Codings


@lru_cache
def bomb(coding: str) -> bytes:
    """Zeros, packed. A coding whose package is not installed goes by its name only: nobody will unpack it."""
    if coding == "br" and coding in unpack.CODINGS:
        brotlis = unpack.brotli.Compressor(quality=1)
        pack, finish = brotlis.process, brotlis.finish
    elif coding == "zstd" and coding in unpack.CODINGS:
        frames = unpack.zstd.ZstdCompressor(level=1)
        pack, finish = frames.compress, frames.flush
    else:
        stream = zlib.compressobj(1, wbits=15 if coding == "deflate" else 31)
        pack, finish = stream.compress, stream.flush
    zeros = bytes(1_000_000)
    return b"".join([*(pack(zeros) for _ in range(UNPACKED // len(zeros))), finish()])


async def explode(exchange: Exchange, coding: str) -> None:
    await exchange.answer(bomb(coding), f"Content-Encoding: {coding}")


@habit
async def gzip_bomb(exchange: Exchange) -> None:
    await explode(exchange, "gzip")


@habit
async def deflate_bomb(exchange: Exchange) -> None:
    await explode(exchange, "deflate")


@habit
async def br_bomb(exchange: Exchange) -> None:
    await explode(exchange, "br")


@habit
async def zstd_bomb(exchange: Exchange) -> None:
    await explode(exchange, "zstd")


@habit
async def gzip_gzip_bomb(exchange: Exchange) -> None:
    await exchange.answer(gzip.compress(bomb("gzip")), "Content-Encoding: gzip, gzip")


@habit
async def gzip_members(exchange: Exchange) -> None:
    """Nine thousand empty members in a row."""
    await exchange.answer(gzip.compress(b"", 1) * 9_000, "Content-Encoding: gzip")


@habit
async def gzip_garbage(exchange: Exchange) -> None:
    await exchange.answer(honest("gzip-garbage"), "Content-Encoding: gzip")


@habit
async def gzip_cut(exchange: Exchange) -> None:
    await exchange.answer(gzip.compress(honest("gzip-cut").encode())[:-40], "Content-Encoding: gzip")


@habit
async def unknown_encoding(exchange: Exchange) -> None:
    await exchange.answer(honest("unknown-encoding"), "Content-Encoding: rot13")


@habit
async def many_encodings(exchange: Exchange) -> None:
    await exchange.answer(honest("many-encodings"), "Content-Encoding: " + ", ".join(["gzip"] * 500))


# Redirects


async def move(exchange: Exchange, target: str, status: str = "302 Found") -> None:
    await exchange.answer(b"", f"Location: {target}", status=status)


@habit
async def endless_redirect(exchange: Exchange) -> None:
    await move(exchange, f"/bad?{int(exchange.query or 0) + 1}")


@habit
async def looping_redirect(exchange: Exchange) -> None:
    await move(exchange, "/bad" if exchange.path == "/other" else "/other")


@habit
async def self_redirect(exchange: Exchange) -> None:
    await move(exchange, exchange.path, "301 Moved Permanently")


@habit
async def growing_redirect(exchange: Exchange) -> None:
    await move(exchange, f"/bad?{exchange.query}&next=%2Fbad%3F{exchange.query}")


@habit
async def host_redirect(exchange: Exchange) -> None:
    """Every hop is a new host."""
    number = int(exchange.host.partition(".")[0].removeprefix("n")) if exchange.host.startswith("n") else 0
    await move(exchange, f"http://n{number + 1}.host-redirect.test/bad")


@habit
async def redirect_nowhere(exchange: Exchange) -> None:
    await exchange.answer(b"", status="302 Found")


@habit
async def redirect_to_file(exchange: Exchange) -> None:
    await move(exchange, "file:///etc/passwd")


@habit
async def redirect_to_ftp(exchange: Exchange) -> None:
    await move(exchange, "ftp://ftp.test/")


@habit
async def redirect_to_script(exchange: Exchange) -> None:
    await move(exchange, "javascript:alert(1)")


@habit
async def redirect_to_private(exchange: Exchange) -> None:
    await move(exchange, "http://192.168.0.1/admin")


@habit
async def redirect_to_metadata(exchange: Exchange) -> None:
    await move(exchange, "http://169.254.169.254/latest/meta-data/")


@habit
async def redirect_to_inside(exchange: Exchange) -> None:
    """The target has a public name and a private address."""
    await move(exchange, "http://wiki.inside.test/")


@habit
async def redirect_bytes(exchange: Exchange) -> None:
    """A target of raw bytes, some of them no UTF-8."""
    await exchange.send(
        b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://redirect-bytes.test/\xff\xfe\xe9?\xc3\x28\r\n\r\n"
        if exchange.path == "/bad"
        else b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nthere"
    )


# Statuses


@habit
async def bad_status_line(exchange: Exchange) -> None:
    await exchange.send(b"ICY TWO HUNDRED fine\r\nContent-Type: text/html\r\n\r\n<html>")
    exchange.close()


@habit
async def http09(exchange: Exchange) -> None:
    await exchange.send(b"<html><body>who needs headers</body></html>\n")
    exchange.close()


@habit
async def another_protocol(exchange: Exchange) -> None:
    await exchange.send(b"SSH-2.0-OpenSSH_9.9\r\n\x00\x01\x02\xff\xfe" * 20)
    exchange.close()


@habit
async def status_huge(exchange: Exchange) -> None:
    await exchange.answer(b"<p>hi", status="99999 Over the top")


@habit
async def status_unknown(exchange: Exchange) -> None:
    await exchange.answer(b"<p>hi", status="777 Jackpot")


@habit
async def status_304(exchange: Exchange) -> None:
    await exchange.head(status="304 Not Modified")


@habit
async def status_204(exchange: Exchange) -> None:
    await exchange.head(status="204 No Content")


@habit
async def status_204_body(exchange: Exchange) -> None:
    """A 204 must have no body; this one does, and it is in the way of the next answer."""
    await exchange.answer(b"<p>a body all the same", status="204 No Content")


@habit
async def status_101(exchange: Exchange) -> None:
    await exchange.head("Upgrade: websocket", "Connection: Upgrade", status="101 Switching Protocols")
    await exchange.send(b"\x81\x05hello" * 10)


@habit
async def no_body(exchange: Exchange) -> None:
    await exchange.answer(b"")


@met(crawl={"pages": 5})  # as many as the neighbour has: nobody waits for the year to pass
@habit
async def retry_after_a_year(exchange: Exchange) -> None:
    await exchange.answer(b"", "Retry-After: 31536000", status="503 Service Unavailable")


@habit
async def retry_after_nonsense(exchange: Exchange) -> None:
    await exchange.answer(b"", "Retry-After: -1e999, soon", status="429 Too Many Requests")


@habit
async def status_206(exchange: Exchange) -> None:
    """A part of a page, which nobody asked for."""
    await exchange.answer(honest("part"), "Content-Range: bytes 0-10/10000", status="206 Partial Content")


@habit
async def redirect_split(exchange: Exchange) -> None:
    """A target with line ends that a careless client would send on as header fields."""
    await move(exchange, "/next%0d%0aX-Forged:%201 HTTP/1.1%0d%0aHost: inside")


@habit
async def too_many_requests_once(exchange: Exchange) -> None:
    """429 with a second of rest, then the page."""
    if exchange.path == "/bad" and exchange.count == 2:
        await exchange.answer(b"", "Retry-After: 1", status="429 Too Many Requests")
    else:
        await exchange.answer(honest("too-many-requests-once"))
