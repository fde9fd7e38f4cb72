"""Tables that are worked out from the others when somebody asks: one at a time brings them up to date."""

from __future__ import annotations

from collections.abc import Callable

from scenthound.library.postgres.connection import PostgresConnection

SLICE = 500

TakeIn = Callable[[PostgresConnection, int, int], None]
"""Takes in the versions behind the first number, up to the second."""


def catch_up_with_versions(
    connection: PostgresConnection, name: str, take_in: TakeIn, told: Callable[[int, int], None] | None = None
) -> int:
    """Takes in what was stored since the last time, a slice a transaction; how many versions that were.

    Killed at any moment, it goes on from the last slice. `told` hears how far it is.
    """
    first = seen = _seen(connection, name)
    last = int(connection.execute("SELECT coalesce(max(seq), 0) FROM versions").fetchone()[0])
    while seen < last:
        seen = _take_slice(connection, name, take_in, last)
        if told is not None:
            told(seen - first, last - first)
    return max(0, last - first)


def _seen(connection: PostgresConnection, name: str) -> int:
    row = connection.execute("SELECT value FROM notes WHERE name = ?", (f"{name} seen",)).fetchone()
    return int(row[0]) if row else 0


def _take_slice(connection: PostgresConnection, name: str, take_in: TakeIn, last: int) -> int:
    connection.begin()
    try:
        key = f"scenthound {connection.address.name} {name}"
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", (key,))
        seen = _seen(connection, name)  # another process may have been at work meanwhile
        upto = min(seen + SLICE, last)
        if upto > seen:
            take_in(connection, seen, upto)
            connection.execute(
                "INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (f"{name} seen", str(upto)),
            )
        connection.commit()
        return max(upto, seen)
    except BaseException:
        connection.roll_back()
        raise
