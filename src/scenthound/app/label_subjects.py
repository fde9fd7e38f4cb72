"""Which page or site a person means: URLs as they are typed, pasted or remembered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scenthound import urls
from scenthound.app.user_input import canonical
from scenthound.library.stored_pages import where_it_is
from scenthound.model import LabelKind
from scenthound.protocols.library import Library
from scenthound.sites.definition import SiteKind, site_of
from scenthound.sites.site_runs import settings_of

NEAREST = 3
_HOST = re.compile(r"[^/?#\s]+\Z")


class Subject(NamedTuple):
    """What a label is about."""

    name: str  # as in Label.subject
    kind: LabelKind = "page"
    state: str = ""  # what became of the URL, as in model.State; empty: the crawl never saw it, or looked for no sites
    near: tuple[str, ...] = ()  # known URLs most like one that was never seen


class LabelSubjects:
    """Finds pages and sites in a library; without one, takes URLs as they are written."""

    def __init__(self, library: Library | None, *, sites: bool = False) -> None:
        """`sites`: what is named are sites, whatever it looks like."""
        self.library = library
        self.all_sites = sites
        searched = settings_of(library) if library is not None else None
        self.site_kind: SiteKind | None = searched.sites.kind if searched is not None else None

    def find(self, text: str) -> Subject:
        text = text.strip()
        if self.all_sites or (self.site_kind is not None and _HOST.match(text)):
            return Subject(self.site_named(text), "site", "fetched" if self.site_kind is not None else "")
        found = self._page(text)
        if self.library is None or found.state:
            return found
        return found._replace(near=tuple(self.library.near(found.name, NEAREST)))

    def site_named(self, text: str) -> str:
        """The name of the site that is meant, by its name or by a page of it.

        Where no crawl says what a site is, a name may be that of a part of a host, and is taken as it is written.
        """
        site = site_of(canonical(text), self.site_kind or "host")
        if self.site_kind is None and "://" not in text and text.lower().startswith(f"{site}/"):
            return site + text[len(site) :].rstrip("/")
        return site

    def page_named(self, text: str) -> str:
        """The URL of the page that is meant."""
        return self._page(text.strip()).name

    def _page(self, text: str) -> Subject:
        first = canonical(text)
        if self.library is None:
            return Subject(first)
        known: Subject | None = None
        for url in dict.fromkeys(spellings(first)):
            url = where_it_is(self.library, url)
            if self.library.page(url) is not None:
                return Subject(url, state="fetched")
            row = self.library.url_row(url)
            if row is not None and known is None:
                known = Subject(url, state=row.state)
        return known or Subject(first)


def spellings(first: str) -> Iterator[str]:
    """Other URLs that people mean when they write this one: another scheme, a slash at the end, www. or none."""
    yield first
    for www in (False, True):
        for slash in (False, True):
            for scheme in (False, True):
                url = _other_scheme(first) if scheme else first
                url = _other_end(url) if slash else url
                url = _other_host(url) if www else url
                tidy = urls.canonical(url)
                if isinstance(tidy, str):
                    yield tidy


def _other_scheme(url: str) -> str:
    return f"http://{url[8:]}" if url.startswith("https://") else f"https://{url[7:]}"


def _other_end(url: str) -> str:
    if "?" in url:
        return url
    return url.removesuffix("/") if url.endswith("/") else f"{url}/"


def _other_host(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.removeprefix('www.')}" if rest.startswith("www.") else f"{scheme}://www.{rest}"
