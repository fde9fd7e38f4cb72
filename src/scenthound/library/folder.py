"""The files of a library's folder, as far as everybody has to know them."""

from __future__ import annotations

from pathlib import Path

from scenthound.errors import LibraryError

DATABASE = "library.db"
REPAIRED = "library.db.repaired"
"""A repaired database that is whole, and has yet to take its place."""

ARCHIVE = "warc"
ADDRESS = "library.address"
"""Where the library is, if not here: a line with the address of a PostgreSQL database. The other files are here."""

OWN = "own"
"""In the place of an address: a PostgreSQL server of the folder's own, in `postgres/`, started when it is needed."""

SERVER = "postgres"


def is_library(folder: Path) -> bool:
    """Has a crawl stored something here?"""
    return (folder / DATABASE).is_file() or (folder / ADDRESS).is_file()


def address_in(folder: Path) -> str:
    """The address of the folder's library; empty where that is in the folder itself."""
    try:
        return (folder / ADDRESS).read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise LibraryError(f"{folder / ADDRESS} cannot be read: {error}.") from error
