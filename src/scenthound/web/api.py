"""The API: a table of endpoints, and how a question gets to its answer. Questions and answers are types."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import IO, Any

import anyio.to_thread
import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from scenthound.errors import LibraryBusy, LibraryMissing, ScenthoundError, UsageError
from scenthound.web.crawl_api import CRAWL
from scenthound.web.endpoint import JSON, Endpoint, Problem
from scenthound.web.lab_api import LAB
from scenthound.web.reading_api import READING
from scenthound.web.shelf import Shelf
from scenthound.web.trails_api import TRAILS
from scenthound.web.words_api import WORDS

ENDPOINTS = [*READING, *WORDS, *TRAILS, *CRAWL, *LAB]
PIECE = 65_536


def routes(shelf: Shelf) -> list[Route]:
    return [Route(each.path, _serve(each, shelf), methods=[each.method]) for each in ENDPOINTS]


def _serve(endpoint: Endpoint, shelf: Shelf) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        try:
            asked = _asked(endpoint, shelf, request)
        except UsageError as error:
            return answer(Problem(str(error)), 404)
        try:
            given = await _given(endpoint, request)
        except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
            return answer(Problem(str(error)), 400)
        try:
            found = await _run(endpoint, asked, given)
        except ScenthoundError as error:
            return answer(Problem(str(error)), status_of(error))
        return answer(found) if endpoint.media_type == JSON else _sent(found, endpoint)

    return serve


def _asked(endpoint: Endpoint, shelf: Shelf, request: Request) -> Any:
    if endpoint.of == "shelf":
        return shelf
    find = shelf.get if endpoint.of == "library" else shelf.experiment
    return find(request.path_params["name"])


def _sent(file: IO[bytes], endpoint: Endpoint) -> Response:
    """A file, piece by piece."""
    name = endpoint.path.rpartition("/")[2]

    def pieces() -> Iterator[bytes]:
        with file:
            while piece := file.read(PIECE):
                yield piece

    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return StreamingResponse(pieces(), media_type=endpoint.media_type, headers=headers)


async def _run(endpoint: Endpoint, asked: Any, given: Any) -> Any:
    if endpoint.in_thread:
        return await anyio.to_thread.run_sync(endpoint.run, asked, given)
    found = endpoint.run(asked, given)
    return await found if asyncio.iscoroutine(found) else found


async def _given(endpoint: Endpoint, request: Request) -> Any:
    if endpoint.method == "GET":
        names = list(request.query_params.keys())
        pairs = request.query_params.multi_items()
        if len(pairs) != len(set(names)):
            raise msgspec.ValidationError("a parameter is given twice")
        return msgspec.convert(dict(pairs), endpoint.takes, strict=False)
    body = await request.body()
    return msgspec.json.decode(body or b"{}", type=endpoint.takes)


def answer(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type=JSON)


def status_of(error: ScenthoundError) -> int:
    if isinstance(error, LibraryBusy):
        return 409
    if isinstance(error, UsageError):
        return 400
    return 404 if isinstance(error, LibraryMissing) or error.exit_code == 3 else 500
