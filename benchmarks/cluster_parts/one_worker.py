"""One worker as a process: `one_worker.py FOLDER NAME`. At its end it prints what it asked the database, as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from scenthound.cluster.worker import ShardWorker
from scenthound.config import Config
from scenthound.library import shard_leases
from scenthound.library.postgres.connection import PostgresConnection

SETTINGS = "benchmark.json"


class Asked:
    """Statements, and how long their answers took."""

    def __init__(self) -> None:
        self.statements, self.seconds = 0, 0.0

    def watch(self) -> None:
        ask = PostgresConnection.execute

        def asked(connection: PostgresConnection, query: str, values: Sequence[Any] = ()) -> Any:
            began = time.perf_counter()
            try:
                return ask(connection, query, values)
            finally:
                self.statements += 1
                self.seconds += time.perf_counter() - began

        PostgresConnection.execute = asked  # type: ignore[method-assign,assignment]


def main(folder: Path, name: str) -> None:
    asked = Asked()
    asked.watch()
    config = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=Config)
    leases = shard_leases(folder, name)
    asyncio.run(ShardWorker(folder, config, leases).run())
    print(json.dumps({"statements": asked.statements, "seconds": asked.seconds}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
