"""What can be told of a page. Times are ISO 8601 in UTC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from scenthound import urls
from scenthound.errors import UsageError
from scenthound.protocols.records import StoredPage
from scenthound.registry import nearest

FIELDS: dict[str, Callable[[StoredPage], Any]] = {
    "url": lambda page: page.url,
    "title": lambda page: page.title,
    "relevance": lambda page: round(page.relevance, 6),
    "relevant": lambda page: page.relevant,
    "first_relevance": lambda page: round(page.first_relevance, 6),
    "host": lambda page: page.host,
    "site": lambda page: urls.site(page.url),
    "depth": lambda page: page.depth,
    "fetched_at": lambda page: moment(page.fetched_at),
    "first_at": lambda page: moment(page.first_at),
    "versions": lambda page: page.versions,
    "language": lambda page: page.language,
    "description": lambda page: page.description,
    "status": lambda page: page.status,
    "media_type": lambda page: page.media_type,
    "charset": lambda page: page.charset,
    "bytes": lambda page: page.bytes,
    "digest": lambda page: page.digest,
    "duplicate_of": lambda page: page.duplicate_of,
    "canonical": lambda page: page.canonical,
    "noindex": lambda page: page.noindex,
}
"""Field -> how it is read off a page."""

LOOKED_UP = ("label", "label_by", "text")
"""Fields that are read from the library, beside the page: see `ChosenPages.row`."""

ALL_FIELDS = (*FIELDS, *LOOKED_UP)

DEFAULT_FIELDS = (
    "url", "title", "relevance", "relevant", "host", "depth", "fetched_at", "language", "duplicate_of", "label",
)  # fmt: skip


def moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def fields_of(names: Sequence[str], with_text: bool = False) -> tuple[str, ...]:
    """The fields a person named; a name that is none is answered with the nearest."""
    chosen = [name.strip() for name in names if name.strip()] or list(DEFAULT_FIELDS)
    for name in chosen:
        if name not in ALL_FIELDS:
            raise UsageError(f"There is no field {name!r}. {nearest(name, ALL_FIELDS, 'There are')}")
    return tuple(dict.fromkeys([*chosen, *(["text"] if with_text else [])]))
