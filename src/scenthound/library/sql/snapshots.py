"""What strategy and judge had learned, kept beside the pages they learned it from.

Snapshots are a change in the writer's queue, behind the steps recorded before them: there they are packed, get the
number of the last page, and are stored in one transaction with those steps. So whatever a crawl is killed in, they know
the pages up to that number and no others. Pages that came since are for the crawl to relive, and so are the links
that brought none, which `misses` lists in their order. `finds` has which links those pages were the first to show. New
snapshots empty both.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from functools import partial

from scenthound.library.snapshot_format import PackedSnapshot, unpacked
from scenthound.library.sql.bulk_insert import Insert
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.queries import SLICE, SqlQueries
from scenthound.library.sql.row_batch import unpack_ids
from scenthound.library.sql.url_table import COLUMNS, URL_ROW, waiting_from
from scenthound.protocols.records import EndedLink
from scenthound.protocols.snapshots import KeptSnapshots, Snapshot


class SqlSnapshots(SqlQueries):
    """`protocols.SnapshotStore`."""

    def keep_snapshots(self, snapshots: Mapping[str, Snapshot], made_with: str) -> None:
        self._writing().record(partial(_keep, dict(snapshots), made_with))

    def kept_snapshots(self, made_with: str) -> KeptSnapshots | None:
        rows = self._ask("SELECT name, page, manifest FROM snapshots WHERE made_with = ?", (made_with,)).fetchall()
        try:
            found = {name: unpacked(manifest, self._piece) for name, _, manifest in rows}
        except (ValueError, LookupError, TypeError, zlib.error):
            return None
        return KeptSnapshots(rows[0][1], found) if rows else None

    def misses(self) -> Iterator[EndedLink]:
        query = URL_ROW.replace(" FROM urls u ", ", m.page, m.ending FROM misses m JOIN urls u ON u.id = m.url ")
        for row in self._ask(f"{query} ORDER BY m.nth").fetchall():
            *_, page, ending = row
            target = row[_REASON] if ending == "moved" else ""  # a URL that moved stays as it is from then on
            yield EndedLink(page, waiting_from(row).link, ending, target)

    def finds(self) -> Iterator[tuple[int, list[str]]]:
        for page, packed in self._ask("SELECT page, urls FROM finds ORDER BY page").fetchall():
            numbers = unpack_ids(packed)
            found: dict[int, str] = {}
            for start in range(0, len(numbers), SLICE):
                part = numbers[start : start + SLICE]
                query = f"SELECT id, url FROM urls WHERE id IN ({', '.join('?' * len(part))})"
                found |= dict(self._ask(query, part).fetchall())
            yield page, [found[number] for number in numbers if number in found]

    def _piece(self, digest: bytes) -> bytes:
        row = self._connection.execute("SELECT packed FROM snapshot_pieces WHERE digest = ?", (digest,)).fetchone()
        if row is None:
            raise LookupError("a piece of a snapshot is missing")
        packed: bytes = row[0]
        return packed


def _keep(snapshots: dict[str, Snapshot], made_with: str, connection: Connection) -> None:
    packed = {name: PackedSnapshot(snapshot) for name, snapshot in snapshots.items()}
    stored = {digest: number for number, digest in connection.execute("SELECT id, digest FROM snapshot_pieces")}
    wanted = set[bytes]().union(*(one.digests for one in packed.values()))
    gone = [(number,) for digest, number in stored.items() if digest not in wanted]
    connection.executemany("DELETE FROM snapshot_pieces WHERE id = ?", gone)
    for one in packed.values():
        for piece in one.pieces(stored):
            connection.execute(f"{_PIECE} VALUES (?, ?) ON CONFLICT DO NOTHING", piece)
    row = connection.execute("SELECT value - 1 FROM counters WHERE name = 'page'").fetchone()
    connection.execute("DELETE FROM snapshots")
    _SNAPSHOTS(connection, [(name, made_with, row[0] if row else 0, one.manifest) for name, one in packed.items()])
    connection.execute("DELETE FROM misses")
    connection.execute("DELETE FROM finds")


_REASON = COLUMNS.index("reason")
_PIECE = "INSERT INTO snapshot_pieces (digest, packed)"
_SNAPSHOTS = Insert("snapshots (name, made_with, page, manifest)", 4)
