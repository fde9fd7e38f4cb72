"""What workers tell each other, as bytes: values as JSON has them, and arrays; reading it runs no code."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct

from scenthound.protocols.snapshots import Snapshot

Learner = Literal["strategy", "judge"]
LEVEL = 2
UNREADABLE = (msgspec.DecodeError, ValueError, LookupError, TypeError)


class Told(Struct, frozen=True, array_like=True):
    """What one of them learned from one page."""

    learner: Learner
    version: int
    values: dict[str, Any]
    arrays: dict[str, tuple[str, list[int], bytes]]  # type, shape, content

    def snapshot(self) -> Snapshot:
        arrays = {
            name: np.frombuffer(content, np.dtype(kind)).reshape(shape)
            for name, (kind, shape, content) in self.arrays.items()
        }
        return Snapshot(self.version, self.values, arrays)


def told(learner: Learner, experience: Snapshot) -> Told:
    arrays = {name: (each.dtype.str, list(each.shape), each.tobytes()) for name, each in experience.arrays.items()}
    return Told(learner, experience.version, dict(experience.values), arrays)


def packed(experiences: Sequence[Told]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(experiences), LEVEL)


def unpacked(content: bytes) -> list[Told]:
    return msgspec.msgpack.decode(zlib.decompress(content), type=list[Told])
