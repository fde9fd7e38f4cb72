"""A library as a whole, for whoever copies it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scenthound.library.sql.connection import Connection
from scenthound.library.sql.queries import SqlQueries
from scenthound.library.sql.transactions import Change
from scenthound.model import Label
from scenthound.protocols.crawl import Clock


class WholeLibrary(SqlQueries):
    _clock: Clock

    def held_still(self) -> Connection:
        """A new connection that sees everything as it is now, until it is closed."""
        raise NotImplementedError

    def archive_files(self) -> dict[str, int]:
        """Name -> bytes that count, of every WARC file."""
        return dict(self._ask("SELECT name, bytes FROM warcs").fetchall())

    def end_last_run(self, reason: str, counters: Mapping[str, float]) -> None:
        """Notes why the last run ended, whoever began it."""
        row = (self._clock(), reason, msgspec.json.encode(counters).decode())
        query = "UPDATE runs SET ended_at = ?, reason = ?, counters = ? WHERE id = (SELECT max(id) FROM runs)"
        self._writing().record((query, row))

    def change(self, change: Change) -> None:
        """Makes a change in one transaction, which is over when this returns."""
        self._writing().record(change)
        self.flush()

    def count_on(self, connection: Connection, table: str, key: str) -> None:
        """Rows with numbers were brought in: the next one gets the number behind the last."""

    def label_words(self) -> list[Label]:
        """All that was ever said about pages and sites, each subject's words in their order."""
        raise NotImplementedError
