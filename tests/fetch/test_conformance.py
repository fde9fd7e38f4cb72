"""The conformance suite, run over the live and the replaying fetcher."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.replay import ReplayFetcher
from scenthound.fetch.resolve import StaticResolver
from scenthound.protocols.crawl import Fetcher
from tests.conformance.fetchers import MAX_BYTES, WEB, FetcherSuite
from tests.fetch.recorded import record, write
from tests.fetch.serving import serving


def on_the_wire(path: str) -> bytes:
    status, headers, body = WEB[path]
    length = {} if status[:3] in ("204", "304") else {"Content-Length": str(len(body))}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in (headers | length).items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


class TestHttp(FetcherSuite):
    @pytest.fixture
    async def fetcher(self) -> AsyncIterator[Fetcher]:
        async with serving({path: on_the_wire(path) for path in WEB}) as served:
            settings = FetchSection(max_bytes=MAX_BYTES, private_addresses=True)
            resolver = StaticResolver([".test"], port=served.port)
            fetcher = HttpFetcher(settings, PolitenessSection(), clock=lambda: 1000.0, resolver=resolver)
            yield fetcher
            await fetcher.close()


class TestReplay(FetcherSuite):
    @pytest.fixture
    async def fetcher(self, tmp_path: Path) -> AsyncIterator[Fetcher]:
        records = [record(f"http://web.test{page}", on_the_wire(page)) for page in WEB]
        path = write(tmp_path / "web.warc.gz", *records)
        fetcher = ReplayFetcher([path], index_folder=tmp_path, clock=lambda: 1000.0, max_bytes=MAX_BYTES)
        yield fetcher
        await fetcher.close()
