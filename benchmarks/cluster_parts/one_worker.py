"""One worker as a process: `one_worker.py FOLDER NAME`. At its end it prints what it asked the database, as JSON."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from scenthound.cluster.shared_learning import ToldLearning
from scenthound.cluster.worker import ShardWorker
from scenthound.config import Config
from scenthound.library import shard_leases
from scenthound.library.postgres import late_numbers
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.shard_leases import PostgresLeases
from scenthound.library.postgres.told_experiences import ToldExperiences
from scenthound.library.postgres.transactions import PostgresTransactions

SETTINGS = "benchmark.json"
LOCKED_NOW = "SELECT set_config('benchmark.locked_at', CAST(extract(epoch FROM clock_timestamp()) AS TEXT), FALSE)"
"""Server and worker have one clock here."""


class Asked(Struct):
    """What this worker asked of the database, and what learning from others cost it. Seconds are by the clock."""

    messages: int = 0  # to the server, each with one statement or several, and an answer that was waited for
    seconds: float = 0.0
    lock_held: float = 0.0  # of numbers of pages, from when it was had to the end of the transaction
    batches: int = 0
    allotments: int = 0
    allotting: float = 0.0
    reports: int = 0
    reporting: float = 0.0
    told: int = 0  # bytes
    heard: int = 0  # experiences of strategy or judge
    hearing: float = 0.0
    cpu: float = 0.0  # seconds, from the first batch on: before that, Python starts

    def watch(self) -> None:
        for name in ("execute", "ask_together", "script"):
            self._around(PostgresConnection, name, self._message)
        late_numbers.LOCK = f"{late_numbers.LOCK}; {LOCKED_NOW}"
        self._around(PostgresTransactions, "_run", self._batch)
        self._around(PostgresLeases, "allot", self._timed("allotments", "allotting"))
        self._around(PostgresLeases, "report", self._timed("reports", "reporting"))
        self._around(ToldLearning, "_take", self._timed("heard", "hearing"))
        self._around(ToldExperiences, "tell", self._bytes)

    @staticmethod
    def _around(owner: type, name: str, then: Callable[..., None]) -> None:
        """`then` hears of each call: what was given to it, and how long it took."""
        method = getattr(owner, name)

        def called(*given: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return method(*given, **named)
            finally:
                then(time.perf_counter() - began, *given)

        setattr(owner, name, called)

    def _message(self, took: float, *given: Any) -> None:
        self.messages += 1
        self.seconds += took

    def _batch(self, took: float, transactions: PostgresTransactions, *given: Any) -> None:
        ended = time.time()
        if not self.batches:
            self.cpu = -time.process_time()
        self.batches += 1
        if row := transactions._postgres.raw.execute("SELECT current_setting('benchmark.locked_at', TRUE)").fetchone():
            self.lock_held += ended - float(row[0])

    def _bytes(self, took: float, board: ToldExperiences, teller: str, content: bytes) -> None:
        self.told += len(content)

    def _timed(self, number: str, seconds: str) -> Callable[..., None]:
        def note(took: float, *given: Any) -> None:
            setattr(self, number, getattr(self, number) + 1)
            setattr(self, seconds, getattr(self, seconds) + took)

        return note


def main(folder: Path, name: str) -> None:
    asked = Asked()
    asked.watch()
    config = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=Config)
    leases = shard_leases(folder, name)
    asyncio.run(ShardWorker(folder, config, leases).run())
    asked.cpu += time.process_time()
    print(msgspec.json.encode(asked).decode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
