"""Which source a name or a URL means, and what it finds.

(nothing), wikipedia           Wikipedia in the topic's language; asks for no key
wikipedia:de, wikibooks, ...   a sister project, or another language
https://wiki.example/api.php   a MediaWiki by its API
https://find.example/?q={searchTerms}      a template
mediawiki:URL, searxng:URL, opensearch:URL   that kind of source, without a look at it first
any other name                 a source of a plug-in
any other URL                  is looked at: a wiki, a SearXNG instance, a description, or a page that names one
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from scenthound import urls
from scenthound.errors import SourceError, UsageError
from scenthound.fetch.seed_sources.mediawiki import WikiCategory, WikiSearch
from scenthound.fetch.seed_sources.opensearch import OpenSearch, UrlTemplate, describe
from scenthound.fetch.seed_sources.own_source import seed_source
from scenthound.fetch.seed_sources.searxng import SearXNG
from scenthound.fetch.seed_sources.source_client import ANOTHER, SeedHit, SeedSource, SourceClient
from scenthound.model import Response
from scenthound.parse.charset import to_utf8

DEFAULT = "wikipedia"
PROJECTS = ("wikipedia", "wikibooks", "wikinews", "wikiversity", "wikivoyage", "wikisource", "wiktionary")
KINDS = ("mediawiki", "searxng", "opensearch")
DESCRIPTION = "application/opensearchdescription+xml"

_CODE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,8})*")


class FoundSeeds(Struct, frozen=True):
    """What a source found, best first. `note` says why there may be less than there could be."""

    source: str
    hits: tuple[SeedHit, ...] = ()
    note: str = ""


async def find(
    source: SeedSource, client: SourceClient, words: str, limit: int, progress: Callable[[int, int], None] | None = None
) -> FoundSeeds:
    """Asks until there are `limit` seeds or no more. A source that fails halfway keeps what it gave."""
    hits: dict[str, SeedHit] = {}
    note = ""
    try:
        async with aclosing(source.pages(client, words, limit)) as pages:  # type: ignore[type-var]
            async for page in pages:
                before = len(hits)
                for hit in page:
                    url = urls.canonical(hit.url)
                    if isinstance(url, str):
                        hits.setdefault(url, SeedHit(url, hit.title))
                if progress is not None:
                    progress(min(len(hits), limit), limit)
                if len(hits) >= limit or (source.repeats and len(hits) == before):
                    break
    except SourceError as error:
        if not hits:
            raise
        note = str(error)
    return FoundSeeds(source.name, tuple(hits.values())[:limit], note)


async def choose(
    client: SourceClient, text: str = DEFAULT, language: str = "en", category: bool = False, depth: int = 0
) -> SeedSource:
    """The source that `text` means. With `category`, one that lists a wiki's category instead of searching."""
    source = await _choose(client, text.strip() or DEFAULT, language)
    if not category:
        return source
    if not isinstance(source, WikiSearch):
        raise UsageError(
            f"{source.name} is no wiki, and only wikis have categories: leave out --category, or name a wiki."
        )
    return WikiCategory(source.api, depth)


async def _choose(client: SourceClient, text: str, language: str) -> SeedSource:
    if "{searchTerms" in text:
        return _template(text.removeprefix("opensearch:"), language)
    kind, colon, rest = text.partition(":")
    if kind in PROJECTS:
        return WikiSearch(_project(kind, rest if colon else language))
    if kind in KINDS and colon:
        url = _address(rest)
    elif "." in text or "://" in text or "localhost" in text:
        kind, url = "", _address(text)
    elif text in seed_source.names():
        built: SeedSource = seed_source.build(text)
        return built
    else:
        raise UsageError(f"There is no source called {text!r}. {ANOTHER}")
    if kind == "searxng":
        return SearXNG(url, language)
    if kind in ("", "mediawiki") and urls.path(url).endswith("/api.php"):
        return WikiSearch(url.partition("?")[0])
    return await _hints_of(client, url, kind, language)


def _project(name: str, language: str) -> str:
    code = language.lower().replace("_", "-")
    if not _CODE.fullmatch(code):
        raise UsageError(f"{language!r} is no language code; write {name}:en.")
    return f"https://{code}.{name}.org/w/api.php"


def _address(text: str) -> str:
    url = urls.canonical(text if "://" in text else f"https://{text}")
    if isinstance(url, urls.Malformed):
        raise UsageError(f"The source {text!r} is no usable URL: {url.reason}.")
    return url


def _template(text: str, language: str) -> OpenSearch:
    address = UrlTemplate(text)
    if not address.usable():
        raise UsageError(
            f"The template {text!r} cannot be used: it begins with http:// or https:// and may hold {{searchTerms}}, "
            "{startPage?}, {startIndex?}, {count?} and {language?}."
        )
    return OpenSearch(address, language, urls.host(_address(text)))


async def _hints_of(client: SourceClient, url: str, kind: str, language: str) -> SeedSource:
    """Finds out what stands at a URL: a description, or a page that tells what it belongs to."""
    answer = await client.get(url, f"{DESCRIPTION}, text/html;q=0.9, */*;q=0.1")
    if (address := describe(answer.body)) is not None and kind in ("", "opensearch"):
        return OpenSearch(address, language, urls.host(url))
    told = _hints(answer)
    if told.api and kind in ("", "mediawiki"):
        return WikiSearch(told.api)
    if told.searxng and not kind:
        return SearXNG(answer.url, language)
    if told.description and kind in ("", "opensearch"):
        described = await client.get(told.description, DESCRIPTION)
        if (address := describe(described.body)) is not None:
            return OpenSearch(address, language, urls.host(url))
    if kind == "mediawiki":
        raise SourceError(f"{url} does not say where its API is. Name it: mediawiki:https://.../api.php")
    raise SourceError(
        f"{url} is no search source that we know: no wiki, no SearXNG instance, no OpenSearch description that we can "
        f"use. If it is a SearXNG instance, write searxng:{url} {ANOTHER}"
    )


class _EngineHints(Struct):
    """What a page says about the engine it belongs to."""

    api: str = ""
    searxng: bool = False
    description: str = ""


def _hints(answer: Response) -> _EngineHints:
    told = _EngineHints()
    try:
        tree = LexborHTMLParser(to_utf8(answer.body, answer.header("content-type"))[0])
    except (SelectolaxError, ValueError):
        return told
    base = urls.Base(answer.url)
    for node in tree.css("meta[name]"):
        if (node.attributes.get("name") or "").lower() == "generator":
            told.searxng = "searx" in (node.attributes.get("content") or "").lower()
    for node in tree.css("link[href]"):
        _take_link(told, node.attributes, base)
    return told


def _take_link(told: _EngineHints, attributes: dict[str, Any], base: urls.Base) -> None:
    url = base.resolve(attributes["href"] or "")
    if isinstance(url, urls.Malformed):
        return
    rel = (attributes.get("rel") or "").lower().split()
    if "edituri" in rel and urls.path(url).endswith("/api.php"):
        told.api = told.api or url.partition("?")[0]
    elif "search" in rel and (attributes.get("type") or "").strip().lower() == DESCRIPTION:
        told.description = told.description or url
