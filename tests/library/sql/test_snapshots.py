"""Snapshots in a folder: what is particular to it. The rest is a part of `tests/conformance/libraries.py`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from scenthound.library import open_library
from scenthound.library.snapshot_format import PIECE
from scenthound.library.sql import row_batch
from scenthound.protocols.snapshots import Snapshot
from tests.library.steps import SEED, entry, fetched


def pieces(folder: Path) -> list[tuple[int]]:
    with sqlite3.connect(folder / "library.db") as database:
        rows: list[tuple[int]] = database.execute("SELECT id FROM snapshot_pieces ORDER BY id").fetchall()
    database.close()
    return rows


def keep(folder: Path, weights: np.ndarray) -> None:
    with open_library(folder, create=True) as library:
        library.keep_snapshots({"strategy": Snapshot(1, {}, {"weights": weights})}, "")


def test_pieces_that_stay_are_not_written_again_and_old_ones_go(tmp_path: Path) -> None:
    weights = np.arange(PIECE, dtype=np.float64)
    keep(tmp_path, weights)
    before = pieces(tmp_path)
    weights[0] = -1.0
    keep(tmp_path, weights)
    assert len(before) == len(pieces(tmp_path)) == 8
    assert len(set(before) & set(pieces(tmp_path))) == 7


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM snapshot_pieces",
        "UPDATE snapshot_pieces SET packed = x'00'",
        "UPDATE snapshots SET manifest = '{}'",  # as they once were: not packed
        "UPDATE snapshots SET manifest = x'00'",
        "UPDATE snapshots SET manifest = x'789cabae0500017500f9'",  # {}, packed
    ],
)
def test_damaged_ones_are_set_aside(tmp_path: Path, damage: str) -> None:
    keep(tmp_path, np.ones(3))
    with sqlite3.connect(tmp_path / "library.db") as database:
        database.execute(damage)
    database.close()
    with open_library(tmp_path, write=False) as library:
        assert library.kept_snapshots("") is None


def test_what_pages_brought_is_not_kept_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_batch, "MOST_FINDS", 3)
    with open_library(tmp_path, create=True) as library:
        for number in range(9):
            found = entry(f"{SEED}{number}/on", order=number, source=SEED)
            library.record(fetched(entry(f"{SEED}{number}"), found=(found,), new=(found.id,)))
        assert [page for page, _ in library.finds()] == [7, 8, 9]
