"""Snapshots as bytes. That they come back as they were is a part of `tests/conformance/libraries.py`."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scenthound.library.archive.compression import pack
from scenthound.library.snapshot_format import PIECE, PackedSnapshot, unpacked
from scenthound.protocols.snapshots import Snapshot

WEIGHTS = np.arange(3 * PIECE // 8, dtype=np.float64)


def test_only_what_changed_is_packed_again() -> None:
    first = PackedSnapshot(Snapshot(1, {}, {"weights": WEIGHTS}))
    assert len(list(first.pieces(()))) == 3
    changed = WEIGHTS.copy()
    changed[-1] = 0.0
    changed = np.append(changed, 7.0)
    second = PackedSnapshot(Snapshot(1, {}, {"weights": changed}))
    assert len(list(second.pieces(first.digests))) == 2
    assert len(first.digests - second.digests) == 1


def test_pieces_that_are_alike_are_kept_once() -> None:
    packed = PackedSnapshot(Snapshot(1, {}, {"a": np.zeros(PIECE), "b": np.zeros(PIECE)}))
    [(digest, piece)] = packed.pieces(())
    back = unpacked(packed.manifest, {digest: piece}.__getitem__)
    assert (back.arrays["a"].size, back.arrays["b"].size) == (PIECE, PIECE)


def test_objects_are_refused_both_ways() -> None:
    with pytest.raises(TypeError, match="arrays of objects cannot be kept: a"):
        PackedSnapshot(Snapshot(1, {}, {"a": np.array([object()])}))
    manifest = json.dumps({"version": 1, "values": {}, "arrays": {"a": {"type": "|O", "shape": [0], "pieces": []}}})
    with pytest.raises(ValueError, match="no objects"):
        unpacked(pack(manifest.encode()), {}.__getitem__)


def test_damage_is_noticed() -> None:
    packed = PackedSnapshot(Snapshot(1, {}, {"weights": WEIGHTS}))
    pieces = dict(packed.pieces(()))
    one, other = list(pieces)[:2]
    with pytest.raises(ValueError, match="damaged"):
        unpacked(packed.manifest, (pieces | {one: pieces[other]}).__getitem__)
    del pieces[one]
    with pytest.raises(LookupError):
        unpacked(packed.manifest, pieces.__getitem__)
