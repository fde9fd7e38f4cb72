"""A wiki's own search, and the members of its categories, through MediaWiki's API.

    search      generator=search            as many results as the wiki gives, in its order
    category    generator=categorymembers   the articles of a category; with `depth`, also of the categories in it
    backlinks   generator=backlinks         "what links here": the articles that link to one

All are asked as generators with `inprop=url`, so that each answer names the addresses of its pages and no path has to
be guessed. `continue` of an answer goes into the next question as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode

from scenthound import urls
from scenthound.errors import SourceError
from scenthound.fetch.seed_sources.source_client import ANOTHER, SeedHit, SourceClient

BATCH = 50
ARTICLES, CATEGORIES = 0, 14
"""Namespaces, the same on every wiki."""

COMMON = {"action": "query", "format": "json", "formatversion": "2", "prop": "info", "inprop": "url"}


@dataclass(frozen=True)
class WikiSearch:
    api: str
    repeats = False

    @property
    def name(self) -> str:
        return urls.host(self.api)

    async def pages(self, client: SourceClient, words: str, limit: int) -> AsyncIterator[list[SeedHit]]:
        question = {"generator": "search", "gsrsearch": words, "gsrlimit": str(min(limit, BATCH))}
        async for found in _answers(client, self.api, question):
            ranked = sorted(found, key=lambda page: page.get("index", 0) if isinstance(page.get("index"), int) else 0)
            yield [_hit(self.api, page) for page in ranked]


@dataclass(frozen=True)
class WikiCategory:
    """`depth` is how many levels of categories inside the named one are gone through as well."""

    api: str
    depth: int = 0
    repeats = False

    @property
    def name(self) -> str:
        return urls.host(self.api)

    async def pages(self, client: SourceClient, words: str, limit: int) -> AsyncIterator[list[SeedHit]]:
        start = words if ":" in words else f"Category:{words}"  # English names of namespaces hold on every wiki
        waiting = deque([(start, 0)])
        seen = {start}
        while waiting:
            title, level = waiting.popleft()
            question = {
                "generator": "categorymembers",
                "gcmtitle": title,
                "gcmtype": "page|subcat",
                "gcmnamespace": f"{ARTICLES}|{CATEGORIES}",
                "gcmlimit": str(BATCH),
            }
            async for found in _answers(client, self.api, question):
                yield [_hit(self.api, page) for page in found if page.get("ns") != CATEGORIES]
                inner = [_title(page) for page in found if page.get("ns") == CATEGORIES] if level < self.depth else []
                waiting += [(each, level + 1) for each in inner if each and each not in seen]
                seen.update(inner)


@dataclass(frozen=True)
class WikiBacklinks:
    """Who links to an article. An article is known by its title, which its address tells once we know the wiki's way.

    `article_path` is the wiki's own word for that way: `https://wiki.example/wiki/$1`.
    """

    api: str
    article_path: str

    @classmethod
    async def of(cls, client: SourceClient, api: str) -> WikiBacklinks:
        """Asks the wiki where its articles are."""
        question = {"action": "query", "format": "json", "meta": "siteinfo", "siprop": "general"}
        data = await client.get_json(f"{api}?{urlencode(question)}", "a wiki's API")
        query = data.get("query")
        general = query.get("general") if isinstance(query, dict) else None
        told = general if isinstance(general, dict) else {}
        path = urls.Base(api).resolve(str(told.get("server") or "/"))
        if isinstance(path, urls.Malformed) or "$1" not in str(told.get("articlepath")):
            raise SourceError(f"{urls.host(api)} does not say where its articles are. {ANOTHER}")
        return cls(api, urls.origin(path) + str(told["articlepath"]))

    def title(self, url: str) -> str:
        """The title of the article at a URL; empty where no article of this wiki is."""
        before, _, after = self.article_path.partition("$1")
        bare = url.partition("://")[2]
        before = before.partition("://")[2]
        if bare.startswith(before) and bare.endswith(after) and len(bare) > len(before) + len(after):
            return unquote(bare[len(before) : len(bare) - len(after)]).replace("_", " ")
        query = parse_qs(url.partition("?")[2])
        named = query.get("title", [""])[0]
        return named.replace("_", " ") if urls.host(url) == urls.host(self.article_path) else ""

    async def to(self, client: SourceClient, title: str, enough: int) -> list[SeedHit]:
        """The articles that link to one, until there are enough; redirects are none."""
        question = {
            "generator": "backlinks",
            "gbltitle": title,
            "gblnamespace": str(ARTICLES),
            "gblfilterredir": "nonredirects",
            "gbllimit": str(BATCH),
        }
        found: list[SeedHit] = []
        async for pages in _answers(client, self.api, question):
            found += [hit for page in pages if (hit := _hit(self.api, page)).url]
            if len(found) >= enough:
                break
        return found


async def _answers(client: SourceClient, api: str, question: dict[str, str]) -> AsyncIterator[list[dict[str, Any]]]:
    """The pages of each answer to one question, until the wiki has no more."""
    onward: dict[str, str] = {}
    while True:
        data = await client.get_json(f"{api}?{urlencode({**COMMON, **question, **onward})}", "a wiki's API")
        if isinstance(error := data.get("error"), dict):
            raise SourceError(
                f"{urls.host(api)} refuses the question: {error.get('info') or error.get('code')}. {ANOTHER}"
            )
        yield _pages(data)
        further = data.get("continue")
        further = {str(key): str(value) for key, value in further.items()} if isinstance(further, dict) else {}
        if not further or further == onward:
            return
        onward = further


def _pages(data: dict[str, Any]) -> list[dict[str, Any]]:
    query = data.get("query")
    pages = query.get("pages") if isinstance(query, dict) else None
    if isinstance(pages, dict):  # wikis of before 2015 know no formatversion=2
        pages = list(pages.values())
    return (
        [page for page in pages if isinstance(page, dict) and "missing" not in page] if isinstance(pages, list) else []
    )


def _hit(api: str, page: dict[str, Any]) -> SeedHit:
    address = page.get("fullurl")
    url = urls.Base(api).resolve(address) if isinstance(address, str) and address else ""
    return SeedHit("" if isinstance(url, urls.Malformed) else url, _title(page))


def _title(page: dict[str, Any]) -> str:
    return str(page.get("title") or "")
