"""What an endpoint of the API is: an address, what a question may hold, who answers, and what comes back, as types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from scenthound.web.shelf import ServedLibrary

JSON = "application/json"
LIBRARY = "/api/libraries/{name}"

Many = Annotated[int, Meta(ge=1, le=500)]
Share = Annotated[float, Meta(ge=0, le=1)]
Words = Annotated[str, Meta(max_length=500)]
Url = Annotated[str, Meta(min_length=1, max_length=4000)]
Host = Annotated[str, Meta(max_length=255)]
Name = Annotated[str, Meta(max_length=300)]
Year = Annotated[int, Meta(ge=0, le=9000)]
PublishedYear = Annotated[str, Meta(pattern="^([0-9]{4}|unknown)?$")]
Id = Annotated[int, Meta(ge=1, le=1_000_000)]


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters."""


class OfUrl(Struct, frozen=True, forbid_unknown_fields=True):
    url: Url


class HowMany(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Many = 50


class Problem(Struct, frozen=True):
    """What went wrong, and what to do."""

    error: str


Run = Callable[[Any, Any], Any | Awaitable[Any]]


class Endpoint(Struct, frozen=True):
    method: str
    path: str
    summary: str
    run: Run
    takes: type[Struct] = Nothing  # query of a GET, body of anything else
    gives: Any = None
    in_thread: bool = True  # False: it belongs to the thread of the crawl
    of: Literal["library", "experiment", "shelf"] = "library"  # what `run` is asked of: the name's, or all there is
    media_type: str = JSON  # of anything else `run` gives an open file, which is closed when it was sent


def reading(ask: Callable[..., Any]) -> Run:
    """A question to the library, in a thread, with a reader of its own."""

    def run(served: ServedLibrary, given: Any) -> Any:
        with served.readers.lend() as library:
            return ask(library, given)

    return run
