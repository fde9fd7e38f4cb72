"""How one tells that a folder is a library."""

from __future__ import annotations

from pathlib import Path

DATABASE = "library.db"


def is_library(folder: Path) -> bool:
    """Has a crawl stored something here?"""
    return (folder / DATABASE).is_file()
