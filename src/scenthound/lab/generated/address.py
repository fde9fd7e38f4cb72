"""URL of every page, and back, without a table: the page's number is in its URL.

    style 0   /notes/orchid-greenhouse-17.html      style 2   /article?id=17
    style 1   /notes/17/                            style 3   /notes/OrchidGreenhouse_17.htm

17 counts from the site's home page. A URL is accepted only if it is exactly the one its page has.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from scenthound.lab.generated.hash_random import mix
from scenthound.lab.generated.layout import GeneratedSite, SiteSection, WebLayout
from scenthound.lab.generated.links import RELATED, PageArrays
from scenthound.lab.generated.prose import Prose, kin_of
from scenthound.lab.generated.vocabulary import BACKGROUND, THEMES, TOPICS

_ARTICLE = re.compile(r"/([a-z0-9-]+)/(?:[A-Za-z-]+[-_])?(\d{1,9})(?:/|\.html?)")
_QUERY = re.compile(r"(?:^|&)id=(\d{1,9})(?:&|$)")
_WORDS = re.compile(r"[a-z]+")
_SMALL = frozenset(["the", "and", "its", "for", "a", "an", "on", "how", "is", "was", "why", "notes", "choosing"])


class AddressEntry:
    """Page `number`: where it is and what it is called."""

    __slots__ = ("host", "number", "path", "title")

    def __init__(self, number: int, host: str, path: str, title: str) -> None:
        self.number = number
        self.host = host
        self.path = path
        self.title = title

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


class Directory:
    """Looks up pages by number and by address."""

    def __init__(self, seed: int, layout: WebLayout, pages: PageArrays, prose: Prose) -> None:
        self.seed = seed
        self.layout = layout
        self.pages = pages
        self.prose = prose
        self._starts = [section.start for section in layout.sections]
        self._sites: dict[str, dict[str, GeneratedSite]] = {}
        for site in layout.sites:
            self._sites.setdefault(site.host, {})[site.root] = site
        self.entry = lru_cache(maxsize=20_000)(self._entry)

    def section(self, page: int) -> SiteSection:
        return self.layout.sections[bisect_right(self._starts, page) - 1]

    def site(self, page: int) -> GeneratedSite:
        return self.layout.sites[self.section(page).site]

    @property
    def hosts(self) -> list[str]:
        return list(self._sites)

    def is_index(self, page: int) -> bool:
        section = self.section(page)
        return section.listed and page == section.start

    def second_theme(self, page: int) -> int | None:
        """What a loosely related page is about beside its topic: the topic's kin, or the background."""
        if self.pages.grade[page] != RELATED:
            return None
        bits = mix(self.seed, 21, page)
        if bits & 1:
            return kin_of(int(self.pages.theme[page]))
        return len(TOPICS) + (bits >> 8) % len(BACKGROUND)

    def _entry(self, page: int) -> AddressEntry:
        section = self.section(page)
        site = self.layout.sites[section.site]
        if not section.slug:
            return AddressEntry(page, site.host, f"{site.root}/", _site_title(site))
        if self.is_index(page):
            return AddressEntry(page, site.host, f"{site.root}/{section.slug}/", _index_title(section))
        title = self.prose.title(int(self.pages.theme[page]), mix(self.seed, 20, page), self.second_theme(page))
        return AddressEntry(
            page, site.host, site.root + _article_path(site.style, section, title, page - site.start), title
        )

    def find(self, host: str, path: str, query: str) -> int | None:
        """The page that has exactly this address; query parameters nobody needs are ignored, as servers do."""
        sites = self._sites.get(host)
        if sites is None:
            return None
        root = path[: path.find("/", 1)] if path.startswith("/~") else ""
        site = sites.get(root)
        if site is None:
            return None
        local = path[len(root) :]
        page = _candidate(self.layout, site, local, query)
        if page is None:
            return None
        expected, _, needs = self.entry(page).path.partition("?")
        return page if expected == path and needs in query else None


def _candidate(layout: WebLayout, site: GeneratedSite, local: str, query: str) -> int | None:
    if local == "/":
        return site.start
    if local == "/article":
        number = _QUERY.search(query)
        page = site.start + int(number[1]) if number else -1
    elif article := _ARTICLE.fullmatch(local):
        page = site.start + int(article[2])
    else:
        sections = layout.sections[site.first : site.last]
        return next((section.start for section in sections if section.listed and local == f"/{section.slug}/"), None)
    return page if site.start <= page < site.stop else None


def _article_path(style: int, section: SiteSection, title: str, number: int) -> str:
    if style == 1:
        return f"/{section.slug}/{number}/"
    if style == 2:
        return f"/article?id={number}"
    words = [word for word in _WORDS.findall(title.lower()) if word not in _SMALL]
    if style == 3:
        return f"/{section.slug}/{''.join(word.capitalize() for word in words)}_{number}.htm"
    return f"/{section.slug}/{'-'.join(words)}-{number}.html"


def _site_title(site: GeneratedSite) -> str:
    name = site.host.split(".")[1].replace("-", " ").title()
    return f"{name}: {THEMES[site.theme].name}" if site.root else name


def _index_title(section: SiteSection) -> str:
    theme = THEMES[section.theme].name
    return f"All about {theme}" if section.slug == THEMES[section.theme].slug else f"{theme}: {section.slug}"
