"""What went wrong with a library in PostgreSQL, in words a person can act on."""

from __future__ import annotations

import re

import psycopg
from psycopg import errors

from scenthound.errors import LeaseLost, LibraryError, LibraryFull, LibraryMissing
from scenthound.library.library_address import LibraryAddress

_NO_DATABASE = re.compile('database ".*" does not exist')
_NO_ROOM = (errors.DiskFull, errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction)


def explain(error: BaseException, address: LibraryAddress) -> LibraryError:
    if isinstance(error, LibraryError):
        return error
    told = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if isinstance(error, errors.RaiseException) and "lease" in told:
        return LeaseLost(f"{told}. Nothing of it was stored; whoever holds the hosts now goes on with them.")
    if isinstance(error, psycopg.OperationalError) and _NO_DATABASE.search(told):
        return LibraryMissing(f"{told}. Make the database first, as in: createdb crawls")
    if isinstance(error, _NO_ROOM):
        return LibraryFull(
            f"{address} cannot be written to ({told}). What was stored is intact; make room or ask for the right to "
            "write, then run the same command again."
        )
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
        return LibraryError(
            f"PostgreSQL at {address} does not answer ({told}). What was stored is intact; see that the server runs, "
            "then run the same command again."
        )
    return LibraryError(f"{address} could not be used: {type(error).__name__}: {told}")
