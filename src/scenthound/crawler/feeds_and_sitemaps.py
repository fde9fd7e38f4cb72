"""Feeds and sitemaps: lists of links that a site offers beside its pages.

They are asked for where a page turned out to be relevant: its feeds, and at the first such page of a host the sitemaps
its robots.txt names. A list is read as a page whose links the strategy ranks; it is not kept as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from scenthound import urls
from scenthound.model import Link, Page, Response, Visit
from scenthound.parse.feed import feed_page
from scenthound.parse.page import unread
from scenthound.parse.sitemap import parse_sitemap, sitemap_page

KINDS = frozenset({"feed", "sitemap"})
MAX_BYTES = 1_000_000  # of one list, as unpacked; what follows is not read, so that no list holds up the crawl
MOST_LINKS = 1_000  # the best of one list that are taken in
MOST_SITEMAPS = 50  # of one host
MOST_FEEDS = 50  # likewise


class FeedsAndSitemaps:
    """Which lists are worth asking for, and what they hold."""

    def __init__(self, feeds: bool = False, sitemaps: bool = False) -> None:
        self.feeds = feeds
        self.sitemaps = sitemaps
        self._offered: dict[str, Sequence[str]] = {}  # host -> sitemaps of its robots.txt
        self._taken: dict[str, int] = {}  # host -> how many sitemaps were asked for
        self._feeds_of: dict[str, set[str]] = {}  # host -> its feeds that were asked for, or as good as

    def note(self, host: str, sitemaps: Sequence[str]) -> None:
        """What the host's robots.txt names."""
        if self.sitemaps:
            self._offered[host] = sitemaps[:MOST_SITEMAPS]

    def worth_asking(self, visit: Visit) -> list[Link]:
        """The lists to ask for after this visit."""
        if not visit.relevant:
            return []
        host = urls.host(visit.page.url)
        found = self._feeds(host, visit.page.links) if self.feeds else []
        if self.sitemaps and host not in self._taken:
            named = self._offered.pop(host, ()) or (f"{urls.origin(visit.page.url)}/sitemap.xml",)
            found += self._sitemaps(host, named, visit.page.url)
        return found

    def read(self, link: Link, response: Response, language: str) -> tuple[Page, list[Link]]:
        """The list as a page, and further lists it names. One on which the parser fails has a `problem`."""
        try:
            return self._read(link, response, language)
        except Exception as error:  # nobody knows which: lists are made not to raise when they are read
            return unread(response.url, f"{type(error).__name__}: {error}"), []

    def _read(self, link: Link, response: Response, language: str) -> tuple[Page, list[Link]]:
        if link.kind == "feed":
            return feed_page(replace(response, body=response.body[:MAX_BYTES]), language), []
        entries = parse_sitemap(response.body, response.url, MAX_BYTES)
        more = [entry.url for entry in entries if entry.sitemap]
        page = sitemap_page(response.url, entries, language)
        return page, self._sitemaps(urls.host(response.url), more, response.url)

    def _feeds(self, host: str, links: Sequence[Link]) -> list[Link]:
        """What a page names, as long as its host has not named too many. The same feed on every page counts once."""
        asked = self._feeds_of.setdefault(host, set())
        found = [link for link in links if link.kind == "feed" and link.url not in asked][: MOST_FEEDS - len(asked)]
        asked.update(link.url for link in found)
        return found

    def _sitemaps(self, host: str, named: Sequence[str], source: str) -> list[Link]:
        taken = self._taken.get(host, 0)
        chosen = [url for name in named if isinstance(url := urls.canonical(name), str)][: MOST_SITEMAPS - taken]
        self._taken[host] = taken + len(chosen)
        return [Link(url=url, source=source, kind="sitemap") for url in chosen]
