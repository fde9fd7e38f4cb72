"""The thread that owns the writing connection: takes what was recorded, and stores it, a batch a transaction.

While the crawl is slow a step is stored as soon as it is recorded. While it is fast, steps gather for `PAUSE` seconds
and share a transaction. The database is at all times a prefix of what was recorded, to the step. What changes rows by
what is stored in them (`Change`) comes last in its transaction, behind every step recorded before it.

The first error ends it: the transaction is rolled back, the archive cut to what counts, and everyone who wants
something from the writer from then on gets the error.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scenthound.library.archive.warc_files import WarcArchive
from scenthound.library.sqlite.checkpoints import Checkpoints
from scenthound.library.sqlite.explain_error import explain
from scenthound.library.sqlite.row_batch import Counters, RowBatch
from scenthound.model import Step

PAUSE = 0.05  # shorter costs a fast crawl CPU, longer loses more when it is killed
MOST_STEPS = 128
MOST_BYTES = 64_000_000
CHECKPOINT_STEPS = 512
MOST_SHUNNED = 200_000

Statement = tuple[str, Sequence[Any]]
Change = Callable[[sqlite3.Connection], None]
Item = Step | Statement | Change


class Writer:
    """Stores steps and statements in the order they were recorded. Closes connection and archive at its end."""

    def __init__(
        self, connection: sqlite3.Connection, archive: WarcArchive | None, checkpoints: Checkpoints, folder: Path
    ) -> None:
        self._connection = connection
        self._archive = archive
        self._checkpoints = checkpoints
        self._folder = folder
        self._counters = Counters.load(connection)
        self._changed = threading.Condition()
        self._queue: deque[Item] = deque()
        self._bytes = 0  # of bodies in the queue
        self._recorded = 0
        self._stored = 0
        self._hurry = False  # somebody waits
        self._closing = False
        self._error: BaseException | None = None
        self._unsynced = 0
        self._shunned: set[int] = set()
        self._thread = threading.Thread(target=self._run, name="library writer", daemon=True)
        self._thread.start()

    # From any thread

    def record(self, item: Item) -> None:
        """Queues the item; waits only when the queue is full, and then until a quarter of it is free."""
        with self._changed:
            self._check()
            if len(self._queue) >= MOST_STEPS or self._bytes >= MOST_BYTES:
                self._hurry = True
                self._changed.notify_all()
                self._changed.wait_for(self._has_room)
                self._check()
            self._queue.append(item)
            self._bytes += _size(item)
            self._recorded += 1
            if len(self._queue) == 1:
                self._changed.notify_all()

    def flush(self) -> None:
        with self._changed:
            target = self._recorded
            if self._stored < target and self._error is None:
                self._hurry = True
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._stored >= target or self._error is not None)
            self._check()

    def close(self) -> None:
        """Stores what is left and ends the thread; raises if anything recorded could not be stored."""
        with self._changed:
            self._closing = self._hurry = True
            self._changed.notify_all()
        self._thread.join()
        with self._changed:
            self._check()

    def _has_room(self) -> bool:
        room = len(self._queue) <= MOST_STEPS * 3 // 4 and self._bytes <= MOST_BYTES * 3 // 4
        return room or self._error is not None

    def _check(self) -> None:
        if self._error is not None:
            raise explain(self._error, self._folder) from self._error

    # In the thread

    def _run(self) -> None:
        try:
            stored_at = 0.0
            while items := self._take(stored_at):
                self._store(items)
                stored_at = time.monotonic()
            self._checkpoints.whole()
        except BaseException as error:
            self._give_up(error)
        finally:
            self._checkpoints.close()
            if self._archive is not None:
                self._archive.close()
            self._connection.close()

    def _take(self, stored_at: float) -> list[Item]:
        """What is queued, up to the first change; empty when the end has come."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            pause = stored_at + PAUSE - time.monotonic()
            if pause > 0:
                self._changed.wait_for(lambda: self._hurry, timeout=pause)
            items: list[Item] = []
            while self._queue and not (items and callable(items[-1])):
                items.append(self._queue.popleft())
                self._bytes -= _size(items[-1])
            self._hurry = self._closing or (self._hurry and bool(self._queue))
            self._changed.notify_all()
            return items

    def _store(self, items: list[Item]) -> None:
        steps = deque(item for item in items if isinstance(item, Step))
        statements = [item for item in items if not isinstance(item, Step)]
        count = len(items)
        items.clear()  # the batch lets go of each step as soon as it is laid out: pages are large
        if len(self._shunned) > MOST_SHUNNED:
            self._shunned.clear()
        batch = RowBatch(steps, self._connection, self._archive, self._counters, self._shunned)
        self._connection.execute("BEGIN IMMEDIATE")
        counters = batch.write(self._connection)
        for statement in statements:
            if callable(statement):
                statement(self._connection)
            else:
                self._connection.execute(*statement)
        self._connection.execute("COMMIT")
        self._counters = counters
        if self._archive is not None:
            self._archive.commit()
        with self._changed:
            self._stored += count
            self._changed.notify_all()
        self._unsynced += count
        if self._unsynced >= CHECKPOINT_STEPS and self._checkpoints.begin():
            self._unsynced = 0

    def _give_up(self, error: BaseException) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if self._archive is not None:
                self._archive.rollback()
        except (sqlite3.Error, OSError):
            pass  # the next opening mends what is left
        finally:
            with self._changed:
                self._error = error
                self._queue.clear()
                self._changed.notify_all()


def _size(item: Item) -> int:
    return len(item.response.body) if isinstance(item, Step) and item.response is not None else 0
