"""A library in PostgreSQL as the owner of some shards sees and writes it, beside others who own the rest.

Pages, texts and labels are everybody's. What waits is what waits in its shards. Links to other hosts are stored as they
are found, with a note to their owner in the same transaction (`handed`): the note saves time, and when it is lost the
link still waits. Every write is made under the fencing numbers of the shards, and refused when one is old.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from msgspec.structs import replace

from scenthound.config import LibrarySection
from scenthound.errors import LibraryBusy
from scenthound.library.archive.warc_files import WarcArchive, WarcFile
from scenthound.library.folder import ARCHIVE
from scenthound.library.library_address import LibraryAddress
from scenthound.library.postgres import schema
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.late_numbers import PROVISIONAL
from scenthound.library.postgres.library import PostgresLibrary
from scenthound.library.postgres.told_experiences import ToldExperiences
from scenthound.library.postgres.transactions import PostgresTransactions
from scenthound.library.shards import shard_of
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.recorder import SOFTWARE
from scenthound.library.sql.row_batch import Counters, RowBatch
from scenthound.library.sql.transactions import Change, Statement
from scenthound.library.sql.url_table import REFUSED, WAITING
from scenthound.library.sql.writer import Writer
from scenthound.model import Step, Waiting
from scenthound.protocols.crawl import Clock
from scenthound.protocols.records import HostQueue
from scenthound.protocols.snapshots import KeptSnapshots, Snapshot

GATHERING = 0.25
"""Seconds that a worker's steps gather: of what the lock costs under which all workers store, most is a transaction's,
not a page's. Until then they count as promised, so nobody waits for them but at the very end."""

MOST_FILES = 1_000_000  # that one worker begins between two starts: their numbers are of its own
MOST_HANDED = 2_000
MOST_IDLE = 3.0
"""Seconds after which the server ends the transaction of a worker that was stopped in its middle: whoever else stores
pages waits for it."""


class WorkerArchive(WarcArchive):
    """WARC files in a folder of a worker's own, below the library's."""

    def __init__(self, folder: Path, number: int, settings: LibrarySection, info: Mapping[str, str]) -> None:
        self._name = f"worker-{number:06d}"
        super().__init__(folder / ARCHIVE / self._name, settings.warc_bytes, info, None)
        self._file = WarcFile(number * MOST_FILES, "", 0)
        self._committed = self._file
        self.folder.parent.mkdir(parents=True, exist_ok=True)

    def changed(self) -> list[WarcFile]:
        return [replace(file, name=f"{self._name}/{file.name}") for file in super().changed()]


class ShardTransactions(PostgresTransactions):
    """Hands links to other shards over, in the transaction that stores them."""

    def __init__(self, connection: PostgresConnection, archive: WarcArchive | None, shards: Mapping[int, int]) -> None:
        super().__init__(connection, archive)
        self._shards = shards
        self._foreign: list[tuple[int, int]] = []
        self._new_pages = 0
        self.pages = 0  # that were stored
        # For the whole session: the database looks at it before every statement that writes.
        fences = " ".join(f"{shard}:{fence}" for shard, fence in sorted(shards.items()))
        connection.execute("SELECT set_config('scenthound.fences', ?, false)", (fences,))

    def _run(self, steps: deque[Step], changes: Sequence[Statement | Change]) -> None:
        found = {row.id: shard_of(row.host) for step in steps for row in step.found}
        self._foreign = [(shard, number) for number, shard in found.items() if shard not in self._shards]
        super()._run(steps, changes)
        self.pages += self._new_pages

    def _write(
        self, batch: RowBatch, changes: Sequence[Statement | Change], connection: Connection | None = None
    ) -> Counters:
        through = connection or self._postgres
        counters = super()._write(batch, changes, through)
        self._new_pages = counters.page - PROVISIONAL.page
        if self._foreign:
            shards, numbers = map(list, zip(*self._foreign, strict=True))
            through.execute(_HANDED, (shards, numbers))
        return counters


_HANDED = "INSERT INTO handed (shard, url) SELECT * FROM unnest(CAST(? AS INTEGER[]), CAST(? AS BIGINT[]))"


class ShardLibrary(PostgresLibrary):
    """`protocols.shards.SharedLibrary`. Runs and snapshots are the driver's to note, so they are not written here."""

    def __init__(
        self,
        folder: Path,
        connection: PostgresConnection,
        transactions: ShardTransactions,
        shards: Mapping[int, int],
        clock: Clock = time.time,
    ) -> None:
        super().__init__(folder, connection, Writer(transactions, GATHERING), clock)
        self._transactions = transactions
        self._shards = sorted(shards)
        self._experiences = ToldExperiences(connection.address)

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._experiences.close()

    @classmethod
    def open_shards(
        cls,
        address: LibraryAddress,
        folder: Path,
        shards: Mapping[int, int],
        settings: LibrarySection,
        clock: Clock = time.time,
    ) -> Self:
        """The library for whoever holds the leases of these shards, each with its fencing number."""
        connection = PostgresConnection(address)
        try:
            schema.check(connection)
            return cls(folder, connection, _transactions(address, folder, shards, settings), shards, clock)
        except BaseException:
            connection.close()
            raise

    # What waits

    def queues(self) -> Iterable[HostQueue]:
        query = (
            f"SELECT host, count(*), max(priority) FROM urls WHERE state = {WAITING} AND shard = ANY(?) GROUP BY host"
        )
        return [HostQueue(*row) for row in self._ask(query, (self._shards,))]

    def known(self) -> Iterator[tuple[int, bool]]:
        self.flush()
        numbers = ", ".join(map(str, self._shards))
        query = f"SELECT id, state = {WAITING} FROM urls WHERE state != {REFUSED} AND shard IN ({numbers})"
        yield from self._stream(query)

    def handed(self) -> list[Waiting]:
        # Whoever takes one has something to do again, at the same moment.
        rows = self._ask(
            "WITH taken AS (DELETE FROM handed WHERE nth IN (SELECT nth FROM handed WHERE shard = ANY(?) "
            "ORDER BY nth LIMIT ?) RETURNING url), busy AS (UPDATE workers SET idle = FALSE WHERE worker IN "
            "(SELECT worker FROM shards WHERE shard = ANY(?)) AND EXISTS (SELECT 1 FROM taken)) SELECT url FROM taken",
            (self._shards, MOST_HANDED, self._shards),
        ).fetchall()
        return self.leases([number for (number,) in rows])

    # What workers learned

    def tell(self, teller: str, content: bytes) -> None:
        self._experiences.tell(teller, content)

    def told_since(self, number: int, teller: str) -> list[tuple[int, str, bytes]]:
        return self._experiences.told_since(number, teller)

    def last_told(self) -> int:
        return self._experiences.last_told()

    def stored_pages(self) -> int:
        return self._transactions.pages

    # What the driver notes

    def start_run(self, config: str) -> None:
        pass

    def end_run(self, reason: str, counters: Mapping[str, float] | None = None) -> None:
        pass

    def keep_snapshots(self, snapshots: Mapping[str, Snapshot], made_with: str) -> None:
        pass

    def kept_snapshots(self, made_with: str) -> KeptSnapshots | None:
        return None  # they would know one worker's pages; each learns from all that are stored


def _transactions(
    address: LibraryAddress, folder: Path, shards: Mapping[int, int], settings: LibrarySection
) -> ShardTransactions:
    connection = PostgresConnection(address, lasting=True, most_idle=MOST_IDLE)
    try:
        key = f"scenthound write {address.name}"
        if not connection.execute("SELECT pg_try_advisory_lock_shared(hashtextextended(?, 0))", (key,)).fetchone()[0]:
            raise LibraryBusy(f"A crawl without workers is writing to {address}. Wait for it to end, or stop it.")
        archive = None
        if settings.warc:
            (number,) = connection.execute("SELECT nextval('archives')").fetchone()
            archive = WorkerArchive(folder, number, settings, {"software": SOFTWARE})
        return ShardTransactions(connection, archive, shards)
    except BaseException:
        connection.close()
        raise
