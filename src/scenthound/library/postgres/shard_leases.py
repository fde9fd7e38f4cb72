"""Leases of shards: who crawls which hosts, and how much of the budget each worker gets.

A worker reports now and then. Its leases last some seconds longer each time; who does not report loses them, and others
take them, each time with a higher fencing number. Nobody decides but the database, by its own clock. Nobody takes a
lease before its time is up, not even a driver that is started anew: who holds it may be asking a host just now.
When workers come and go, only their shards move: who has too many gives back those it took last, and who has too few
takes what was its own before, then what a lost worker had.

One driver leads a crawl, by a lock that goes with its connection. The next one tells workers that were left behind to
end, waits until their leases are over, and has the server end what is left of their connections.

The budget goes where the value is: a link far from the start is asked only while it is among the best of all workers'.
Of those at hand, so many are good enough as all workers together ask at once, as one engine would take that had all of
them; of those that wait, a share of the pages left, as in any crawl (`crawler.page_thrift`). A host near the start is
asked whenever its delay lets it. Where it keeps none, its links go while they are among the best twice as many at hand
as all ask at once: else a worker with one such host would spend as much on it as another on four.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any

from scenthound.errors import LibraryBusy
from scenthound.library.library_address import LibraryAddress
from scenthound.library.postgres import schema
from scenthound.library.postgres.connection import PostgresConnection, Statements
from scenthound.library.postgres.locks import LOCKED, holder
from scenthound.library.postgres.told_experiences import TABLE
from scenthound.library.shards import SHARDS
from scenthound.library.sql.connection import Connection, Cursor
from scenthound.protocols.shards import RANKS, Allotment, Standing, Worth

SECONDS = 3.0
"""That a lease lasts without a report."""

MOST_IDLE = 1.0
"""Seconds after which the server ends the report of a worker that was stopped in its middle: all others wait for it."""

MOST_AT_ONCE = 32
"""Requests under way that are counted of a worker. Twice as many are allotted at a time at most: fewer cost more
questions, more follow the value later."""

NEAR = 2
"""Of hosts near the start that keep no delay so many times as many links are good enough as all ask at once: workers
have different numbers of such hosts, and would wait for whoever has most if it were once."""

STALE = 3.0
"""Seconds after which what a worker said its links are worth counts no more: it is slow, or waits for hosts."""

PATIENCE = 30.0
"""Seconds that workers have to end that a driver left behind."""

SILENT = 1 / 3
"""Of a lease, after which a worker that does not report is probably lost, and has no claim to what others have: who is
started in its place gets its shards, once they are free. Three reports come in that time."""

LATER_COLUMNS = (
    "ALTER TABLE workers ADD COLUMN IF NOT EXISTS waiting DOUBLE PRECISION[] NOT NULL DEFAULT '{}'",
    "ALTER TABLE workers ADD COLUMN IF NOT EXISTS lease DOUBLE PRECISION NOT NULL DEFAULT 0",
    "ALTER TABLE shards ADD COLUMN IF NOT EXISTS taken TIMESTAMPTZ NOT NULL DEFAULT '-infinity'",
)
"""For libraries that were made before workers told of more than what is at hand and how long their leases last, and
before it was known since when a shard is whose."""

ENDING = "cluster ending"
Answers = list[list[tuple[Any, ...]]]
NOTE = "SELECT value FROM notes WHERE name = ?"


class CrawlOver(Exception):
    """Why it is."""


class PostgresLeases:
    """`protocols.shards.ShardLeases`."""

    def __init__(self, address: LibraryAddress, worker: str, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._worker = worker
        self._lock = threading.RLock()  # one connection, and a thread that renews beside one that reports
        self._connection = PostgresConnection(address, most_idle=MOST_IDLE)
        try:
            schema.check(self._connection)
            self._connection.execute(
                "INSERT INTO shards (shard) SELECT generate_series(0, ? - 1) ON CONFLICT DO NOTHING", (SHARDS,)
            )
        except BaseException:
            self._connection.close()
            raise

    @contextmanager
    def _alone(self, first: Statements | None = None) -> Iterator[tuple[PostgresConnection, Answers]]:
        """A transaction that no other worker's comes between, nor another of this one's threads.

        `first`: what it begins with, sent as one message with the lock: all others wait while it is held. Their answers
        come with the connection.
        """
        connection = self._connection
        with self._lock:
            connection.begin()
            try:
                asked = Statements(connection)
                key = f"scenthound cluster {connection.address.name}"
                asked.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (key,))
                asked.add(first)
                yield connection, connection.ask_together(asked)[1:]
                connection.commit()
            except BaseException:
                connection.roll_back()
                raise

    def _statements(self) -> Statements:
        with self._lock:
            self._connection.connect_if_lost()
            return Statements(self._connection)

    def report(self, worth: Worth, idle: bool) -> Standing:
        try:
            return self._report(worth, idle)
        except CrawlOver as over:
            return Standing({}, ending=str(over))

    def _report(self, worth: Worth, idle: bool) -> Standing:
        first = self._statements()
        first.execute(NOTE, (ENDING,))
        self._tell(first, worth, idle)
        first.execute("DELETE FROM workers WHERE until < clock_timestamp()")
        first.execute(
            f"UPDATE shards SET until = {_ahead()} WHERE worker = ? AND until > clock_timestamp()",
            (self.seconds, self._worker),
        )
        heard = f"count(*) FILTER (WHERE worker = ? OR until > {_ahead('lease * ?')})"
        first.execute(f"SELECT count(*), {heard} FROM workers", (self._worker, 1 - SILENT))
        self._held(first)
        with self._alone(first) as (connection, (noted, _, _, _, [(workers, claiming)], rows)):
            if noted:
                raise CrawlOver(noted[0][0])  # so that nothing of this report counts
            held = dict(rows)
            if (lacking := _fair(workers) - len(held)) > 0:
                self._take(connection, lacking)
                held = dict(self._held(connection).fetchall())
            if idle and self._all_idle(connection):
                _write_note(connection, ENDING, "frontier empty")
                return Standing(held, ending="frontier empty")
            return Standing(held, frozenset(list(held)[_fair(claiming) :]))

    def renew(self, shards: Collection[int]) -> bool:
        held = (
            f"UPDATE shards SET until = {_ahead()} WHERE worker = ? AND shard = ANY(?) AND until > clock_timestamp() "
            "RETURNING 1"
        )
        seen = f"UPDATE workers SET until = {_ahead()} WHERE worker = ? RETURNING 1"
        query = (
            f"WITH held AS ({held}), seen AS ({seen}) SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM seen)"
        )
        values = (self.seconds, self._worker, sorted(shards), self.seconds, self._worker)
        with self._lock:
            kept, known = self._connection.execute(query, values).fetchone()
        return bool(kept == len(shards) and known)

    def _tell(self, connection: Connection, worth: Worth, idle: bool) -> None:
        told = (worth.at_hand, worth.waiting)
        connection.execute(
            "INSERT INTO workers (worker, seen_at, until, lease, worth, waiting, idle) "
            f"VALUES (?, clock_timestamp(), {_ahead()}, ?, ?, ?, ?) "
            "ON CONFLICT (worker) DO UPDATE SET seen_at = excluded.seen_at, until = excluded.until, "
            # Who has nothing to do gives back what it was promised, or others would wait for those pages for ever.
            "worth = excluded.worth, waiting = excluded.waiting, idle = excluded.idle, "
            "allotted = CASE WHEN excluded.idle THEN 0 ELSE workers.allotted END",
            (self._worker, self.seconds, self.seconds, *(list(map(float, each)) for each in told), idle),
        )

    def _held(self, connection: Connection) -> Cursor:
        """Shard and fencing number; those it took last are last."""
        query = "SELECT shard, fence FROM shards WHERE worker = ? AND until > clock_timestamp() ORDER BY taken, shard"
        return connection.execute(query, (self._worker,))

    def _take(self, connection: Connection, wanted: int) -> None:
        """Free shards, and those whose owner has not reported: rather its own ones of before, and others' last who are
        there. One that somebody still writes to under the old number is left for the next time, so that nobody waits
        here; after this such a write is refused."""
        connection.execute(
            f"UPDATE shards SET worker = ?, fence = fence + 1, until = {_ahead()}, taken = clock_timestamp() "
            "WHERE shard IN (SELECT shard FROM shards WHERE until <= clock_timestamp() "
            "ORDER BY worker != ?, worker IN (SELECT worker FROM workers), shard LIMIT ? FOR UPDATE SKIP LOCKED)",
            (self._worker, self.seconds, self._worker, wanted),
        )

    def _all_idle(self, connection: Connection) -> bool:
        """Whether every shard has an owner with nothing to do, and no link is on its way to one."""
        query = (
            "SELECT NOT EXISTS (SELECT 1 FROM workers WHERE NOT idle) AND NOT EXISTS (SELECT 1 FROM handed) "
            "AND NOT EXISTS (SELECT 1 FROM shards WHERE until <= clock_timestamp())"
        )
        return bool(connection.execute(query).fetchone()[0])

    def give_back(self, shards: Collection[int]) -> None:
        """Whose they were is remembered, in case whoever they are for is lost before it takes them."""
        with self._lock:
            self._connection.execute(
                "UPDATE shards SET until = '-infinity' WHERE worker = ? AND shard = ANY(?)",
                (self._worker, sorted(shards)),
            )

    def leave(self) -> None:
        with self._alone() as (connection, _):
            free = "UPDATE shards SET worker = '', until = '-infinity' WHERE worker = ?"
            connection.execute(free, (self._worker,))
            connection.execute("DELETE FROM workers WHERE worker = ?", (self._worker,))

    def allot(self, worth: Worth, most: int, at_once: int, *, thrift: float = 0.0, holding: int = 0) -> Allotment:
        first, at_once = self._statements(), min(at_once, MOST_AT_ONCE)
        # Nobody waits for the disk: a server that dies loses a promise, and whoever had it loses its connection.
        first.execute("SET LOCAL synchronous_commit = off")
        self._tell(first, worth, idle=False)
        first.execute("UPDATE workers SET allotted = ? WHERE worker = ?", (holding, self._worker))
        first.execute(f"SELECT worth, waiting, allotted, seen_at > {_ago()} FROM workers", (STALE,))
        first.execute("SELECT value - 1 FROM counters WHERE name = 'page'")
        with self._alone(first) as (connection, (*_, rows, [(pages,)])):
            if most and pages >= most:
                _write_note(connection, ENDING, "pages")
                return Allotment()
            # What was stored since the worker looked counts twice here: that is on the safe side.
            left = most - pages - sum(allotted for *_, allotted, _ in rows) if most else inf
            under_way, rank, least, last, of_near = at_once * len(rows), 0, -inf, -inf, -inf
            if most and thrift:
                rank = _good_ranks(thrift * (most - pages), under_way)
                at_hand, waiting = zip(*(row[:2] for row in rows if row[-1]), strict=True)  # it has just told its own
                least, last = priority_of(waiting, rank), _last_of(at_hand, under_way)
                of_near = _last_of(at_hand, NEAR * under_way)
            good = worth.good_enough(max(least, last), of_near)
            share = int(max(0, min(left, good, 2 * at_once)))
            connection.execute("UPDATE workers SET allotted = allotted + ? WHERE worker = ?", (share, self._worker))
            return Allotment(share, least, rank)

    def end(self, ending: str) -> None:
        with self._alone() as (connection, _):
            if not _note(connection, ENDING):
                _write_note(connection, ENDING, ending)

    def begin(self) -> None:
        with self._alone() as (connection, _):
            connection.execute(TABLE)
            for column in LATER_COLUMNS:
                connection.execute(column)
            connection.execute("DELETE FROM notes WHERE name = ?", (ENDING,))
            connection.execute("DELETE FROM workers")
            connection.execute("DELETE FROM handed")  # all of them wait in `urls`, where each owner finds its own

    def lead(self) -> None:
        key = f"scenthound driver {self._connection.address.name}"
        deadline = time.monotonic() + self.seconds
        while not self._lead(key):
            if time.monotonic() > deadline:
                raise LibraryBusy(
                    f"Another crawl with workers{holder(self._connection, key)} runs on {self._connection.address}. "
                    "Wait for it to end, stop it, or use another library."
                )
            time.sleep(0.1)

    def _lead(self, key: str) -> bool:
        with self._lock:
            query = "SELECT pg_try_advisory_lock(hashtextextended(?, 0))"
            return bool(self._connection.execute(query, (key,)).fetchone()[0])

    def end_all(self) -> None:
        self.end("stopped")
        deadline = time.monotonic() + PATIENCE
        while self._owners():
            if time.monotonic() > deadline:
                raise LibraryBusy(
                    f"Workers of an earlier crawl still run on {self._connection.address}, and do not end. Stop them, "
                    "then run the same command again."
                )
            time.sleep(0.1)
        key = f"scenthound write {self._connection.address.name}"
        with self._lock:  # whoever still has a connection has lost its leases, and cannot write any more
            self._connection.execute(
                "SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted "
                f"AND l.mode = 'ShareLock' AND {LOCKED}",
                (key,),
            )

    def _owners(self) -> int:
        with self._lock:
            query = "SELECT count(*) FROM shards WHERE until > clock_timestamp()"
            return int(self._connection.execute(query).fetchone()[0])

    def workers(self) -> int:
        with self._lock:
            query = "SELECT count(*) FROM workers WHERE until > clock_timestamp()"
            return int(self._connection.execute(query).fetchone()[0])

    def ending(self) -> str:
        with self._lock:
            return _note(self._connection, ENDING)

    def close(self) -> None:
        self._connection.close()


def _fair(workers: int) -> int:
    """How many shards each of so many may have."""
    return -(-SHARDS // workers)


def _last_of(at_hand: Sequence[Sequence[float]], number: int) -> float:
    """The priority of the last of so many, best first; where they are fewer, none is too low."""
    best = heapq.nlargest(number, (priority for each in at_hand for priority in each))
    return best[-1] if len(best) == number else -inf


def priority_of(told: Sequence[Sequence[float]], rank: int) -> float:
    """That of the link of this rank among those of all workers, of which each told some by `RANKS`; rather the next one
    told than a better one. Where they are fewer, none is too low."""
    steps = [
        (priority, its_rank - before)
        for each in told
        for priority, its_rank, before in zip(each, RANKS, (0, *RANKS), strict=False)
    ]
    found = 0
    for priority, links in sorted(steps, reverse=True):
        found += links
        if found >= rank:
            return priority
    return -inf


def _good_ranks(wanted: float, under_way: int) -> int:
    """How many of all links that wait are good enough: so many as are wanted, but no fewer than are allotted at a time,
    before any is answered. A worker tells of no more than `RANKS`: where the best links of a large crawl are all with
    one, nobody else's must pass because they were not told."""
    allotted, known = 2 * under_way, RANKS[-1]
    return max(allotted, min(int(wanted), known))


def _ahead(seconds: str = "?") -> str:
    return f"clock_timestamp() + make_interval(secs => {seconds})"


def _ago() -> str:
    return "clock_timestamp() - make_interval(secs => ?)"


def _note(connection: Connection, name: str) -> str:
    row = connection.execute(NOTE, (name,)).fetchone()
    return str(row[0]) if row else ""


def _write_note(connection: Connection, name: str, value: str) -> None:
    connection.execute(
        "INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value)
    )
