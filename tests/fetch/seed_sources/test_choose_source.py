"""Which source a name or a URL means."""

from __future__ import annotations

import pytest

from scenthound.errors import SourceError, UsageError
from scenthound.fetch.seed_sources.choose_source import choose
from scenthound.fetch.seed_sources.mediawiki import WikiSearch
from scenthound.fetch.seed_sources.opensearch import OpenSearch, UrlTemplate
from scenthound.fetch.seed_sources.searxng import SearXNG
from scenthound.fetch.seed_sources.source_client import SourceClient
from tests.fetch.seed_sources.engines import (
    SEARXNG_HOME,
    WIKI_HOME,
    engine,
)


@pytest.mark.parametrize(
    ("text", "language", "api"),
    [
        ("", "en", "https://en.wikipedia.org/w/api.php"),
        ("wikipedia", "pt", "https://pt.wikipedia.org/w/api.php"),
        ("wikipedia:de", "en", "https://de.wikipedia.org/w/api.php"),
        ("wikivoyage", "zh", "https://zh.wikivoyage.org/w/api.php"),
        ("wiki.test/api.php", "en", "https://wiki.test/api.php"),
        ("mediawiki:http://wiki.test/w/api.php?x=1", "en", "http://wiki.test/w/api.php"),
    ],
)
async def test_wikis_by_name_and_address(client: SourceClient, text: str, language: str, api: str) -> None:
    assert await choose(client, text, language) == WikiSearch(api)
    assert client.requests == 0


async def test_a_page_tells_what_it_belongs_to(client: SourceClient) -> None:
    with engine({"/wiki": (200, "text/html", WIKI_HOME), "/": (200, "text/html", SEARXNG_HOME)}) as found:
        assert await choose(client, found.url("/wiki")) == WikiSearch(found.url("/w/api.php"))
        assert await choose(client, f"mediawiki:{found.url('/wiki')}") == WikiSearch(found.url("/w/api.php"))
        assert await choose(client, found.url("/"), "fr") == SearXNG(found.url("/"), "fr")
        found.routes["/moved"] = (302, "text/html", "/wiki")
        assert await choose(client, found.url("/moved")) == WikiSearch(found.url("/w/api.php"))


async def test_a_template_is_a_source(client: SourceClient) -> None:
    template = "https://find.test/?q={searchTerms}"
    assert await choose(client, template) == OpenSearch(UrlTemplate(template), "en")
    with pytest.raises(UsageError, match="cannot be used"):
        await choose(client, "https://find.test/?q={searchTerms}&key={apiKey}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gogle", "no source called 'gogle'"),
        ("wikipedia:english please", "no language code"),
        ("ftp://find.test/", "no usable URL: scheme ftp"),
    ],
)
async def test_what_is_no_source(client: SourceClient, text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        await choose(client, text)


@pytest.mark.parametrize("body", ["<h1>Hello</h1>", "", "\x00\x01\x02", "<OpenSearchDescription/>"])
async def test_a_page_that_is_no_engine(client: SourceClient, body: str) -> None:
    with engine({"/": (200, "text/html", body)}) as found, pytest.raises(SourceError, match="--source"):
        await choose(client, found.url("/"))
