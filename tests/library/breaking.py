"""Libraries that are damaged as disks and accidents do it, for tests."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

DATABASE = "library.db"


def overwrite_table(folder: Path, table: str, share: float = 0.5) -> int:
    """Writes over some of the pages of the file that hold the rows of a table; how many."""
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        pages = [
            number
            for (number,) in connection.execute(
                "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno", (table,)
            )
        ]
    chosen = random.Random(0).sample(pages, max(1, round(share * len(pages))))
    with (folder / DATABASE).open("r+b") as file:
        for number in chosen:
            file.seek((number - 1) * size)
            file.write(b"\xaa" * size)
    return len(chosen)


def spoil_value(folder: Path, statement: str, database: str = DATABASE) -> None:
    with closing(sqlite3.connect(folder / database, isolation_level=None)) as connection:
        connection.execute(statement)


def spoil_bytes(path: Path, seed: int, count: int = 1, longest: int = 64) -> None:
    """Writes noise over stretches of a file, at places that follow from the seed."""
    dice = random.Random(seed)
    whole = bytearray(path.read_bytes())
    for _ in range(count):
        at, length = dice.randrange(len(whole)), dice.randint(1, longest)
        whole[at : at + length] = dice.randbytes(len(whole[at : at + length]))
    path.write_bytes(whole)
