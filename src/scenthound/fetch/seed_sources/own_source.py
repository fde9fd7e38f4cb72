"""Seed sources of other packages: known to `seeds --source` by their names.

@seed_source("museum")
@dataclass
class Museum:
    "The catalogue of a museum."

    name = "museum"
    repeats = False

    async def pages(self, client, words, limit):
        yield [SeedHit("https://museum.example/fern", "A fern")]
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from scenthound.fetch.seed_sources.source_client import SeedHit, SourceClient
from scenthound.registry import Registry


class GivesSeeds(Protocol):
    def pages(self, client: SourceClient, words: str, limit: int) -> AsyncIterator[list[SeedHit]]: ...


seed_source = Registry("seed_source", "scenthound.fetch.seed_sources", GivesSeeds)
