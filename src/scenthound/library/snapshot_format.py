"""Snapshots as bytes: a manifest, which is JSON, and the arrays in pieces of a fixed size; all of them packed.

A piece is known by the digest of its bytes. Where most of an array is as it was, most of its pieces are there already,
and only the others are packed and written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from scenthound.library.archive.compression import pack, unpack
from scenthound.protocols.snapshots import Snapshot

if TYPE_CHECKING:
    import numpy as np  # loaded where arrays are: a library that is only read has no need of it

PIECE = 1 << 18
"""Bytes of a piece, but for the last one of an array."""


class PackedSnapshot:
    """A snapshot on its way to a disk: its `manifest`, and `pieces` says what else has to be kept."""

    def __init__(self, snapshot: Snapshot) -> None:
        import numpy as np

        self._data = {name: np.asarray(array, order="C") for name, array in snapshot.arrays.items()}
        if unusual := [name for name, array in self._data.items() if array.dtype.hasobject]:
            raise TypeError(f"arrays of objects cannot be kept: {', '.join(unusual)}")
        self._digests = {name: [_digest(piece) for piece in _cut(array)] for name, array in self._data.items()}
        arrays = {
            name: {"type": array.dtype.str, "shape": array.shape, "pieces": [d.hex() for d in self._digests[name]]}
            for name, array in self._data.items()
        }
        # The json of Python: it has words for numbers of any size, infinity and unpaired surrogates.
        manifest = json.dumps({"version": snapshot.version, "values": snapshot.values, "arrays": arrays})
        self.manifest = pack(manifest.encode())

    @property
    def digests(self) -> set[bytes]:
        return {digest for digests in self._digests.values() for digest in digests}

    def pieces(self, known: Container[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Digest and packed bytes of each piece that is not known yet."""
        told: set[bytes] = set()
        for name, array in self._data.items():
            for digest, piece in zip(self._digests[name], _cut(array), strict=True):
                if digest not in known and digest not in told:
                    told.add(digest)
                    yield digest, pack(bytes(piece))


def unpacked(manifest: bytes, piece: Callable[[bytes], bytes]) -> Snapshot:
    """The snapshot; `piece` finds the packed bytes of a digest. Raises `ValueError` or `LookupError` at any damage."""
    found = json.loads(unpack(manifest))
    arrays = {name: _array(entry, piece) for name, entry in found["arrays"].items()}
    return Snapshot(found["version"], found["values"], arrays)


def _array(entry: dict[str, Any], piece: Callable[[bytes], bytes]) -> np.ndarray:
    import numpy as np

    parts = []
    for text in entry["pieces"]:
        digest = bytes.fromhex(text)
        parts.append(unpack(piece(digest)))
        if _digest(parts[-1]) != digest:
            raise ValueError("a piece of a snapshot is damaged")
    dtype = np.dtype(entry["type"])
    if dtype.hasobject:
        raise ValueError("a snapshot holds no objects")
    return np.frombuffer(b"".join(parts), dtype).reshape(entry["shape"])


def _cut(array: np.ndarray) -> Iterator[memoryview]:
    data = array.reshape(-1).view("u1").data if array.size else memoryview(b"")
    for start in range(0, len(data), PIECE):
        yield data[start : start + PIECE]


def _digest(piece: bytes | memoryview) -> bytes:
    return blake2b(piece, digest_size=16).digest()
