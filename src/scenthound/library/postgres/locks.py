"""Locks by name, which the server takes back when their holder's connection ends, however it ends."""

from __future__ import annotations

from scenthound.library.postgres.connection import PostgresConnection

LOCKED = (
    "(CAST(l.classid AS BIGINT) << 32 | CAST(l.objid AS BIGINT)) = hashtextextended(?, 0) "
    "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""Of a row of `pg_locks l`: whether it is the lock of that name."""


def holder(connection: PostgresConnection, name: str) -> str:
    """Who has a lock, in brackets; empty where nobody has it any more."""
    row = connection.execute(
        "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
        f"WHERE l.locktype = 'advisory' AND l.granted AND {LOCKED}",
        (name,),
    ).fetchone()
    return f" ({row[0].removeprefix('scenthound ')})" if row else ""
