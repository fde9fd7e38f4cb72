"""What a generated web answers beside its pages: redirects, traps, files, errors and robots.txt.

/old/N           301 to page N                     /calendar/Y/M/    a month, and the next, and the next ...
/moved/K/N       302 to /moved/K-1/N ... page N    /shop/?sid=X      a maze: every visit invents new ids
/loop/a          302 to b, b to c, c to a          /browse/x/y/...   every page links one level deeper
/enter/N.html    meta refresh to page N            /private/...      there, but robots.txt says no
/copy/N.html     nearly page N                     /files/N.pdf      PDF, JPEG, ZIP or text
/gone/, /error/  410; 500 or 503                   /img/, /style.css what pages ask for beside links
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import NamedTuple
from zlib import crc32

from scenthound.lab.generated.hash_random import mix
from scenthound.lab.generated.html import CHAIN, Renderer
from scenthound.lab.generated.prose import paragraph

Headers = tuple[tuple[str, str], ...]

HTML: Headers = (("Content-Type", "text/html; charset=utf-8"),)
CLOSED = "www.closed-shop.test"  # its robots.txt shuts everyone out
UNWELL = "www.under-repair.test"  # its robots.txt is a 503
PLAIN = b"Nothing to see here.\n"

FILES = {
    "pdf": ("application/pdf", b"%PDF-1.4\n% generated\n"),
    "jpg": ("image/jpeg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00"),
    "zip": ("application/zip", b"PK\x03\x04"),
    "txt": ("text/plain; charset=utf-8", b"Plain text.\n"),
}


class OddAnswer(NamedTuple):
    """What a server would send. Status 0: nobody answers there, the name does not resolve."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    delay: float = 0.0  # seconds the server thinks before it answers


NOWHERE = OddAnswer(0)
IMAGE = OddAnswer(200, (("Content-Type", "image/png"),), b"\x89PNG\r\n\x1a\n")
STYLE = OddAnswer(200, (("Content-Type", "text/css"),), b"p { margin: 1em }\n")


def document(title: str, body: str) -> OddAnswer:
    text = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>\n"
    return OddAnswer(200, HTML, text.encode())


def not_found(status: int = 404) -> OddAnswer:
    title = {404: "Not found", 410: "Gone", 500: "Internal error", 503: "Come back later"}.get(status, "Error")
    headers = (*HTML, ("Retry-After", "1")) if status == 503 else HTML
    return OddAnswer(status, headers, document(title, "<p>Sorry.</p>").body)


def redirect(status: int, location: str) -> OddAnswer:
    return OddAnswer(status, (*HTML, ("Location", location)), b"")


def robots(host: str, seed: int, portal: bool) -> str:
    """What a host's robots.txt says; empty where it has none, as one host in six.

    All keep /private/ and /cgi-bin/ to themselves, one in four asks for time, half of the portals fence off a trap.
    """
    if host == CLOSED:
        return "User-agent: *\nDisallow: /\n"
    bits = mix(seed, 50, crc32(host.encode()))
    if bits % 6 == 0:
        return ""
    lines = ["# generated", "User-agent: *", "Disallow: /private/", "Disallow: /cgi-bin/"]
    if portal and bits >> 8 & 1:
        lines += ["Disallow: /shop/", "Disallow: /copy/"]
    if bits >> 16 & 3 == 0:
        lines.append("Crawl-delay: 0.2")
    lines += ["", "User-agent: greedybot", "Disallow: /"]
    return "\n".join(lines) + "\n"


class Oddities:
    """Answers for every path of a host that is not a planned page; None where there is nothing."""

    def __init__(self, renderer: Renderer, count: int) -> None:
        self.renderer = renderer
        self.seed = renderer.seed
        self.count = count
        self.routes: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str, str], OddAnswer]], ...] = tuple(
            (re.compile(pattern), route)
            for pattern, route in (
                (r"/old/(\d{1,9})", self._old),
                (r"/moved/(\d)/(\d{1,9})", self._moved),
                (r"/loop/([abc])", self._loop),
                (r"/enter/(\d{1,9})\.html", self._enter),
                (r"/copy/(\d{1,9})\.html", self._copy),
                (r"/files/(\d{1,9})\.(pdf|jpg|zip|txt)", self._file),
                (r"/img/(\d{1,9})\.png", lambda found, host, query: IMAGE),
                (r"/style\.css", lambda found, host, query: STYLE),
                (r"/(?:private|cgi-bin)/([\w.]+)", self._private),
                (r"/(about|contact)\.html", self._utility),
                (r"/gone/\d{1,9}\.html", lambda found, host, query: not_found(410)),
                (r"/error/(\d{1,9})\.html", lambda found, host, query: not_found(500 if int(found[1]) % 2 else 503)),
                (r"/calendar/(\d{1,6})/(\d{1,2})/", self._calendar),
                (r"/shop/(?:[0-9a-f]{1,16}/)?", self._shop),
                (r"/browse/((?:[a-z]+/)*)", self._browse),
            )
        )

    def answer(self, host: str, path: str, query: str) -> OddAnswer | None:
        if host in (CLOSED, UNWELL):
            return document("Closed", "<p>You should not have come in.</p>")
        for pattern, route in self.routes:
            found = pattern.fullmatch(path)
            if found:
                return route(found, host, query)
        return None

    def _location(self, number: str) -> str | None:
        page = int(number)
        return self.renderer.directory.entry(page).url if page < self.count else None

    def _old(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        location = self._location(found[1])
        return redirect((301, 302, 307, 308)[int(found[1]) % 4], location) if location else not_found()

    def _moved(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        left = int(found[1])
        location = self._location(found[2])
        if location is None or not 1 <= left <= CHAIN:
            return not_found()
        return redirect(302, location if left == 1 else f"/moved/{left - 1}/{found[2]}")

    def _loop(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        return redirect(302, {"a": "/loop/b", "b": "/loop/c", "c": "/loop/a"}[found[1]])

    def _enter(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        location = self._location(found[1])
        if location is None:
            return not_found()
        text = (
            f'<html><head><meta http-equiv="refresh" content="0; url={location}"></head><body>Moving on</body></html>'
        )
        return OddAnswer(200, HTML, text.encode())

    def _copy(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        page = int(found[1])
        return OddAnswer(200, HTML, self.renderer.html(page, copy=True).encode()) if page < self.count else not_found()

    def _file(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        if int(found[1]) >= self.count:
            return not_found()
        media_type, start = FILES[found[2]]
        return OddAnswer(200, (("Content-Type", media_type),), start + PLAIN * 8)

    def _private(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        return document("Members only", f"<p>Secret {found[1]}.</p>")

    def _utility(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        chance = Random(f"{self.seed} {host} {found[1]}").random
        text = paragraph(chance, [self.renderer.prose.bank(-1)], 4, 8)
        return document(found[1].capitalize(), f'<p>{text}</p><p><a href="/">Home</a></p>')

    def _calendar(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        """Endless both ways, as calendars are."""
        year, month = int(found[1]), int(found[2])
        if not 1 <= month <= 12:
            return not_found()
        months = [(year * 12 + month - 1) + step for step in (-1, 1)]
        links = [
            f'<a href="/calendar/{m // 12}/{m % 12 + 1:02}/">{m // 12}-{m % 12 + 1:02}</a>' for m in months if m >= 0
        ]
        days = "".join(f"<td>{day}</td>" for day in range(1, 29))
        return document(f"Calendar {year}-{month:02}", f"<table><tr>{days}</tr></table><p>{' | '.join(links)}</p>")

    def _shop(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        """Every address of the shop gives birth to four more, all showing the same."""
        chance = Random(f"{self.seed} {host}{found[0]}?{query}").random
        ids = [int(chance() * 16**8) for _ in range(4)]
        links = [f'<li><a href="/shop/?sid={number:08x}">Item</a></li>' for number in ids[:2]]
        links += [f'<li><a href="/shop/{number:08x}/">Basket</a></li>' for number in ids[2:]]
        return document("Shop", f"<ul>{''.join(links)}</ul>")

    def _browse(self, found: re.Match[str], host: str, query: str) -> OddAnswer:
        """Relative links that lead one level deeper each time."""
        words = ("red", "small", "cheap")
        links = [f'<li><a href="{word}/">{word}</a></li>' for word in words]
        return document("Browse", f"<p>{found[1].replace('/', ' ')}</p><ul>{''.join(links)}</ul>")
