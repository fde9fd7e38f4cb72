"""What a target is, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

Trial = Callable[[bytes], Hashable]


@dataclass(frozen=True)
class Target:
    """`try_input` raises where something does not hold, and else says in a few words what came of the input."""

    name: str
    try_input: Trial
    pieces: Sequence[bytes] = ()  # words of the format, for mutations
    refuses: bool = True  # whether a `ScenthoundError` is an answer

    def __call__(self, data: bytes) -> Hashable:
        return self.try_input(data)


TARGETS: dict[str, Target] = {}


def target(name: str, *pieces: str | bytes, refuses: bool = True) -> Callable[[Trial], Trial]:
    words = [piece if isinstance(piece, bytes) else piece.encode() for piece in pieces]

    def register(trial: Trial) -> Trial:
        TARGETS[name] = Target(name, trial, words, refuses)
        return trial

    return register


def must(holds: bool, what: str) -> None:
    """As `assert`, also where Python is told to leave those out."""
    if not holds:
        raise AssertionError(what)


def level(number: int) -> int:
    """About how many: 0, 1, 2-3, 4-7 ... Kinds of results must be few."""
    return number.bit_length()
