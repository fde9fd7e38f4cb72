"""What is new in a library: as values, as plain data, as a digest, as a feed."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from scenthound.library.run_settings import last_settings
from scenthound.protocols.crawl import Progress
from scenthound.protocols.library import Library
from scenthound.revisit.detect.text_diff import Piece
from scenthound.revisit.tell.atom_feed import atom
from scenthound.revisit.tell.change_log import ChangeLog, gather, pieces
from scenthound.revisit.tell.digest import markdown

News = list[tuple[ChangeLog, list[Piece]]]
"""What happened to a page, and what it says now and said before."""


def gather_news(
    history: Library, since: float, *, relevant: bool = False, noise: bool = False, progress: Progress | None = None
) -> News:
    """All that was noticed since that unix time."""
    changes = gather(history, since, relevant=relevant, noise=noise)
    found = []
    for number, change in enumerate(changes, 1):
        found.append((change, pieces(history, change)))
        if progress is not None:
            progress(number, len(changes))
    return found


def plain_news(news: News) -> list[dict[str, Any]]:
    return [
        {
            "id": item.id,
            **msgspec.to_builtins(item),
            "diff": [{"op": part.op, "text": part.text} for part in parts if part.op != "same"],
        }
        for item, parts in news
    ]


def digest(history: Library, news: News, since: float) -> str:
    """For a person to read, in Markdown."""
    return markdown(news, last_settings(history).topic.name, since, time.time())


def feed(history: Library, news: News) -> str:
    """For a feed reader, in Atom. A library's feed has the same id wherever the folder is moved."""
    first = next(history.pages(), None)
    place = history.folder.resolve() if history.folder is not None else ""
    library = f"{first.url} {first.first_at!r}" if first is not None else str(place)
    return atom(news, last_settings(history).topic.name, library, time.time())
