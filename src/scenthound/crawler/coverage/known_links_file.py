"""How many links were known after how many pages, kept beside the library at the points where coverage is looked at.

A library knows what waits now, not what waited then. Without the file, or with one that cannot be read, the estimate
takes it that links came in evenly. The file may be ahead of the library, after a crash: what it is ahead is dropped.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from scenthound.atomic_write import replacing
from scenthound.errors import ScenthoundError

NAME = "coverage.json"


def kept_links(folder: Path | None, pages: int) -> dict[int, int]:
    """Number of pages -> links known by then, up to so many pages."""
    known: dict[int, int] = {}
    if folder is not None:
        with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
            known = msgspec.json.decode((folder / NAME).read_bytes(), type=dict[int, int])
    return {0: 0} | {point: links for point, links in known.items() if 0 < point <= pages}


def keep_links(folder: Path | None, known: dict[int, int]) -> None:
    if folder is None:
        return
    with suppress(OSError, ScenthoundError), replacing(folder / NAME) as file:  # a full disk is the library's to report
        file.write(msgspec.json.encode(known).decode())
