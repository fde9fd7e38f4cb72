"""Pages that show nothing until their scripts have run: an empty body beside scripts.

A page is such a one if it has a script and next to nothing to read, no place to go on to, and no frame; or if it has
little, and says itself, in `noscript`, that it needs JavaScript. A crawler that runs no scripts gets nothing out of it,
and its reader should know how many there were.
"""

from __future__ import annotations

import re

from selectolax.lexbor import SelectolaxError

from scenthound.model import Response
from scenthound.parse import text_positions
from scenthound.parse.charset import to_utf8
from scenthound.parse.tree import PageNodes, gather

NEXT_TO_NOTHING = 80
"""Letters of a page that has no text: `Loading ...`, a name, a copyright."""

LITTLE = 600
"""Letters of a page that asks for JavaScript and may have a banner and a footer all the same."""

FEW_LINKS, SOME_LINKS = 3, 10

_SPACE = re.compile(r"\s+")


def made_by_scripts(response: Response) -> bool:
    """Of an HTML page that was not parsed yet. One that cannot be read is none."""
    try:
        gathered = gather(to_utf8(response.body, response.header("content-type"))[0])
    except SelectolaxError:
        return False
    return shows_nothing(gathered, text_positions.read(gathered.text).text)


def shows_nothing(gathered: PageNodes, text: str) -> bool:
    """Of a page whose tree was walked over; `text` is what a reader sees of it."""
    if not gathered.scripts or gathered.head.refresh or len(text) > 10 * LITTLE:
        return False
    letters, links = len(_SPACE.sub("", text)), len(gathered.links)
    if any(link.kind == "frame" for link in gathered.links):
        return False
    nothing = letters <= NEXT_TO_NOTHING and links < FEW_LINKS
    return nothing or (gathered.asks_for_scripts and letters <= LITTLE and links < SOME_LINKS)
