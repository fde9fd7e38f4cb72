"""Runs a target on many inputs, and says what failed: a crash, a hang, or something that should have held."""

from __future__ import annotations

import faulthandler
import hashlib
import os
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import scenthound
from fuzz.mutations import mutated
from fuzz.targets import Target
from scenthound.errors import ScenthoundError

CORPUS = Path(__file__).with_name("corpus")
PATIENCE = 20.0
"""Seconds of CPU time after which an input is said to hang its reader: thousands of times what any takes."""

LAST_PATIENCE = 300.0
"""Seconds after which the process ends, whatever it is at: for what does not let Python run. The input is in
`fuzz-last-TARGET-...` in the folder for temporary files."""

MOST_KEPT = 2_000
"""Inputs that are mutated further."""

LONGEST_MESSAGE = 5_000
"""Characters of a message to a person, whatever the input was."""


FRAMES = 12
"""Of the stack, in a report."""

OURS = Path(scenthound.__file__).parent
OWN_TARGETS = Path(__file__).with_name("targets")


class Hang(BaseException):
    """Not an `Exception`: nobody on the way may catch it."""


@dataclass(frozen=True)
class Failure:
    data: bytes
    kind: str  # the same for the same cause, as far as that can be told
    text: str


@dataclass
class Outcome:
    executions: int = 0
    kinds: int = 0  # of results
    slowest: float = 0.0
    failures: list[Failure] = field(default_factory=list)


def corpus_of(target: Target, folder: Path = CORPUS) -> list[bytes]:
    """The inputs kept for a target, in the order of their names."""
    return [path.read_bytes() for path in sorted((folder / target.name).glob("*")) if path.is_file()]


def keep(target: Target, data: bytes, folder: Path = CORPUS) -> Path:
    path = folder / target.name / f"found-{hashlib.sha256(data).hexdigest()[:10]}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def tried(target: Target, data: bytes, patience: float = PATIENCE) -> Hashable | Failure:
    """What kind of result one input has, or how it failed."""
    try:
        with _watchdog(patience):
            try:
                return target(data)
            except ScenthoundError as error:
                return _refusal(target, data, error)
    except Hang as hang:
        return Failure(data, "hang", f"no end after {patience:g} seconds\n{_told(hang)}")
    except Exception as error:
        return Failure(data, f"{type(error).__name__} at {_place(error)}", _told(error))


def _refusal(target: Target, data: bytes, error: ScenthoundError) -> Hashable | Failure:
    """An error that a person is told is all right where a person wrote the input, and if it can be told."""
    text = str(error)
    if not target.refuses:
        return Failure(data, f"{type(error).__name__} for what the web sends", text)
    if not text.strip() or len(text) > LONGEST_MESSAGE:
        return Failure(data, f"a message of {len(text) and 'too many'} characters", text[:500])
    return type(error).__name__, "".join(char for char in text[-40:] if char.isalpha())


def _told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-FRAMES, chain=False))


def _place(error: BaseException) -> str:
    """The innermost line of ours: where in a library it happened may change from input to input."""
    place = "nowhere"
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if OURS in path.parents or (path.parent == OWN_TARGETS and path.name != "target.py"):
            place = f"{path.name}:{line}"
    return place


@contextmanager
def _watchdog(seconds: float) -> Iterator[None]:
    """Time of this process, not of the clock: a busy machine hangs nothing."""
    if signal.getsignal(signal.SIGVTALRM) is not _bark:
        signal.signal(signal.SIGVTALRM, _bark)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _bark(*_: object) -> None:
    raise Hang


class LastInput:
    """What is being tried, in a file that outlives the process: the only witness of a hang inside a C library."""

    def __init__(self, target: Target) -> None:
        self.path = Path(tempfile.gettempdir(), f"fuzz-last-{target.name}-{os.getpid()}")
        self._file = self.path.open("wb", buffering=0)

    def note(self, data: bytes) -> None:
        os.pwrite(self._file.fileno(), data, 0)
        os.ftruncate(self._file.fileno(), len(data))

    def forget(self) -> None:
        self._file.close()
        self.path.unlink(missing_ok=True)


def fuzz(
    target: Target,
    executions: int,
    seed: int,
    corpus: Sequence[bytes],
    *,
    patience: float = PATIENCE,
    progress: Callable[[Outcome], None] | None = None,
) -> Outcome:
    """Tries the corpus, then mutations of it and of what they led to. Of failures of one kind the first is kept."""
    dice, outcome, last = Random(f"{target.name} {seed}"), Outcome(), LastInput(target)
    pool, kinds, failed = list(corpus) or [b""], set[Hashable](), set[str]()
    for number in range(executions):
        if number % 1000 == 0:
            faulthandler.dump_traceback_later(LAST_PATIENCE, exit=True)
            if progress is not None:
                progress(outcome)
        fresh = number >= len(corpus)
        data = mutated(dice.choice(pool), dice, target.pieces, pool) if fresh else corpus[number]
        last.note(data)
        started = time.process_time()
        result = tried(target, data, patience)
        outcome.slowest = max(outcome.slowest, time.process_time() - started)
        outcome.executions += 1
        if isinstance(result, Failure):
            if result.kind not in failed:
                failed.add(result.kind)
                outcome.failures.append(result)
        elif result not in kinds:
            kinds.add(result)
            if fresh:
                _remember(pool, data, dice)
    faulthandler.cancel_dump_traceback_later()
    last.forget()
    outcome.kinds = len(kinds)
    return outcome


def _remember(pool: list[bytes], data: bytes, dice: Random) -> None:
    if len(pool) < MOST_KEPT:
        pool.append(data)
    else:
        pool[dice.randrange(len(pool))] = data
