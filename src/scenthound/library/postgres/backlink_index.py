"""Who links to a page: worked out from the stored links when somebody asks, and kept for the next time."""

from __future__ import annotations

from scenthound import urls
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.derived_tables import catch_up_with_versions
from scenthound.library.sql.bulk_insert import Insert
from scenthound.library.sql.row_batch import unpack_links


def catch_up(connection: PostgresConnection) -> None:
    """Takes in the versions stored since the last time."""
    catch_up_with_versions(connection, "backlinks", _take_in)


def _take_in(connection: PostgresConnection, after: int, upto: int) -> None:
    rows = connection.execute(
        "SELECT v.url, l.packed FROM versions v JOIN links l ON l.version = v.seq WHERE v.seq > ? AND v.seq <= ?",
        (after, upto),
    )
    pairs = {(urls.fingerprint(link.url), source) for source, packed in rows for link in unpack_links(packed, "")}
    _BACKLINKS(connection, sorted(pairs))


_BACKLINKS = Insert("backlinks", 2, "ON CONFLICT DO NOTHING")
