"""Disks and systems that let a job down: full, read-only, no file handles left.

The job must end with an error that a person can act on, whatever it was doing; what was stored is there; and once the
fault is over it goes on and comes to what it comes to in peace.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.torture.scenes import Scene
from tests.torture.trials import Calm
from tests.torture.victims import Job, run

Fault = Callable[[Path], None]
"""Is done in the child before the job, to the process or to the folder."""

CAPABILITY_VERSION = 0x20080522


def full_disk(room: int) -> Fault:
    """No file may have more than so many bytes. A disk without room says the same a little later."""

    def fault(folder: Path) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return fault


def no_handles(left: int) -> Fault:
    def fault(folder: Path) -> None:
        most = max(map(int, os.listdir("/proc/self/fd"))) + 1 + left
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    return fault


def read_only(folder: Path) -> None:
    """Folder and files as on a disk that nobody may write to, root included."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.getuid() == 0:
        _obey_permissions()


def _obey_permissions() -> None:
    """Takes from this process what lets root write where nobody may (capabilities 1 and 2)."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable, twice
    assert libc.capget(header, sets) == 0
    sets[0] &= ~0b110
    assert libc.capset(header, sets) == 0


FAULTS: dict[str, tuple[Fault, ...]] = {
    "full disk": tuple(full_disk(room) for room in (0, 5_000, 20_000, 60_000, 200_000)),
    "read-only disk": (read_only,),
    "no file handles": tuple(no_handles(left) for left in range(0, 14, 2)),
}


def suffer(scenes: Sequence[Scene], root: Path) -> Iterator[tuple[str, str, str]]:
    """(fault, scene, what went wrong) for each; nothing went wrong where the last is empty."""
    for scene in scenes:
        calm = Calm(scene, root)
        for name, degrees in FAULTS.items():
            for degree, fault in enumerate(degrees):
                folder = root / f"{scene.name}-{name.replace(' ', '-')}-{degree}"
                yield name, scene.name, _problem(scene, calm, fault, folder)
                _writable(folder)
                shutil.rmtree(folder, ignore_errors=True)


def _problem(scene: Scene, calm: Calm, fault: Fault, folder: Path) -> str:
    try:
        scene.prepare(folder)
        folder.mkdir(exist_ok=True)
        before = scene.check(folder)
        fate = run(_job(scene, fault, folder))
        error = fate.error.strip().splitlines()[-1] if fate.error else ""
        assert not fate.killed, "it was killed"
        assert not error or "scenthound.errors." in fate.error, f"not an error of ours: {fate.error}"
        _writable(folder)
        assert scene.check(folder)[: len(before)] == before, "what was stored is lost"
        fate = run(lambda: scene.job(folder))
        assert not fate.error, f"it does not go on: {fate.error}"
        assert scene.result(folder) == calm.result, "it comes to something else"
    except AssertionError as problem:
        return str(problem)
    return ""


def _job(scene: Scene, fault: Fault, folder: Path) -> Job:
    def job() -> None:
        fault(folder)
        scene.job(folder)

    return job


def _writable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
