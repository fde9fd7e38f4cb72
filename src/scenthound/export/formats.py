"""What was collected, to take away: a line per page, in the order of fetching, in constant memory.

| format | a line is |
|---|---|
| `jsonl` | a JSON object |
| `csv` | a row, under a row of names |
| `urls` | a URL |

Times are ISO 8601 in UTC. In CSV a text that a spreadsheet would take for a formula gets an apostrophe in front: titles
are written by strangers.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, Literal, TextIO

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.errors import UsageError
from scenthound.library.sqlite.reader import SqliteReader
from scenthound.protocols.records import StoredPage

Format = Literal["jsonl", "csv", "urls"]
FORMATS: tuple[Format, ...] = ("jsonl", "csv", "urls")

FIELDS: dict[str, Callable[[StoredPage], Any]] = {
    "url": lambda page: page.url,
    "title": lambda page: page.title,
    "relevance": lambda page: round(page.relevance, 6),
    "relevant": lambda page: page.relevant,
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
"""Field -> how it is read off a page. `text` is one more, and read from the library."""

DEFAULT_FIELDS = ("url", "title", "relevance", "relevant", "host", "depth", "fetched_at", "language", "duplicate_of")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class ExportChoice(Struct, frozen=True):
    """Which pages, and what of them."""

    fields: tuple[str, ...] = DEFAULT_FIELDS
    relevant: bool = False  # only pages that count as found: over the threshold, and no repetition of another
    since: float = 0.0  # unix time of the last fetch


def moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def fields_of(names: Sequence[str], with_text: bool = False) -> tuple[str, ...]:
    """The fields a person named; a name that is none is answered with the nearest."""
    chosen = [name.strip() for name in names if name.strip()] or list(DEFAULT_FIELDS)
    known = [*FIELDS, "text"]
    for name in chosen:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
            raise UsageError(f"There is no field {name!r}. {hint}")
    return tuple(dict.fromkeys([*chosen, *(["text"] if with_text else [])]))


def export(
    library: SqliteReader,
    stream: TextIO,
    form: Format,
    choice: ExportChoice | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Writes the pages to the stream; how many. `progress` hears of each page with its number in the library."""
    choice = choice or ExportChoice()
    write = _WRITERS[form](stream, choice.fields)
    written = 0
    for page in pages(library, choice, progress):
        write(record(library, page, choice.fields) if form != "urls" else {"url": page.url})
        written += 1
    return written


def pages(
    library: SqliteReader, choice: ExportChoice, progress: Callable[[int], None] | None = None
) -> Iterator[StoredPage]:
    for page in library.pages(relevant=choice.relevant, since=choice.since):
        if progress is not None:
            progress(page.seq)
        if not (choice.relevant and page.duplicate_of):
            yield page


def record(library: SqliteReader, page: StoredPage, fields: Sequence[str]) -> dict[str, Any]:
    """A page as plain data."""
    return {name: (library.text(page.url) or "") if name == "text" else FIELDS[name](page) for name in fields}


def _jsonl(stream: TextIO, fields: Sequence[str]) -> Callable[[dict[str, Any]], None]:
    encode = msgspec.json.Encoder().encode

    def write(row: dict[str, Any]) -> None:
        stream.write(encode(row).decode() + "\n")

    return write


def _csv(stream: TextIO, fields: Sequence[str]) -> Callable[[dict[str, Any]], None]:
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(fields)

    def write(row: dict[str, Any]) -> None:
        rows.writerow([cell(row[name]) for name in fields])

    return write


def cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        value = value.replace("\0", "")
        return f"'{value}" if value.startswith(_FORMULA) else value
    return value


def _urls(stream: TextIO, fields: Sequence[str]) -> Callable[[dict[str, Any]], None]:
    def write(row: dict[str, Any]) -> None:
        stream.write(f"{row['url']}\n")

    return write


_WRITERS: dict[Format, Callable[[TextIO, Sequence[str]], Callable[[dict[str, Any]], None]]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "urls": _urls,
}
