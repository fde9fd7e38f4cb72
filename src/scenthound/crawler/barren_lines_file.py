"""What is known of barren lines, kept beside the library: a trap that was left is not entered again by the next crawl.

The file is written when a trap is closed. Without it, or with one that cannot be read, traps are found anew.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from scenthound.atomic_write import replacing
from scenthound.crawler.barren_lines import BarrenLines, LineState
from scenthound.errors import ScenthoundError

NAME = "traps.json"


def kept_lines(folder: Path | None) -> BarrenLines:
    """The lines of the library in a folder; of one in memory nothing is kept."""
    lines = BarrenLines()
    if folder is None:
        return lines
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        lines.lines = msgspec.json.decode((folder / NAME).read_bytes(), type=dict[str, LineState])
    lines.on_change = partial(_keep, lines, folder)
    return lines


def _keep(lines: BarrenLines, folder: Path) -> None:
    known = {host: state for host, state in lines.lines.items() if state.closed}
    with suppress(OSError, ScenthoundError), replacing(folder / NAME) as file:  # a full disk is the library's to report
        file.write(msgspec.json.format(msgspec.json.encode(known), indent=1).decode())
