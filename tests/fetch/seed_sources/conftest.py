"""A client that asks loopback, and does not really wait."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.seed_sources.source_client import SourceClient
from tests.fetch.seed_sources.engines import Slept


@pytest.fixture
def slept() -> Slept:
    return Slept()


@pytest.fixture
async def client(slept: Slept) -> AsyncIterator[SourceClient]:
    settings = FetchSection(private_addresses=True, total_timeout=5.0, max_bytes=300_000)
    fetcher = HttpFetcher(settings, PolitenessSection())
    yield SourceClient(fetcher, delay=1.5, sleep=slept)
    await fetcher.close()
