"""The thread that owns the writing connection: takes what was recorded, and stores it, a batch a transaction.

While the crawl is slow a step is stored as soon as it is recorded. While it is fast, steps gather for some moments
(`pause`) and share a transaction. The database is at all times a prefix of what was recorded, to the step. What changes
rows by what is stored in them (`Change`) comes last in its transaction, behind every step recorded before it.

The first error ends it: the transaction is rolled back, the archive cut to what counts, and everyone who wants
something from the writer from then on gets the error.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress

from scenthound.library.sql.transactions import Change, Statement, Transactions
from scenthound.model import Step

PAUSE = 0.05  # shorter costs a fast crawl CPU, longer loses more when it is killed
MOST_STEPS = 128
MOST_BYTES = 64_000_000

Item = Step | Statement | Change


class Writer:
    """Stores steps and statements in the order they were recorded. Closes connection and archive at its end."""

    def __init__(self, transactions: Transactions, pause: float = PAUSE) -> None:
        self._transactions = transactions
        self._pause = pause
        self._changed = threading.Condition()
        self._queue: deque[Item] = deque()
        self._bytes = 0  # of bodies in the queue
        self._recorded = 0
        self._stored = 0
        self._hurry = False  # somebody waits
        self._closing = False
        self._error: BaseException | None = None
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
            raise self._transactions.explain(self._error) from self._error

    # In the thread

    def _run(self) -> None:
        try:
            stored_at = 0.0
            while items := self._take(stored_at):
                self._store(items)
                stored_at = time.monotonic()
            self._transactions.finish()
        except BaseException as error:
            self._give_up(error)
        finally:
            self._transactions.close()

    def _take(self, stored_at: float) -> list[Item]:
        """What is queued, up to the first change; empty when the end has come."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            pause = stored_at + self._pause - time.monotonic()
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
        self._transactions.store(steps, statements)
        with self._changed:
            self._stored += count
            self._changed.notify_all()
        self._transactions.stored(count)

    def _give_up(self, error: BaseException) -> None:
        try:
            with suppress(Exception):  # of what is broken anyway: the next opening mends what is left
                self._transactions.give_up()
        finally:
            with self._changed:
                self._error = error
                self._queue.clear()
                self._changed.notify_all()


def _size(item: Item) -> int:
    return len(item.response.body) if isinstance(item, Step) and item.response is not None else 0
