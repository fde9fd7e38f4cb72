"""What learners keep by page or link, as arrays and back: for the snapshots of strategies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.bounded_cache import BoundedCache
from scenthound.protocols.snapshots import Snapshot

Arrays = dict[str, Any]


def keys_of(cache: BoundedCache[int, Any]) -> npt.NDArray[np.int64]:
    """Its keys, which are fingerprints, the oldest first."""
    return np.fromiter(cache.entries, np.int64, len(cache))


def column(values: Iterable[float], size: int, kind: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    return np.fromiter(values, kind, size)


def refill(cache: BoundedCache[int, Any], keys: npt.NDArray[np.int64], values: Iterable[Any]) -> None:
    """Makes these its entries, the oldest first."""
    cache.refill(zip(keys.tolist(), values, strict=True))


def joined(parts: Sequence[npt.NDArray[Any]], kind: npt.DTypeLike) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """Arrays end to end, and their lengths."""
    lengths = column(map(len, parts), len(parts), np.int32)
    return (np.concatenate(parts).astype(kind, copy=False) if parts else np.zeros(0, kind)), lengths


def parted(together: npt.NDArray[Any], lengths: npt.NDArray[np.int32]) -> list[npt.NDArray[Any]]:
    """The way back."""
    return np.split(together, np.cumsum(lengths)[:-1]) if len(lengths) else []


def of_part(name: str, arrays: Mapping[str, Any]) -> Arrays:
    """Arrays of a part, under names that begin with its own."""
    return {f"{name} {key}": array for key, array in arrays.items()}


def for_part(name: str, arrays: Mapping[str, Any]) -> Arrays:
    """The way back: the arrays that belong to a part."""
    return {key.removeprefix(f"{name} "): array for key, array in arrays.items() if key.startswith(f"{name} ")}


def nested(snapshot: Snapshot) -> dict[str, Any]:
    """Version and values of a snapshot inside of another one; its arrays go with `of_part`."""
    return {"version": snapshot.version, "values": snapshot.values}
