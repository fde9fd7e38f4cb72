"""Which links of a page are followed: scope, traps and the page's own wishes decide, before any strategy ranks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from scenthound import urls
from scenthound.bounded_cache import BoundedCache, Memo
from scenthound.config import Config
from scenthound.crawler.traps import Traps
from scenthound.model import Link, Page, Refusal
from scenthound.scope.scope import Scope

FRAMES, FRAME_HOPS = 8, 2
"""How many frames of a page count as the page itself, and how deep within each other they are followed."""


class SortedLinks(NamedTuple):
    """The links of a page: to be ranked; standing in for the page itself; refused."""

    links: tuple[Link, ...] = ()
    onward: tuple[Link, ...] = ()
    refused: tuple[Refusal, ...] = ()


REMEMBERED = 20_000  # URLs with what was said of them, about 5 MB
GROUPS = 4  # of pages, by language and, where scope minds it, by depth

Answers = BoundedCache[str, str | None]
"""URL -> why it is not followed, or None: of plain links on pages of one group."""


class LinkFilter:
    """Sorts links. What scope and traps say of a URL is remembered: the pages of a site share most of their links."""

    def __init__(self, config: Config, scope: Scope, traps: Traps | None = None) -> None:
        self.scope = scope
        self.traps = traps
        self.obey = config.politeness.nofollow
        self.ascend = config.crawl.ascend
        self._said = Memo[tuple[int, str], Answers](lambda group: Answers(REMEMBERED), GROUPS)
        self._traps_known = 0

    def sort(self, page: Page, depth: int, hops: int) -> SortedLinks:
        """Sorts the links of a page, found at `depth` after so many redirects and frames."""
        if self.obey and page.nofollow:
            return SortedLinks()
        links: list[Link] = []
        onward: list[Link] = []
        refused: list[Refusal] = []
        answers = self._what_was_said(depth, page.language)
        said, remembered = answers.entries, answers.entries.get
        for link in chain(page.links, self._above(page.url)):
            plain = link.kind == "a" and not link.rel
            reason = remembered(link.url, "") if plain else ""
            if reason == "":
                if link.kind == "feed":
                    continue  # see feeds_and_sitemaps.py
                reason = self._refuses(link, depth, hops, page.language)
                if plain:
                    said[link.url] = reason
            if reason is not None:
                refused.append(refusal(link, reason, depth))
            elif plain or len(onward) >= FRAMES or not _stands_for_page(link, page):
                links.append(link)
            else:
                onward.append(link)
        answers.forget()
        return SortedLinks(tuple(links), tuple(onward), tuple(refused))

    def _what_was_said(self, depth: int, language: str) -> Answers:
        """Of plain links on pages like this one; nothing where more than the URL counts."""
        if not self.scope.by_url_alone:
            return Answers(REMEMBERED)
        traps_known = self.traps.known if self.traps is not None else 0
        if traps_known != self._traps_known:
            self._said.clear()
            self._traps_known = traps_known
        return self._said[depth if self.scope.minds_depth else 0, language]

    def _refuses(self, link: Link, depth: int, hops: int, language: str) -> str | None:
        reason = self.scope.refuses(link, depth, language)
        if reason is None and self.traps is not None:
            reason = self.traps.refuses(link.url)
        if reason is None and self.obey and link.rel and "nofollow" in link.rel.split():
            reason = "nofollow"
        if reason is None and link.kind == "frame" and hops >= FRAME_HOPS:
            reason = "frames within frames"
        return reason

    def _above(self, url: str) -> Iterator[Link]:
        """The folders a page lies in, for crawls that ascend."""
        if self.ascend:
            yield from (Link(url=above, source=url, kind="ascend") for above in urls.ascending(url))


def refusal(link: Link, reason: str, depth: int) -> Refusal:
    return Refusal(id=urls.fingerprint(link.url), link=link, host=urls.host(link.url), reason=reason, depth=depth)


def _stands_for_page(link: Link, page: Page) -> bool:
    """A refresh, a canonical form or a frame of the same host is the page itself under another name."""
    if link.kind in ("refresh", "canonical"):
        return True
    return link.kind == "frame" and urls.host(link.url) == urls.host(page.url)
