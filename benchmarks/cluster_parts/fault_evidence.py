"""What an outsider can tell of a crawl by workers: from the server's log, and the database, asked between faults."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
from msgspec import Struct

from cluster_parts.linked_hosts import page
from scenthound.library import open_library
from scenthound.model import Response


class Evidence(Struct):
    requests: int = 0
    hosts: int = 0
    smallest_gap: float = 0.0  # seconds between the end of a request to a host and the next one
    at_once: int = 0  # requests to a host that had one under way
    too_soon: int = 0
    pages: int = 0
    lost: int = 0  # pages and answers that were in the database once, and are not at the end
    twice: int = 0
    unreadable: int = 0  # answers that cannot be read, or are not what the server says
    never_asked: int = 0  # stored, and not in the server's log

    @property
    def wrong(self) -> int:
        return self.at_once + self.too_soon + self.lost + self.twice + self.unreadable + self.never_asked


class Witness:
    """Keeps what it has seen in the database: none of it may vanish."""

    def __init__(self, server: str, name: str) -> None:
        self._server, self._name = server, name
        self.pages: set[str] = set()
        self.versions: set[tuple[int, int]] = set()
        self.lost = 0
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None

    def look(self) -> None:
        pages = {row[0] for row in self.ask("SELECT u.url FROM pages p JOIN urls u ON u.id = p.id")}
        versions = {
            (seq, url) for seq, url in self.ask("SELECT v.seq, v.url FROM versions v JOIN pages p ON p.id = v.url")
        }
        self.lost += len(self.pages - pages) + len(self.versions - versions)
        self.pages |= pages
        self.versions |= versions

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        for _ in range(60):  # a server that was just started may still be recovering
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = psycopg.connect(self._server, autocommit=True, connect_timeout=5)
                    self._connection.execute(f'SET search_path = "{self._name}"')
                return self._connection.execute(query).fetchall()
            except psycopg.OperationalError:
                time.sleep(1.0)
        raise SystemExit("PostgreSQL does not come back.")

    def stored(self) -> int:
        return int(self.ask("SELECT value - 1 FROM counters WHERE name = 'page'")[0][0])  # type: ignore[call-overload]

    def longest_pause(self, since: float) -> float:
        """Seconds of that time in which no page came."""
        times = [row[0] for row in self.ask(f"SELECT fetched_at FROM pages WHERE fetched_at > {since} ORDER BY 1")]
        return max((later - earlier for earlier, later in pairwise([since, *times])), default=0.0)  # type: ignore[operator]

    def owners(self) -> dict[int, str]:
        """Shard -> the worker that holds its lease."""
        return dict(self.ask("SELECT shard, worker FROM shards WHERE until > clock_timestamp()"))  # type: ignore[arg-type]


def gathered(log: Path, folder: Path, delay: float, pages: int, witness: Witness) -> Evidence:
    """`pages`: so many a host has."""
    asked = defaultdict(list)
    for line in log.read_text().splitlines():
        host, path, began, ended = json.loads(line)
        asked[host].append((began, ended, path))
    gaps = [later[0] - earlier[1] for times in asked.values() for earlier, later in pairwise(sorted(times))]
    witness.look()
    known = {f"http://{host}{path}" for host, times in asked.items() for _, _, path in times}
    with open_library(folder, write=False) as library:
        stored = [each.url for each in library.pages()]
        unreadable = sum(not _is_as_served(library.body(url), pages) for url in stored)
    answers = [url for _, url in witness.versions]
    return Evidence(
        requests=sum(map(len, asked.values())),
        hosts=len(asked),
        smallest_gap=min(gaps),
        at_once=sum(gap < 0 for gap in gaps),
        too_soon=sum(0 <= gap < delay for gap in gaps),
        pages=len(stored),
        lost=witness.lost + len(witness.pages - set(stored)),
        twice=len(stored) - len(set(stored)) + len(answers) - len(set(answers)),
        unreadable=unreadable,
        never_asked=len(set(stored) - known),
    )


def _is_as_served(answer: Response | None, pages: int) -> bool:
    if answer is None:
        return False
    host, _, number = answer.url.removeprefix("http://").partition("/")
    return answer.body == page(host, int(number or 0), int(host.rpartition(":")[2]), pages).encode()
