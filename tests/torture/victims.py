"""Processes to be killed: a job of `scenes.py` in a process of its own, which dies at a moment drawn beforehand.

A process that has all of Scenthound loaded forks one child a job, so that most of a child's short life is the job.

| way to die | what is hit |
|---|---|
| `alone` | the child kills itself before its n-th call: the same moment in every run |
| `watched` | at its n-th call it tells its parent, who kills it while it goes on: also in the middle of a write |

What counts as a call is one of a function of Scenthound, or of a C function called from it; with `writing`, only from
the modules that put something on a disk.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import scenthound

SOURCE = str(Path(scenthound.__file__).parent)
WRITING = ("/library/", "/atomic_write.py", "/learn/model_file.py", "/export/", "/training/", "/folder_lock.py")

Job = Callable[[], None]


@dataclass(frozen=True)
class Death:
    """When and how. `call` 0: never."""

    call: int = 0
    way: Literal["alone", "watched"] = "alone"
    writing: bool = False
    delay: float = 0.0  # seconds that a watched child lives on


@dataclass(frozen=True)
class Fate:
    """How a child ended: killed as planned, or done, or with an error of its own."""

    killed: bool
    error: str = ""
    calls: int = 0  # that it made, if it lived to tell
    writing_calls: int = 0


class _CallCounter:
    """Counts calls in all threads; not exactly, which is as good."""

    def __init__(self, death: Death, tell: int) -> None:
        self.death, self.tell = death, tell
        self.calls = self.writing_calls = 0
        self._kinds: dict[str, int] = {}  # of each file: 0 not ours, 1 ours, 2 writes

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("call", "c_call"):
            return
        name = frame.f_code.co_filename
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = name.startswith(SOURCE) * (1 + any(part in name for part in WRITING))
        if not kind:
            return
        self.calls += 1
        self.writing_calls += kind == 2
        if not self.death.writing:
            self._die_at(self.calls)
        elif kind == 2:
            self._die_at(self.writing_calls)

    def _die_at(self, call: int) -> None:
        if call == self.death.call:
            if self.death.way == "alone":
                os.kill(os.getpid(), signal.SIGKILL)
            os.write(self.tell, b"!")


def run(job: Job, death: Death = Death()) -> Fate:  # noqa: B008
    """Runs the job in a child until it is done or dead."""
    listen, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listen)
        _live(job, death, tell)
    os.close(tell)
    said = b""
    while piece := os.read(listen, 65_536):
        said += piece
        if said.startswith(b"!") and death.way == "watched":
            time.sleep(death.delay)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            said = said[1:]
    os.close(listen)
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    text = said.removeprefix(b"!").decode("utf-8", "replace")
    if text.startswith("done "):
        return Fate(killed, "", *map(int, text.split()[1:]))
    return Fate(killed, "" if killed else text or f"ended with {status}")


def _live(job: Job, death: Death, tell: int) -> None:
    """In the child. Never returns."""
    counter = _CallCounter(death, tell)
    code = 1
    try:
        threading.setprofile(counter)
        sys.setprofile(counter)
        job()
        sys.setprofile(None)
        os.write(tell, f"done {counter.calls} {counter.writing_calls}".encode())
        code = 0
    except BaseException:
        sys.setprofile(None)
        os.write(tell, traceback.format_exc()[-4000:].encode())
    finally:
        os._exit(code)
