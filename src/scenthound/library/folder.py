"""The files of a library's folder, as far as everybody has to know them."""

from __future__ import annotations

from pathlib import Path

DATABASE = "library.db"
REPAIRED = "library.db.repaired"
"""A repaired database that is whole, and has yet to take its place."""

ARCHIVE = "warc"


def is_library(folder: Path) -> bool:
    """Has a crawl stored something here?"""
    return (folder / DATABASE).is_file()
