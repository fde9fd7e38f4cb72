"""Very many links that wait in a library in PostgreSQL: how large they are, and what it costs to put and to take.

The table is filled by the server itself, without its indexes, which are made afterwards: a crawl would take days.
Rows are like those of recorded webs: a URL of 62 characters, an anchor of 23, 207 around it; `LINKS_A_HOST` a host.
What is timed then is the library's own code, on the full table: steps of pages with 50 links each, recorded and stored
(put), the best links of hosts (take), and what a worker reads that takes hosts over (queues, and which URLs are known).
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import disk_usage

from msgspec import Struct

from scenthound.config import LibrarySection
from scenthound.library import open_library, open_shards, shard_leases
from scenthound.library.library_address import read_address
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.own_server import start_server
from scenthound.library.shards import shard_of
from scenthound.model import Link, Step, Waiting
from scenthound.protocols.library import Library
from scenthound.protocols.shards import Worth
from scenthound.urls import fingerprint

LINKS_A_HOST = 1_000
CHUNK = 1_000_000
STEPS, FOUND = 400, 50
TAKES, AT_ONCE = 2_000, 64
INDEXES = {
    "urls_waiting": "CREATE INDEX urls_waiting ON urls (host, priority DESC, nth) WHERE state = 0",
    "urls_finished": "CREATE INDEX urls_finished ON urls (state) WHERE state > 0",
    "urls_host": "CREATE INDEX urls_host ON urls (host)",
    "urls_shard": "CREATE INDEX urls_shard ON urls (shard) WHERE state != 3",
}
FILL = f"""
INSERT INTO urls (id, url, host, state, reason, priority, nth, depth, memory, evidence, tries, hops, not_before, source,
    anchor, title, context, block, position, rel, kind, found_at, changed_at, version)
SELECT hashint8extended(n, 0), 'http://host' || n / {LINKS_A_HOST} || '.example/' || repeat('a', 30) || n,
    'host' || n / {LINKS_A_HOST} || '.example', 0, '', random(), n, 3, NULL, 1, 0, 0, 0, hashint8extended(n / 50, 1),
    left(md5(CAST(n AS TEXT)), 23), '', repeat(md5(CAST(n AS TEXT)), 6) || left(md5(CAST(n AS TEXT)), 15), 0, 0, '',
    'link', 0, 0, NULL FROM generate_series(CAST(%s AS BIGINT), %s) AS n
"""
LEAST_FREE = 15_000_000_000
"""Bytes of disk that others may need: filling stops there."""


class Figures(Struct):
    links: int
    fill: float = 0.0  # seconds
    index: float = 0.0
    table: int = 0  # bytes
    whole: int = 0
    put: float = 0.0  # links a second
    take: float = 0.0  # milliseconds for the best of a host
    take_worst: float = 0.0  # 99 of 100 take less
    queues: float = 0.0  # seconds for one shard of 256
    known: float = 0.0

    def cells(self) -> tuple[str, ...]:
        return (
            f"{self.links:,}",
            f"{self.fill:.0f} + {self.index:.0f}",
            f"{self.table / self.links:.0f}",
            f"{self.whole / self.links:.0f}",
            f"{self.whole / 1e9:.1f}",
            f"{self.put:,.0f}",
            f"{self.take:.2f}",
            f"{self.take_worst:.2f}",
            f"{self.queues:.2f} + {self.known:.2f}",
        )


HEADINGS = (
    "links", "s to fill + index", "bytes a row", "with indexes", "GB", "put, links a second", f"take {AT_ONCE}, ms",
    "99 % below, ms", "a shard's queues + known URLs, s",
)  # fmt: skip


def measure_all(counts: Sequence[int]) -> None:
    found = [measure(count) for count in counts]
    for cells in (HEADINGS, ["---"] * len(HEADINGS), *(each.cells() for each in found)):
        print(f"| {' | '.join(cells)} |")


def measure(count: int) -> Figures:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        folder = Path(place, "library")
        address = read_address(f"{start_server(Path(place))}#links")
        open_library(folder, create=True, settings=LibrarySection(address=str(address), warc=False)).close()
        figures, connection = Figures(count), PostgresConnection(address)
        _fill(connection, figures, Path(place))
        _sizes(connection, figures)
        _put(folder, figures)
        _take(folder, figures)
        _take_over(folder, figures)
        connection.close()
        return figures


def _fill(connection: PostgresConnection, figures: Figures, place: Path) -> None:
    connection.script("SET maintenance_work_mem = '1GB'; SET synchronous_commit = off")
    connection.script("; ".join(f"DROP INDEX {name}" for name in INDEXES))
    connection.script("ALTER TABLE urls DROP CONSTRAINT urls_pkey")
    started = time.monotonic()
    for first in range(0, figures.links, CHUNK):
        if disk_usage(place).free < LEAST_FREE:
            raise SystemExit(f"The disk is nearly full: {first:,} links are there, and no more fit.")
        connection.raw.execute(FILL.encode(), (first, min(first + CHUNK, figures.links) - 1))
    figures.fill = time.monotonic() - started
    started = time.monotonic()
    connection.script("ALTER TABLE urls ADD PRIMARY KEY (id)")
    for statement in INDEXES.values():
        connection.script(statement)
    connection.execute("UPDATE counters SET value = ? WHERE name = 'order'", (figures.links,))
    connection.script("VACUUM ANALYZE urls")
    connection.script("CHECKPOINT")
    figures.index = time.monotonic() - started


def _sizes(connection: PostgresConnection, figures: Figures) -> None:
    query = "SELECT pg_table_size('urls'), pg_total_relation_size('urls')"
    figures.table, figures.whole = connection.execute(query).fetchone()


def _put(folder: Path, figures: Figures) -> None:
    with open_library(folder, settings=LibrarySection(warc=False)) as library:
        started = time.monotonic()
        for step in _steps(figures.links):
            library.record(step)
        library.flush()
        figures.put = STEPS * FOUND / (time.monotonic() - started)


def _steps(links: int) -> Iterator[Step]:
    """Pages whose links lead to hosts that are known and to new ones, as they do."""
    draw, order = random.Random(1), links
    for number in range(STEPS):
        source = f"http://new{number}.example/"
        found = []
        for _ in range(FOUND):
            host = f"host{draw.randrange(links // LINKS_A_HOST)}.example"
            url = f"http://{host}/{'b' * 30}{draw.randrange(10**9)}"
            link = Link(url, source, "an anchor of so many 23", "", "around it " * 20)
            found.append(Waiting(fingerprint(url), link, host, draw.random(), order, 3))
            order += 1
        lease = Waiting(fingerprint(source), Link(source), f"new{number}.example", 0.5, order, 2)
        yield Step(lease=lease, state="failed", at=1.0, reason="gone", found=tuple(found))


def _take(folder: Path, figures: Figures) -> None:
    draw, times = random.Random(2), []
    with open_library(folder, write=False) as library:
        for _ in range(TAKES):
            host = f"host{draw.randrange(figures.links // LINKS_A_HOST)}.example"
            started = time.monotonic()
            assert len(library.waiting(host, AT_ONCE)) == AT_ONCE
            times.append(time.monotonic() - started)
    times.sort()
    figures.take = 1000 * sum(times) / len(times)
    figures.take_worst = 1000 * times[len(times) * 99 // 100]


def _take_over(folder: Path, figures: Figures) -> None:
    leases = shard_leases(folder, "heir")
    leases.seconds = 3600.0
    leases.begin()
    fences = leases.report(Worth(), False).shards
    shard = shard_of("host0.example")
    with open_shards(folder, {shard: fences[shard]}, LibrarySection(warc=False)) as library:
        figures.queues = _timed(library, lambda each: len(list(each.queues())))
        figures.known = _timed(library, lambda each: sum(1 for _ in each.known()))
    leases.close()


def _timed(library: Library, read: Callable[[Library], int]) -> float:
    started = time.monotonic()
    read(library)
    return time.monotonic() - started
