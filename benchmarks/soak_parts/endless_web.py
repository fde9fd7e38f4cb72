"""A web without end on loopback, whose servers misbehave: `endless_web.py` prints its port, then answers for ever.

Every page is made from its address alone: a few hundred words, links to pages nobody has seen and to pages somebody
has. So the number of waiting links grows as long as a crawl goes on, and nothing has to be kept here. `FAULTS` says
what goes wrong how often, per thousand requests; which address meets which fault is drawn from the address.
"""

from __future__ import annotations

import asyncio
import sys
from random import Random
from typing import cast

HOSTS = 2_000
NEW_LINKS, OLD_LINKS = 10, 30
WORDS = [
    "orchid",
    "garden",
    "soil",
    "light",
    "water",
    "root",
    "leaf",
    "flower",
    "seed",
    "pot",
    "bark",
    "moss",
    "greenhouse",
    "bloom",
    "petal",
    "stem",
    "humidity",
    "shade",
    "river",
    "harbour",
    "market",
    "engine",
    "letter",
    "window",
    "council",
    "bridge",
    "winter",
    "summer",
    "paper",
    "stone",
    "music",
    "history",
    "travel",
    "village",
    "school",
    "number",
    "report",
    "meeting",
    "office",
    "account",
    "member",
    "service",
    "product",
    "review",
    "station",
    "street",
    "museum",
    "theatre",
    "weather",
]
TOPIC = ("orchid", "greenhouse", "bloom")

FAULTS = {
    "reset in the middle": 10,
    "shorter than it says": 10,
    "silent": 2,
    "503 with Retry-After": 5,
    "429": 3,
    "500": 5,
    "404": 20,
    "no HTTP": 5,
    "broken gzip": 5,
    "broken chunks": 5,
    "redirect": 20,
    "redirect to itself": 3,
    "a megabyte of nothing": 2,
    "slow": 20,
}
"""Fault -> how many of a thousand addresses meet it."""

SLOW = 0.2


def page(address: str) -> bytes:
    dice = Random(address)
    words = dice.choices(WORDS, k=300)
    if dice.random() < 0.3:
        words[:30] = dice.choices(TOPIC, k=30)
    links = [new_address(dice) for _ in range(NEW_LINKS)]
    links += [old_address(dice) for _ in range(OLD_LINKS)]
    title = " ".join(dice.choices(WORDS, k=4))
    paragraphs = []
    for number, link in enumerate(links):
        text = " ".join(words[number * 7 : number * 7 + 7])
        paragraphs.append(f'<p>{text} <a href="{link}">{" ".join(dice.choices(WORDS, k=3))}</a> {text[:40]}</p>')
    return f"<!DOCTYPE html><title>{title}</title><h1>{title}</h1>{''.join(paragraphs)}".encode()


def new_address(dice: Random) -> str:
    name = "-".join(dice.choices(WORDS, k=6))
    return f"http://{host(dice.randrange(HOSTS))}/{dice.choice(WORDS)}/{name}.html"


def old_address(dice: Random) -> str:
    """One of the hundred pages that each host is known for."""
    number = dice.randrange(HOSTS)
    return f"http://{host(number)}/{WORDS[dice.randrange(10)]}/{'-'.join(Random(number).choices(WORDS, k=3))}.html"


def host(number: int) -> str:
    return f"{WORDS[number % len(WORDS)]}-{number}.soak.test"


def fault_of(address: str) -> str:
    die = Random(f"fault {address}").randrange(1000)
    for fault, share in FAULTS.items():
        if die < share:
            return fault
        die -= share
    return ""


def answer(status: str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8", *headers]
    if not any(header.startswith("Transfer") for header in headers):
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


class Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self.rest = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None

    def data_received(self, data: bytes) -> None:
        *heads, self.rest = (self.rest + data).split(b"\r\n\r\n")
        for head in heads:
            first, *fields = head.decode("latin-1").split("\r\n")
            name = next((field[5:].strip() for field in fields if field.lower().startswith("host:")), "")
            self.respond(f"http://{name}{first.split(' ')[1]}")

    def respond(self, address: str) -> None:
        if address.endswith("/robots.txt"):
            self.send(answer("200 OK", b"User-agent: *\nDisallow: /private/\n"))
            return
        fault = fault_of(address)
        if fault == "silent":
            return
        if fault == "slow":
            asyncio.get_running_loop().call_later(SLOW, self.send, answer("200 OK", page(address)))
            return
        self.send(wire(address, fault))
        if self.transport is not None:
            if fault == "reset in the middle":
                self.transport.abort()
            elif fault in ("shorter than it says", "no HTTP"):
                self.transport.close()

    def send(self, data: bytes) -> None:
        if self.transport is not None:
            self.transport.write(data)


def wire(address: str, fault: str) -> bytes:
    """What the server says, in bytes."""
    if fault in ("reset in the middle", "shorter than it says"):
        body = page(address)
        return answer("200 OK", body[: len(body) // 2], length=len(body))
    if fault[:3] in ("404", "429", "500", "503"):
        wait = ("Retry-After: 1",) if fault[:3] in ("429", "503") else ()
        return answer(f"{fault[:3]} So it is", b"<p>Sorry.", *wait)
    if fault == "no HTTP":
        return b"\x00\xffwho is there?\r\n\r\n"
    if fault == "broken gzip":
        return answer("200 OK", b"\x1f\x8b\x08\x00garbage" + page(address)[:500], "Content-Encoding: gzip")
    if fault == "broken chunks":
        return answer("200 OK", b"zz\r\nwhat\r\n0\r\n\r\n", "Transfer-Encoding: chunked")
    if fault == "redirect":
        return answer("302 Found", b"", f"Location: {new_address(Random(address))}")
    if fault == "redirect to itself":
        return answer("302 Found", b"", f"Location: {address}")
    if fault == "a megabyte of nothing":
        return answer("200 OK", b"<p>" + b" " * 1_000_000)
    return answer("200 OK", page(address))


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    sys.exit(uvloop.run(main()))
