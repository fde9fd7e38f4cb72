"""The way in: what a crawl records goes through the writer's queue, in its order."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scenthound.library.sql.queries import SqlQueries
from scenthound.model import Step
from scenthound.protocols.crawl import Clock
from scenthound.version import __version__

SOFTWARE = f"Scenthound/{__version__}"


class SqlRecorder(SqlQueries):
    """`protocols.Recorder`."""

    _clock: Clock
    _run = 0

    def record(self, step: Step) -> None:
        self._writing().record(step)

    def start_run(self, config: str) -> None:
        self._run = self._ask("SELECT coalesce(max(id), 0) + 1 FROM runs").fetchone()[0]
        row = (self._run, self._clock(), SOFTWARE, config)
        self._writing().record(("INSERT INTO runs VALUES (?, ?, NULL, '', ?, ?, '{}')", row))

    def end_run(self, reason: str, counters: Mapping[str, float] | None = None) -> None:
        row = (self._clock(), reason, msgspec.json.encode(counters or {}).decode(), self._run)
        self._writing().record(("UPDATE runs SET ended_at = ?, reason = ?, counters = ? WHERE id = ?", row))
