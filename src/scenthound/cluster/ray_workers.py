"""Workers as Ray actors: Ray finds room for them on one machine or many, and starts them again when they die.

Ray holds no truth. What a worker is told at its start is two texts, and all else is in PostgreSQL; a worker that Ray
starts again reports under a new name and takes what is free.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from scenthound.cluster.worker import ShardWorker
from scenthound.config import Config
from scenthound.errors import LibraryError, ScenthoundError
from scenthound.library import shard_leases

RESTARTS = 1000
PATIENCE = 60.0
"""Seconds without a server after which a worker gives up."""

GRACE = 15.0
"""Seconds that workers have to end by themselves once the crawl is over."""


def ray_module() -> Any:
    """Ray. It is an extra: a crawl without workers need not have it."""
    try:
        import ray
    except ImportError as error:
        raise LibraryError("Workers need one more package. Install it: pip install 'scenthound[cluster]'") from error
    return ray


class WorkerActor:
    """What runs in a process of Ray's."""

    def run(self, folder: str, settings: str) -> str:
        """Why the crawl is over. Where PostgreSQL does not answer, it tries again for a while."""
        config, patience = msgspec.json.decode(settings, type=Config), PATIENCE
        while True:
            started = time.monotonic()
            try:
                return self._work(Path(folder), config)
            except LibraryError:
                patience = PATIENCE if time.monotonic() - started > PATIENCE else patience - 1.0
                if patience <= 0:
                    raise
                time.sleep(1.0)

    def _work(self, folder: Path, config: Config) -> str:
        leases = shard_leases(folder, f"{socket.gethostname()}-{os.getpid()}-{token_hex(3)}")
        try:
            return asyncio.run(ShardWorker(folder, config, leases).run())
        finally:
            leases.close()


class RayWorkers:
    """`cluster_crawl.Workers`. `address`: of a Ray cluster, as `ray://...` or "auto"; None: one on this machine."""

    def __init__(self, address: str | None = None) -> None:
        self._ray = ray_module()
        self._address = address
        self._actors: list[Any] = []
        self._runs: list[Any] = []
        self._ours = False

    def start(self, folder: Path, config: Config, count: int) -> None:
        ray = self._ray
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")  # a busy machine is no reason to give up
        if not ray.is_initialized():
            settings: dict[str, Any] = {"address": self._address} if self._address else {"num_cpus": count}
            if self._address is None:
                settings |= {"include_dashboard": False, "_node_ip_address": "127.0.0.2"}
            try:
                ray.init(log_to_driver=False, configure_logging=False, **settings)
            except Exception as error:  # Ray raises what it likes, down to Exception itself
                where = self._address or "on this machine"
                raise LibraryError(
                    f"Ray does not start {where}: {error} What is stored is intact; try again when the machine has "
                    "more time for it, or crawl without --workers."
                ) from error
            self._ours = True
        actor = ray.remote(max_restarts=RESTARTS, max_task_retries=RESTARTS, num_cpus=1)(WorkerActor)
        self._actors = [actor.remote() for _ in range(count)]
        told = str(folder.absolute()), msgspec.json.encode(config).decode()
        self._runs = [each.run.remote(*told) for each in self._actors]

    def check(self) -> None:
        ended, _ = self._ray.wait(self._runs, num_returns=len(self._runs), timeout=0)
        for run in ended:
            try:
                self._ray.get(run)
            except self._ray.exceptions.RayTaskError as error:
                cause = getattr(error, "cause", None)
                raise (
                    cause if isinstance(cause, ScenthoundError) else LibraryError(f"A worker failed: {error}")
                ) from error

    def stop(self) -> None:
        if self._runs:
            self._ray.wait(self._runs, num_returns=len(self._runs), timeout=GRACE)
        for actor in self._actors:
            self._ray.kill(actor)
        if self._ours:
            self._ray.shutdown()
