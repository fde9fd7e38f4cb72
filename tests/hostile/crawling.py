"""A crawl of the hostile web by the engine as users get it, and what can be said of it afterwards."""

from __future__ import annotations

import asyncio
import io
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.fetch.http import HttpFetcher
from scenthound.library import open_library
from scenthound.model import Step
from scenthound.protocols.library import Library
from scenthound.protocols.records import UrlRow
from tests.hostile import (  # noqa: F401  they register habits
    addresses,
    bodies,
    cuts,
    headers,
    lists,
    pages,
    spaces,
    tls,
    wire,
)
from tests.hostile.certificates import client_context
from tests.hostile.server import MEETINGS, NEIGHBOUR, Meeting, Web, serving, url
from tests.watchdog import PATIENCE

SETTINGS: dict[str, dict[str, Any]] = {
    "topic": {"name": "hound"},
    "crawl": {"pages": 0, "strategy": "breadth-first", "idf": "none"},
    "politeness": {"delay": 0.0},
    "fetch": {
        "connect_timeout": 10.0,
        "read_timeout": 10.0,
        "total_timeout": 20.0,
        "max_bytes": 300_000,
        "max_redirects": 5,
        "retries": 1,
        "backoff": 0.05,
    },
}


@dataclass
class Outcome:
    """What a crawl did, as its library and the server tell it."""

    folder: Path
    web: Web
    steps: list[Step]
    ending: str

    @contextmanager
    def library(self) -> Iterator[Library]:
        with open_library(self.folder, write=False) as library:
            yield library

    def row(self, address: str) -> UrlRow:
        with self.library() as library:
            row = library.url_row(address)
        assert row is not None, f"{address} was never found"
        return row

    def fetched(self, host: str = "") -> list[str]:
        with self.library() as library:
            return [page.url for page in library.pages() if page.host.endswith(f"{host}.test")]

    def requests(self) -> int:
        """How often anyone but the neighbour was asked for anything."""
        return sum(host != f"{NEIGHBOUR}.test" for host, *_ in self.web.asked)

    def disk(self) -> int:
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())


def settings(changes: dict[str, dict[str, Any]] | None = None) -> Config:
    merged = {section: SETTINGS.get(section, {}) | (changes or {}).get(section, {}) for section in (*SETTINGS, "scope")}
    return from_dict(merged)


async def crawl(
    folder: Path, seeds: Sequence[str], changes: dict[str, dict[str, Any]] | None = None, patience: float = PATIENCE
) -> Outcome:
    """Crawls until nothing waits or a budget is spent; more than `patience` seconds are a hang."""
    config = settings(changes)
    config.crawl.seeds = list(seeds)
    steps: list[Step] = []
    async with serving() as web:
        fetcher = HttpFetcher(
            config.fetch, config.politeness, resolver=web.resolver(), guard=web.guard(), tls=client_context()
        )
        async with (
            asyncio.timeout(patience),
            assembled(config, folder, fetcher=fetcher, observers=[steps.append]) as run,
        ):
            ending = await run.run()
        return Outcome(folder, web, steps, ending)


async def crawl_habit(
    folder: Path, name: str, changes: dict[str, dict[str, Any]] | None = None, patience: float = PATIENCE
) -> Outcome:
    """A host's bad habit first, then the good page on the same host, and a good host besides."""
    return await crawl(folder, [url(name), url(name, "/good"), url("fine", "/")], changes, patience)


async def crawl_behaviour(folder: Path, name: str) -> Outcome:
    """Comes upon a habit as its `Meeting` says, asks for the good page of its host, and for the neighbour's pages."""
    meeting = MEETINGS.get(name, Meeting())
    seeds = [seed if "://" in seed else url(name, seed) for seed in (*meeting.seeds, "/good")]
    return await crawl(folder, [*seeds, url(NEIGHBOUR, "/")], meeting.settings)


def assert_intact(outcome: Outcome) -> None:
    """The database is sound, every stored page can be read back, and warcio finds every record whole."""
    with sqlite3.connect(outcome.folder / "library.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    with outcome.library() as library:
        for page in library.pages():
            response = library.body(page.url)
            assert response is not None
            assert response.status == page.status
            library.text(page.url)
            library.outlinks(page.url)
    for file in (outcome.folder / "warc").glob("*.warc.gz"):
        assert_whole_warc(file.read_bytes())


def assert_whole_warc(data: bytes) -> None:
    records = ArchiveIterator(io.BytesIO(data), check_digests="raise")
    kinds = [(record.rec_type, record.content_stream().read()) for record in records]
    assert kinds
    assert kinds[0][0] == "warcinfo"
