"""Stored pages judged again, and waiting links ranked anew.

The present judgement is in `pages.relevance` and `relevant`, the first one beside it. A batch is one change in the
writer's queue, behind the steps recorded before it: there it is compared with what is stored, and pages and the figures
of their hosts are written in one transaction. `judged_by` is noted after the last batch, so that a crawl that was
killed half way does it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from secrets import token_hex
from typing import TypeVar

from scenthound import urls
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.queries import SqlQueries
from scenthound.library.sql.url_table import WAITING
from scenthound.protocols.crawl import Clock
from scenthound.protocols.records import JudgedAgain

BATCH = 1000
CHANGED = "judgements_changed"
"""The note that says which change of judgements was the last: whoever keeps a copy of them looks whether it is new."""

Row = TypeVar("Row")


class SqlJudgements(SqlQueries):
    """`protocols.Judgements`."""

    _clock: Clock
    _judging = False

    def judge_again(self, judgements: Iterable[tuple[str, float, bool]]) -> int:
        self._judging = True
        rows = ((urls.fingerprint(url), relevance, relevant) for url, relevance, relevant in judgements)
        return self._change(rows, _judge)

    def rank_again(self, priorities: Iterable[tuple[int, float]]) -> int:
        return self._change(priorities, _rank)

    def _change(self, rows: Iterable[Row], change: Callable[[Connection, list[Row]], int]) -> int:
        """A batch a transaction, in the writer's thread; how many rows changed."""
        writer, left, changed = self._writing(), iter(rows), [0]

        def apply(batch: list[Row], connection: Connection) -> None:
            changed[0] += change(connection, batch)

        while batch := list(islice(left, BATCH)):
            writer.record(partial(apply, batch))
        writer.flush()
        return changed[0]

    def judged_by(self) -> str:
        return self._note("judged_by")

    def note_judged_by(self, digest: str, judge: str = "") -> None:
        notes = [("judged_by", digest)]
        if self._judging:  # a crawl that begins notes its judge, too, and has judged nothing again
            notes += [("judged_again_at", repr(self._clock())), ("judged_again_with", judge)]
        self._judging = False
        self._writing().record(partial(_write_notes, notes))
        self.flush()

    def judged_again(self) -> JudgedAgain | None:
        at = self._note("judged_again_at")
        return JudgedAgain(float(at), self._note("judged_again_with")) if at else None

    def _note(self, name: str) -> str:
        row = self._ask("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return row[0] if row else ""


def _judge(connection: Connection, batch: list[tuple[int, float, bool]]) -> int:
    wanted = {number: (relevance, relevant) for number, relevance, relevant in batch}
    stored = connection.execute(
        "SELECT p.id, p.relevance, p.relevant, p.duplicate_of IS NULL, u.host FROM pages p JOIN urls u ON u.id = p.id "
        f"WHERE p.id IN ({', '.join('?' * len(wanted))})",
        list(wanted),
    )
    changes: list[tuple[float, bool, int]] = []
    hosts: dict[str, int] = {}
    for number, old_relevance, was_relevant, counts, host in stored:
        relevance, relevant = wanted[number]
        if (relevance, relevant) != (old_relevance, bool(was_relevant)):
            changes.append((relevance, relevant, number))
            hosts[host] = hosts.get(host, 0) + counts * (relevant - was_relevant)
    connection.executemany("UPDATE pages SET relevance = ?, relevant = ? WHERE id = ?", changes)
    moved = [(more, host) for host, more in hosts.items() if more]
    connection.executemany("UPDATE hosts SET relevant = relevant + ? WHERE host = ?", moved)
    if changes:
        _write_notes([(CHANGED, token_hex(8))], connection)
    return len(changes)


def _rank(connection: Connection, batch: list[tuple[int, float]]) -> int:
    rows = [(priority, number, priority) for number, priority in batch]
    update = f"UPDATE urls SET priority = ? WHERE id = ? AND state = {WAITING} AND priority != ?"
    return connection.executemany(update, rows).rowcount


def _write_notes(notes: list[tuple[str, str]], connection: Connection) -> None:
    connection.executemany(
        "INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", notes
    )
