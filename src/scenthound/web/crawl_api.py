"""The API for the crawl: begun, watched, changed, steered, ended."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import TemporaryFile
from typing import IO, Annotated, Any

import anyio.to_thread
from msgspec import Meta, Struct

from scenthound.app.crawl_view import CrawlChange, CrawlView, RecallLine, WaitingLine
from scenthound.app.export import export
from scenthound.app.steering import SteeringAction
from scenthound.web import answers
from scenthound.web.endpoint import LIBRARY, Endpoint, HowMany, Nothing, Run
from scenthound.web.shelf import ServedLibrary


class SteeringWish(Struct, frozen=True, forbid_unknown_fields=True):
    action: SteeringAction
    rule: Annotated[
        str, Meta(min_length=1, max_length=500)
    ]  # as in the settings' scope: host:example.org, path:/forum/*


class SteeringUndo(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[int, Meta(ge=1, le=1_000_000)]


async def _frontier(served: ServedLibrary, query: HowMany) -> list[WaitingLine]:
    if served.live.under_way:
        return served.live.frontier(query.limit)
    return await anyio.to_thread.run_sync(_stored_frontier, served, query.limit)


def _stored_frontier(served: ServedLibrary, limit: int) -> list[WaitingLine]:
    with served.readers.lend() as library:
        return answers.stored_frontier(library, limit)


def _queue(served: ServedLibrary, given: Nothing) -> IO[bytes]:
    """All links that wait, with their scores, as the export writes them."""
    file = TemporaryFile()  # noqa: SIM115  (whoever sends it closes it)
    with served.readers.lend() as library:
        export(library, file, form="waiting")
    file.seek(0)
    return file


def coverage_of(served: ServedLibrary, given: Nothing) -> RecallLine:
    with served.readers.lend() as library:
        return served.recall.get(library)


async def _start(served: ServedLibrary, change: CrawlChange) -> CrawlView:
    await served.live.start(change)
    return served.live.view()


def _steer(act: Callable[[ServedLibrary, Any], object]) -> Run:
    def run(served: ServedLibrary, given: Any) -> CrawlView:
        act(served, given)
        return served.live.view()

    return run


CRAWL = [
    Endpoint(
        "GET",
        f"{LIBRARY}/queue",
        "All links that wait, with their scores, as CSV",
        _queue,
        gives=str,
        media_type="text/csv",
    ),
    Endpoint(
        "GET",
        f"{LIBRARY}/coverage",
        "How much of what can be reached is found, by an estimate; or why nobody can say, and what to do",
        coverage_of,
        gives=RecallLine,
    ),
    Endpoint("GET", f"{LIBRARY}/frontier", "The best links that wait", _frontier, HowMany, list[WaitingLine], False),
    Endpoint(
        "GET", f"{LIBRARY}/crawl", "The crawl as it is", lambda s, g: s.live.view(), gives=CrawlView, in_thread=False
    ),
    Endpoint("POST", f"{LIBRARY}/crawl", "Begins a crawl, or goes on", _start, CrawlChange, CrawlView, False),
    Endpoint(
        "PATCH",
        f"{LIBRARY}/crawl",
        "Changes budget, threshold or parallelism while it runs",
        _steer(lambda served, change: served.live.change(change)),
        CrawlChange,
        CrawlView,
        False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/crawl/pause",
        "Asks for nothing more until it goes on",
        _steer(lambda served, given: served.live.pause()),
        gives=CrawlView,
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/crawl/go-on",
        "Ends a pause",
        _steer(lambda served, given: served.live.go_on()),
        gives=CrawlView,
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/crawl/stop",
        "Ends it at a clean point",
        _steer(lambda served, given: served.live.stop()),
        gives=CrawlView,
        in_thread=False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/steering",
        "Raises, lowers or bans links by a rule, adds or strikes a word of the topic or a seed",
        _steer(lambda served, wish: served.live.steer(wish.action, wish.rule)),
        SteeringWish,
        CrawlView,
        False,
    ),
    Endpoint(
        "POST",
        f"{LIBRARY}/steering/undo",
        "Takes one of these back",
        _steer(lambda served, wish: served.live.unsteer(wish.id)),
        SteeringUndo,
        CrawlView,
        False,
    ),
]
