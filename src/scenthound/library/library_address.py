"""Where a library in PostgreSQL is: `postgresql://[user@]host[:port]/database[#name]`.

The name is that of a schema, so that a database can hold many libraries; without one it is `scenthound`. All else is as
PostgreSQL's own programs take it, its environment (`PGHOST`, `PGSERVICE` ...) and `~/.pgpass` included.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from scenthound.errors import LibraryError, UsageError, shown

DEFAULT = "scenthound"
_PREFIX = re.compile(r"postgres(?:ql)?:/+")
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,47}")


class LibraryAddress(Struct, frozen=True):
    server: str  # as libpq takes it
    name: str = DEFAULT

    def __str__(self) -> str:
        return self.server if self.name == DEFAULT else f"{self.server}#{self.name}"


def is_address(place: object) -> bool:
    """Does it name a library in PostgreSQL? Also if it was taken for a path, which makes one slash of two."""
    return _PREFIX.match(str(place)) is not None


def read_address(text: str) -> LibraryAddress:
    """The address, or a `UsageError` that says what is wrong with it."""
    begin = _PREFIX.match(text)
    if begin is None:
        raise UsageError(
            f"{shown(text)} is no address of a library. One looks like this: postgresql://localhost/crawls"
        )
    slashes = "//" if len(begin[0].rpartition(":")[2]) < 3 else "///"
    server, _, name = f"postgresql:{slashes}{text[begin.end() :]}".partition("#")
    try:
        password = urlsplit(server).password
    except ValueError as error:
        raise UsageError(f"{shown(text)} is no address of a library: {error}.") from error
    if password or "password=" in server:
        raise UsageError(
            "The address of a library holds no password: it is kept in files and shown. Put the password into "
            "~/.pgpass, or into the environment as PGPASSWORD."
        )
    if name and not _NAME.fullmatch(name):
        raise UsageError(
            f"{shown(name)} cannot be the name of a library: small letters, digits and _ make one, as in "
            "postgresql://localhost/crawls#dengue_fever"
        )
    return LibraryAddress(server, name or DEFAULT)


def psycopg_module() -> Any:
    """The driver. It is an extra: who has no library in PostgreSQL need not have it."""
    try:
        import psycopg
    except ImportError as error:
        raise LibraryError(
            "A library in PostgreSQL needs one more package. Install it: pip install 'scenthound[cluster]'"
        ) from error
    return psycopg
