"""Any engine that describes itself in the OpenSearch 1.1 format, or is described by a template:

    https://example.org/find?q={searchTerms}&page={startPage?}

Of the addresses a description offers, the one that is easiest to read is taken: Atom, RSS, JSON, then HTML, where the
results are the links that lead out of the engine's own site. A parameter with a `?` may be left empty; an address that
demands one we do not know is passed over, and so are suggestions, and addresses asked by POST.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlsplit

from msgspec import Struct

from scenthound import urls
from scenthound.errors import SourceError
from scenthound.fetch.seed_sources.searxng import hits_in
from scenthound.fetch.seed_sources.source_client import ANOTHER, SeedHit, SourceClient
from scenthound.model import Link, Response
from scenthound.parse.feed import loads, parse_feed
from scenthound.parse.safe_parse import parse_safely
from scenthound.parse.xml import Enough, read

TYPES = {
    "application/atom+xml": "feed",
    "application/rss+xml": "feed",
    "application/json": "json",
    "text/html": "html",
    "application/xhtml+xml": "html",
}
"""What we can read, best first."""

FULL = 50  # results asked for at a time, where one can say
WRAPPED = frozenset(["uddg", "url", "u", "q", "target", "to", "dest"])
"""Parameters in which an engine that counts clicks hides the address it leads to."""

_PARAMETER = re.compile(r"\{(?:[\w.-]+:)?([\w.-]+)(\??)\}")


class UrlTemplate(Struct, frozen=True):
    """One `<Url>` of a description."""

    template: str
    type: str = "text/html"
    first_page: int = 1
    first_index: int = 1

    @property
    def pages_on(self) -> bool:
        return any(name in ("startPage", "startIndex") for name, _ in _PARAMETER.findall(self.template))

    def usable(self) -> bool:
        parameters = _PARAMETER.findall(self.template)
        known = set(self._values("", 0, 0, 1, ""))
        return (
            self.type in TYPES
            and self.template.startswith(("http://", "https://"))
            and any(name == "searchTerms" for name, _ in parameters)
            and all(optional or name in known for name, optional in parameters)
        )

    def filled(self, words: str, page: int, found: int, count: int, language: str) -> str:
        """The URL to ask for the `page`-th page (from 0) after `found` results."""
        values = self._values(words, page, found, count, language)
        url = _PARAMETER.sub(lambda match: quote(values.get(match[1], ""), safe=""), self.template)
        tidy = urls.canonical(url)
        return tidy if isinstance(tidy, str) else url

    def _values(self, words: str, page: int, found: int, count: int, language: str) -> dict[str, str]:
        return {
            "searchTerms": words,
            "startPage": str(self.first_page + page),
            "startIndex": str(self.first_index + found),
            "count": str(count),
            "language": language or "*",
            "inputEncoding": "UTF-8",
            "outputEncoding": "UTF-8",
        }


@dataclass(frozen=True)
class OpenSearch:
    address: UrlTemplate
    language: str = ""
    name: str = field(default="", compare=False)
    repeats = True

    async def pages(self, client: SourceClient, words: str, limit: int) -> AsyncIterator[list[SeedHit]]:
        page = found = 0
        count = min(limit, FULL)
        while True:
            url = self.address.filled(words, page, found, count, self.language)
            if page == 0 and TYPES[self.address.type] == "html" and not await client.permitted(url):
                raise SourceError(f"The robots.txt of {urls.host(url)} does not let us read its results. {ANOTHER}")
            hits = results(await client.get(url, self.address.type), self.address.type)
            if not hits:
                return
            yield hits
            if not self.address.pages_on:
                return
            page, found = page + 1, found + len(hits)


def results(answer: Response, media_type: str) -> list[SeedHit]:
    """What is in an answer of that type."""
    form = TYPES[media_type]
    if form == "feed":
        return [SeedHit(link.url, link.anchor) for link in parse_feed(answer.body, answer.url)]
    if form == "json":
        return hits_in(loads(answer.body))
    home = urls.site(answer.url)
    outward = (_outward(link, home) for link in parse_safely(answer).links if link.kind == "a")
    return [hit for hit in outward if hit is not None]


def _outward(link: Link, home: str) -> SeedHit | None:
    """The link itself, or what it is wrapped around, if that is not the engine's own."""
    if urls.site(link.url) != home:
        return SeedHit(link.url, link.anchor)
    for name, value in parse_qsl(urlsplit(link.url).query):
        if name in WRAPPED and value.startswith(("http://", "https://")):
            url = urls.canonical(value)
            if isinstance(url, str) and urls.site(url) != home:
                return SeedHit(url, link.anchor)
    return None


def describe(body: bytes) -> UrlTemplate | None:
    """The address that a description offers and that we can read best; None where there is none."""
    usable = [address for address in read(body, _SearchOutline).addresses if address.usable()]
    order = list(TYPES)
    return min(usable, key=lambda address: order.index(address.type), default=None)


class _SearchOutline:
    """Collects the `<Url>`s of an `<OpenSearchDescription>`."""

    def __init__(self) -> None:
        self.addresses: list[UrlTemplate] = []
        self._inside = False

    def start(self, name: str, attributes: dict[str, str]) -> bool:
        local = name.rpartition(":")[2]
        if not self._inside:
            if local != "OpenSearchDescription":
                raise Enough
            self._inside = True
        elif local == "Url" and "results" in attributes.get("rel", "results").split():
            self._take(attributes)
        return False

    def _take(self, attributes: dict[str, str]) -> None:
        method = attributes.get("method") or attributes.get("parameters:method") or "get"
        address = UrlTemplate(
            attributes.get("template", "").strip(),
            attributes.get("type", "").partition(";")[0].strip().lower(),
            _number(attributes.get("pageOffset", "1")),
            _number(attributes.get("indexOffset", "1")),
        )
        if method.lower() == "get":
            self.addresses.append(address)

    def end(self, name: str, text: str) -> None:
        """Nothing here is said in words."""


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
