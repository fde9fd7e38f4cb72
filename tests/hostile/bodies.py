"""Habits in the body of an answer: lies about chunks, and bodies that nobody wants."""

from __future__ import annotations

from itertools import count

from tests.hostile.server import Exchange, habit
from tests.hostile.wire import PIECE

# Chunks


@habit
async def chunk_too_long(exchange: Exchange) -> None:
    await exchange.head("Transfer-Encoding: chunked")
    await exchange.send(b"ffff\r\n<html>less than it says\r\n")
    exchange.close()


@habit
async def chunk_no_number(exchange: Exchange) -> None:
    await exchange.head("Transfer-Encoding: chunked")
    await exchange.send(b"twelve\r\n<html>hello!\r\n0\r\n\r\n")


@habit
async def chunk_wrong_end(exchange: Exchange) -> None:
    await exchange.head("Transfer-Encoding: chunked")
    await exchange.send(b"4\r\n<html>longer than four\r\n0\r\n\r\n")


@habit
async def chunk_size_huge(exchange: Exchange) -> None:
    await exchange.head("Transfer-Encoding: chunked")
    await exchange.send(b"f" * 40 + b"\r\n<html>")


@habit
async def chunk_size_negative(exchange: Exchange) -> None:
    await exchange.head("Transfer-Encoding: chunked")
    await exchange.send(b"-5\r\n<html>\r\n0\r\n\r\n")


@habit
async def chunk_extensions(exchange: Exchange) -> None:
    """Extensions of a chunk that never end: bytes that belong to no body."""
    await exchange.head("Transfer-Encoding: chunked")
    await exchange.send(b"5;")
    while True:
        await exchange.send(b"x=" + PIECE)


@habit
async def chunk_trailers(exchange: Exchange) -> None:
    """Header fields behind the body that never end."""
    await exchange.head("Transfer-Encoding: chunked")
    await exchange.send(b"5\r\n<html\r\n0\r\n")
    for number in count():
        await exchange.send(b"X-%d: y\r\n" % number * 100)


@habit
async def chunks_of_a_byte(exchange: Exchange) -> None:
    """A body in chunks of one byte each, without an end."""
    await exchange.head("Transfer-Encoding: chunked")
    while True:
        await exchange.send(b"1\r\nx\r\n" * 10_000)


@habit
async def chunked_twice(exchange: Exchange) -> None:
    await exchange.head("Transfer-Encoding: chunked, chunked")
    await exchange.send(b"a\r\n5\r\n<html\r\n\r\n0\r\n\r\n0\r\n\r\n")
    exchange.close()


# Bodies that nobody wants, without an end


@habit
async def redirect_endless_body(exchange: Exchange) -> None:
    await exchange.head("Location: /good", "Transfer-Encoding: chunked", status="302 Found")
    while True:
        await exchange.send(b"%x\r\n%b\r\n" % (len(PIECE), PIECE))


@habit
async def error_endless_body(exchange: Exchange) -> None:
    await exchange.head("Connection: close", status="404 Not Found")
    while True:
        await exchange.send(PIECE)


@habit
async def image_endless_body(exchange: Exchange) -> None:
    await exchange.head("Content-Type: image/png", "Connection: close")
    await exchange.drip(b"\x89PNG" * 1_000, pause=0.01)
