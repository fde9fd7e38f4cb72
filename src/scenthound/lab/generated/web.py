"""A web made from a seed: the same bytes for the same seed and size, at any time, in any order.

    web = GeneratedWeb(seed=1, pages=3000)
    web.respond(web.url(17)).body          # rendered now, from the numbers 1 and 17

It holds what a crawler meets: topical communities and hubs, islands of relevant pages with tunnels of irrelevant
ones between them, boilerplate links, dead links and dead hosts, redirects (chains, a loop), robots files, traps
without end, exact and near copies, files that are no pages, slow pages, other languages, broken HTML and charsets
nobody declared. Only the link structure is kept in memory: about 50 bytes a page.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from typing import Protocol

from scenthound.fetch.answer import classify
from scenthound.lab.generated.address import Directory
from scenthound.lab.generated.hash_random import mix
from scenthound.lab.generated.html import Renderer
from scenthound.lab.generated.layout import Size, lay_out
from scenthound.lab.generated.links import OFF, link_up
from scenthound.lab.generated.oddities import (
    CLOSED,
    NOWHERE,
    UNWELL,
    Headers,
    OddAnswer,
    Oddities,
    not_found,
    redirect,
    robots,
)
from scenthound.lab.generated.prose import Prose
from scenthound.lab.generated.topics import GeneratedTopic, describe
from scenthound.model import Failed, Link, Response
from scenthound.protocols.crawl import Clock

_URL = re.compile(r"http://([A-Za-z0-9.-]{1,253})(?::80)?(/[^?#]*)?(?:\?([^#]*))?(?:#.*)?", re.DOTALL)
_CLOSING = re.compile(r"</(?:p|li|ul|h2|h3|td|tr|body|html)>|<!DOCTYPE html>|(?<=href=)\"(?=/[\w/.-]+\")|(?<=\.html)\"")


class GeneratedWeb:
    """`tunnels`: the length of the tunnels into each far island; () makes one island a topic."""

    def __init__(
        self, seed: int = 0, pages: int = 3000, hosts: int = 40, topics: int = 12, tunnels: Iterable[int] = (1, 3)
    ) -> None:
        self.size = Size(mix(seed, 0), pages, hosts, topics, tuple(tunnels))
        self.layout = lay_out(self.size)
        self.pages = link_up(self.size, self.layout)
        self.directory = Directory(self.size.seed, self.layout, self.pages, Prose(self.size.seed))
        self.renderer = Renderer(self.directory)
        self._oddities = Oddities(self.renderer, pages)
        self._portals = {site.host for site in self.layout.sites if site.theme < 0}
        self._bare = {host.removeprefix("www."): host for host in self.directory.hosts}
        self._known = {*self._bare, *self._bare.values(), CLOSED, UNWELL}
        self._topics: list[GeneratedTopic] | None = None

    def __len__(self) -> int:
        return self.size.pages

    # What there is

    def hosts(self) -> list[str]:
        """Every name that resolves: of each host also the bare form, which redirects to www."""
        return sorted(self._known)

    def resolves(self, host: str) -> bool:
        return host.lower() in self._known

    def url(self, page: int) -> str:
        return self.directory.entry(page).url

    def urls(self) -> Iterator[str]:
        """Every page, in order of number. Aliases, copies and traps are not among them."""
        return (self.url(page) for page in range(self.size.pages))

    def page(self, url: str) -> int | None:
        """Number of the page that has this address."""
        found = _URL.fullmatch(url)
        return self.directory.find(found[1].lower(), found[2] or "/", found[3] or "") if found else None

    def links(self, page: int) -> list[int]:
        """Pages this page links to, navigation and footer included, aliases resolved."""
        row = self.renderer.navigation(page) + self.renderer.ordered(page)
        return [target for target in dict.fromkeys(row) if target != page]

    def grade(self, page: int, topic: int) -> int:
        """How relevant: 2 core, 1 loosely related, 0 not."""
        return int(self.pages.grade[page]) if self.pages.theme[page] == topic else OFF

    def robots(self, host: str) -> str:
        """Text of the host's robots.txt, empty where it has none."""
        return robots(host.lower(), self.size.seed, host.lower() in self._portals)

    # What it answers

    def respond(self, url: str) -> OddAnswer:
        """The answer to a GET of any string; never raises. Status 0 where nobody would answer."""
        found = _URL.fullmatch(url)
        host = found[1].lower() if found else ""
        if found is None or host not in self._known:
            return NOWHERE
        path, query = found[2] or "/", found[3] or ""
        if host in self._bare:
            return redirect(301, f"http://{self._bare[host]}{path}{'?' + query if query else ''}")
        if path == "/robots.txt":
            return self._robots(host)
        page = self.directory.find(host, path, query)
        if page is not None:
            return self._page(page)
        return self._oddities.answer(host, path, query) or not_found()

    def _robots(self, host: str) -> OddAnswer:
        text = self.robots(host)
        if host == UNWELL or not text:
            return not_found(503 if host == UNWELL else 404)
        return OddAnswer(200, (("Content-Type", "text/plain"),), text.encode())

    def _page(self, page: int) -> OddAnswer:
        text = self.renderer.html(page)
        bits = mix(self.size.seed, 61, page)
        if bits % 25 == 0:
            text = _CLOSING.sub("", text)
        headers, body = _encoded(text, (bits >> 8) % 200)
        delay = 0.3 + (bits >> 20) % 5 / 10 if (bits >> 16) % 400 == 0 else 0.0
        return OddAnswer(200, headers, body, delay)

    # What there is to find

    def topics(self) -> list[GeneratedTopic]:
        if self._topics is None:
            self._topics = [describe(self.renderer, topic) for topic in range(self.size.topics)]
        return self._topics


class Responding(Protocol):
    """A generated web of any kind."""

    def respond(self, url: str) -> OddAnswer: ...


class GeneratedFetcher:
    """Fetches from a generated web in the same process: no network, no waiting, one request at a time."""

    parallel = 1

    def __init__(self, web: Responding, clock: Clock = time.time) -> None:
        self.web = web
        self.clock = clock

    async def __call__(self, link: Link) -> Response | Failed:
        return self.answer(link)

    def answer(self, link: Link) -> Response | Failed:
        now = self.clock()
        answer = self.web.respond(link.url)
        if not answer.status:
            return Failed(link.url, "dns", "the name does not resolve", at=now)
        response = Response(
            link.url, answer.status, answer.headers, answer.body, now, answer.delay, "127.0.0.1", len(answer.body)
        )
        return classify(response, link.kind)

    async def close(self) -> None:
        pass


def _encoded(text: str, die: int) -> tuple[Headers, bytes]:
    """Bytes and what the header says of them: nine in ten times UTF-8, and said so."""
    if die < 6:
        return (("Content-Type", "text/html"),), text.encode("latin-1", "xmlcharrefreplace")
    if die < 10:
        header = (("Content-Type", "text/html; charset=windows-1252"),)
        return header, text.encode("cp1252", "xmlcharrefreplace")
    if die < 14:
        return (("Content-Type", "text/html"),), text.replace("<head>", '<head><meta charset="utf-8">', 1).encode()
    if die == 14:
        return (("Content-Type", "text/html"),), text.encode("utf-16")
    return (("Content-Type", "text/html; charset=utf-8"),), text.encode()
