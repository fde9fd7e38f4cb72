"""Keeps the leases of a worker while it is busy, and says how long it may rely on them.

A report comes from the crawl's own loop, which may be late: while a crawl is put together, pages are relived, or the
database is slow to store. Then a thread renews the leases, which is one statement. It cannot hide a worker that was
stopped or cut off: it is stopped with the process, and who cannot reach the database renews nothing.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection
from typing import Any

from scenthound.errors import LibraryError
from scenthound.model import Failed, Link, Response
from scenthound.protocols.crawl import AsksOnlyWhile, Clock, Fetcher
from scenthound.protocols.hooks import hook
from scenthound.protocols.shards import ShardLeases

BEAT = 0.3
"""Seconds between two reports: a lease lasts more than ten times as long."""

SAFETY = 0.3
"""The last part of a lease in which nothing is asked any more: a request that was just begun has that long to end."""

LOOK = 0.02
"""Seconds between two looks at the clock, by whoever gives up requests once the time is up."""


class LeaseKeeper:
    """One thread, from `start` to `stop`. `holds()` says whether hosts of the shards may be asked now."""

    def __init__(self, leases: ShardLeases, clock: Clock) -> None:
        self._leases = leases
        self._clock = clock
        self._shards: Collection[int] = ()
        self._until = self._renewed = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """The thread may be waiting for a server that does not answer; nobody waits for it."""
        self._over.set()

    def reported(self, shards: Collection[int], sent: float) -> None:
        """A report sent then was answered: the shards are the worker's, from that moment on."""
        self._shards, self._renewed = shards, sent
        self._until = sent + self._lasts

    def lost(self) -> None:
        """They are others' now, or some are."""
        self._shards, self._until = (), 0.0

    def holds(self) -> bool:
        return self._clock() < self._until

    async def over(self) -> None:
        """Until the leases may be over. Asked often: a process that was stopped must notice before it asks again."""
        while self.holds():  # noqa: ASYNC110  (it is the clock that is asked)
            await asyncio.sleep(LOOK)

    @property
    def _lasts(self) -> float:
        return self._leases.seconds * (1 - SAFETY)

    def _run(self) -> None:
        while not self._over.wait(BEAT):
            shards, sent = self._shards, self._clock()
            if not shards or sent < self._renewed + 2 * BEAT:
                continue
            try:
                kept = self._leases.renew(shards)
            except LibraryError:
                continue  # the next report says so, or time is up first
            if kept and shards is self._shards:
                self._renewed, self._until = sent, max(self._until, sent + self._lasts)


class LeasedFetcher:
    """A fetcher that asks nobody once the leases may be over: such a request waits to be given up with the others.

    A process that is stopped while it connects, and goes on when its hosts are another's, would send what it began
    before it looks at any clock. So the fetcher inside looks again when there is nothing left to wait for.
    """

    def __init__(self, inside: Fetcher, holds: Callable[[], bool]) -> None:
        self._inside = inside
        self._holds = holds
        if (asks := hook(inside, AsksOnlyWhile)) is not None:
            asks.ask_only_while(holds)

    @property
    def parallel(self) -> int:
        return self._inside.parallel

    @parallel.setter
    def parallel(self, count: int) -> None:
        self._inside.parallel = count

    async def __call__(self, link: Link) -> Response | Failed:
        if not self._holds():
            await asyncio.get_running_loop().create_future()
        return await self._inside(link)

    async def close(self) -> None:
        await self._inside.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inside, name)
