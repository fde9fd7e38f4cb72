"""An instance of SearXNG, through its JSON interface: `/search?q=...&format=json&pageno=2`.

An instance has JSON switched off unless its settings list it under `search: formats`; then it answers 403.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from scenthound import urls
from scenthound.errors import SourceError
from scenthound.fetch.seed_sources.source_client import ANOTHER, SeedHit, SourceClient
from scenthound.parse.feed import plain

ADDRESSES = ("url", "link", "href", "uri")
MAX_LEVELS = 4


@dataclass(frozen=True)
class SearXNG:
    """`url` is that of the instance or of its /search."""

    url: str
    language: str = ""
    repeats = True

    @property
    def name(self) -> str:
        return urls.host(self.url)

    async def pages(self, client: SourceClient, words: str, limit: int) -> AsyncIterator[list[SeedHit]]:
        number = 1
        while hits := hits_in((await self._answer(client, words, number)).get("results")):
            yield hits
            number += 1

    async def _answer(self, client: SourceClient, words: str, number: int) -> dict[str, Any]:
        place = self.url.partition("?")[0].rstrip("/").removesuffix("/search")
        question = {"q": words, "format": "json", "pageno": str(number)}
        if self.language:
            question["language"] = self.language
        try:
            return await client.get_json(f"{place}/search?{urlencode(question)}", "a SearXNG instance")
        except SourceError as error:
            if error.status != 403:
                raise
            raise SourceError(
                f"{self.name} does not answer programs (HTTP 403). If the instance is yours, add json to "
                f"search: formats in its settings.yml. {ANOTHER}",
                403,
            ) from None


def hits_in(data: Any) -> list[SeedHit]:
    """The results of an answer in JSON: the first list, from the top down, of objects with an address."""
    level = [data]
    for _ in range(MAX_LEVELS):
        for value in level:
            if isinstance(value, list) and (hits := list(_hits(value))):
                return hits
        level = [inner for value in level if isinstance(value, dict) for inner in value.values()]
    return []


def _hits(values: list[Any]) -> Iterator[SeedHit]:
    for value in values:
        if isinstance(value, dict):
            url = next((value[key] for key in ADDRESSES if isinstance(value.get(key), str)), "")
            title = value.get("title") or value.get("name")
            if url:
                yield SeedHit(url, plain(title[:1_000]) if isinstance(title, str) else "")
