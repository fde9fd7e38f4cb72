"""What is new in a library: as values, as plain data, as a digest, as a feed."""

from __future__ import annotations

import time
from math import inf
from typing import Any

import msgspec
from msgspec import Struct

from scenthound.library.run_settings import last_settings
from scenthound.protocols.crawl import Progress
from scenthound.protocols.library import Library
from scenthound.revisit.detect.text_diff import Piece
from scenthound.revisit.tell.atom_feed import atom
from scenthound.revisit.tell.change_log import ChangeLog, gather, pieces
from scenthound.revisit.tell.digest import markdown

News = list[tuple[ChangeLog, list[Piece]]]
"""What happened to a page, and what it says now and said before."""


ORDERS = ("newest", "relevance")


class NewsOptions(Struct, frozen=True):
    """Which news, and how many."""

    relevant: bool = False  # only of pages about the topic, or that were
    noise: bool = False  # also changes in nothing but dates and counters
    first: bool = False  # also the pages of the first crawl
    order: str = "newest"
    limit: int = 0  # 0: all


ALL_NEWS = NewsOptions()


class GatheredNews(Struct, frozen=True):
    news: News
    whole: int  # how many there are, were there no limit


def gather_news(
    history: Library, since: float, options: NewsOptions = ALL_NEWS, progress: Progress | None = None
) -> GatheredNews:
    """What was noticed since that unix time. Texts are compared only of the news that are wanted."""
    arrived = 0.0 if options.first else first_crawl_ended(history)
    gathered = gather(
        history,
        since,
        relevant=options.relevant,
        noise=options.noise,
        arrived=arrived,
        best=options.order == "relevance",
        limit=options.limit,
    )
    found = []
    for number, change in enumerate(gathered.changes, 1):
        found.append((change, pieces(history, change)))
        if progress is not None:
            progress(number, len(gathered.changes))
    return GatheredNews(found, gathered.whole)


def first_crawl_ended(history: Library) -> float:
    """When the crawl that began the library had ended: what it brought is no news. Infinite while it runs."""
    runs = history.runs()
    if not runs:
        return 0.0
    if runs[0].ended_at is not None:
        return runs[0].ended_at
    return runs[1].started_at if len(runs) > 1 else inf


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
