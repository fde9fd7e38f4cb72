"""Labels in PostgreSQL: every word that was said, in the order it was said."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from scenthound.library.label_rules import LabelLedger
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.sql.bulk_insert import Insert
from scenthound.model import Label, LabelKind
from scenthound.protocols.crawl import Clock


class PostgresLabels:
    """`protocols.LabelStore`. Reads on from the last word it has seen; whoever adds some holds a lock meanwhile."""

    def __init__(self, connection: PostgresConnection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._ledger = LabelLedger()
        self._seen = 0

    def labels(self, kind: LabelKind = "page") -> dict[str, Label]:
        return self._catch_up().counting(kind)

    def label_history(self, subject: str) -> list[Label]:
        return self._catch_up().history(subject)

    def words(self) -> list[Label]:
        return self._catch_up().words()

    def add_labels(self, labels: Iterable[Label]) -> list[Label]:
        new = [label if label.at else replace(label, at=self._clock()) for label in labels]
        if not new:
            return []
        self._connection.begin()
        try:
            # Also keeps numbers in the order in which they become visible.
            self._connection.execute("LOCK TABLE labels IN SHARE ROW EXCLUSIVE MODE")
            ledger = self._catch_up()
            kept, changed = ledger.add(new)
            _LABELS(self._connection, [(x.subject, x.relevant, x.by, x.at, x.kind) for x in kept])
            self._seen = self._connection.execute("SELECT coalesce(max(nth), 0) FROM labels").fetchone()[0]
            self._connection.commit()
            return changed
        except BaseException:
            self._ledger, self._seen = LabelLedger(), 0
            self._connection.roll_back()
            raise

    def _catch_up(self) -> LabelLedger:
        query = "SELECT nth, subject, relevant, speaker, at, kind FROM labels WHERE nth > ? ORDER BY nth"
        for number, *word in self._connection.execute(query, (self._seen,)).fetchall():
            self._ledger.take_in(Label(*word))
            self._seen = number
        return self._ledger


_LABELS = Insert("labels (subject, relevant, speaker, at, kind)", 5)
