"""Workers as Ray actors: Ray finds room for them on one machine or many, and starts them again when they die.

Ray holds no truth. What a worker is told at its start is two texts, and all else is in PostgreSQL; a worker that Ray
starts again reports under a new name and takes what is free.
"""

from __future__ import annotations

import os
import platform
import socket
import sys
from contextlib import ExitStack, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import msgspec

from scenthound.cluster.worker import work
from scenthound.config import Config
from scenthound.errors import ConfigError, LibraryError, ScenthoundError

RESTARTS = 1000
HEAD_ANSWERS = 2.0
MOST_UNHEARD = 3
"""Times in a row that the head of a cluster may fail to answer within `HEAD_ANSWERS` seconds."""

GRACE = 15.0
"""Seconds that workers have to end by themselves once the crawl is over."""


def ray_module() -> Any:
    """Ray. It is an extra: a crawl without workers need not have it."""
    try:
        import ray
    except ImportError as error:
        raise LibraryError("Workers need one more package. Install it: pip install 'scenthound[cluster]'") from error
    return ray


def checked_address(address: str) -> str:
    """The address, if a Ray cluster can have it."""
    host, _, port = address.rpartition(":")
    if _is_found_by_ray(address) or (host and "/" not in host and port.isdecimal() and int(port) < 2**16):
        return address
    raise ConfigError(
        f"{address!r} is no address of a Ray cluster. Write --cluster ray://HOST:10001, or on a machine of the cluster "
        "--cluster auto."
    )


def _is_found_by_ray(address: str) -> bool:
    return address == "auto" or address.startswith("ray://")


class WorkerActor:
    """What runs in a process of Ray's."""

    def run(self, folder: str, settings: str) -> str:
        """Why the crawl is over."""
        return work(Path(folder), msgspec.json.decode(settings, type=Config))


class RayWorkers:
    """`cluster_crawl.Workers`. `address`: of a Ray cluster, as `ray://...`, "auto" or HOST:PORT of its head on this
    network; None: one on this machine."""

    def __init__(self, address: str | None = None) -> None:
        self._ray = ray_module()
        self._address = checked_address(address) if address is not None else None
        self._actors: list[Any] = []
        self._runs: list[Any] = []
        self._ours = False
        self._head: str | None = None  # its address, where it is asked without a go-between
        self._unheard = 0
        self._until_stopped = ExitStack()

    def start(self, folder: Path, config: Config, count: int) -> None:
        ray = self._ray
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")  # a busy machine is no reason to give up
        if not ray.is_initialized():
            settings: dict[str, Any] = {"address": self._address or "local"}  # without one it takes any that runs here
            if self._address is None:
                settings |= {"num_cpus": count, "include_dashboard": False, "_node_ip_address": "127.0.0.2"}
            self._check_answers()
            try:
                ray.init(log_to_driver=False, configure_logging=False, **settings)
            except Exception as error:  # Ray raises what it likes, down to Exception itself
                raise LibraryError(self._no_ray(error)) from error
            self._ours = True
        self._until_stopped.enter_context(redirect_stdout(sys.stderr))  # what Ray tells is no part of our output
        if not (self._address or "").startswith("ray://"):
            self._head = ray.get_runtime_context().gcs_address
        actor = ray.remote(max_restarts=RESTARTS, max_task_retries=RESTARTS, num_cpus=1)(WorkerActor)
        self._actors = [actor.remote() for _ in range(count)]
        told = str(folder.absolute()), msgspec.json.encode(config).decode()
        self._runs = [each.run.remote(*told) for each in self._actors]

    def _check_answers(self) -> None:
        """Ray itself waits for minutes, and without a word, for a head that is not there."""
        if self._address is None or _is_found_by_ray(self._address):
            return
        host, _, port = self._address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=HEAD_ANSWERS).close()
        except OSError as error:
            raise LibraryError(self._no_ray(error)) from error

    def _no_ray(self, error: Exception) -> str:
        cause = str(error).strip().rstrip(".")
        if self._address is None:
            return (
                f"Ray does not start on this machine: {cause}. What is stored is intact; try again when the machine "
                "has more time for it, or crawl without --workers."
            )
        return (
            f"The Ray cluster at {self._address} cannot be used: {cause}. See that it runs there (ray status), and "
            f"with the same Ray ({self._ray.__version__}) and Python ({platform.python_version()}) as here."
        )

    def check(self) -> None:
        ray = self._ray
        self._check_head()
        try:
            ended, _ = ray.wait(self._runs, num_returns=len(self._runs), timeout=0)
            for run in ended:
                ray.get(run)
        except Exception as error:  # of a worker, or of Ray itself
            cause = getattr(error, "cause", None)
            if isinstance(cause, ScenthoundError):
                raise cause from error
            told = str(error).strip().splitlines()
            raise LibraryError(
                f"A worker failed, and Ray does not start it again: {told[-1] if told else type(error).__name__} What "
                "is stored is intact: the same command goes on."
            ) from error

    def _check_head(self) -> None:
        """Ray itself says nothing for a minute when its head is gone, and ends the process then."""
        if self._head is None:
            return
        host, _, port = self._head.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=HEAD_ANSWERS).close()
            self._unheard = 0
        except OSError as error:
            self._unheard += 1
            if self._unheard >= MOST_UNHEARD:
                raise LibraryError(
                    f"The head of the Ray cluster at {self._head} is gone ({error}). What is stored is intact: start "
                    "the cluster again, then the same command goes on."
                ) from error

    def shortage(self) -> str:
        try:
            free, all_of_them = self._ray.available_resources(), self._ray.cluster_resources()
        except Exception:  # it is only asked to say more about another error
            return ""
        return f": Ray has {free.get('CPU', 0):.0f} of {all_of_them.get('CPU', 0):.0f} CPUs free, a worker wants one"

    def stop(self) -> None:
        lost = self._unheard > 0
        with suppress(Exception):  # whatever Ray has against it: workers end when the database says so
            if self._runs and not lost:
                self._ray.wait(self._runs, num_returns=len(self._runs), timeout=GRACE)
            for actor in self._actors if not lost else ():
                self._ray.kill(actor)
        if self._ours:
            self._ray.shutdown()
        self._until_stopped.close()
