"""What can be told of a page. Times are ISO 8601 in UTC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from scenthound import urls
from scenthound.errors import UsageError
from scenthound.model import MainText
from scenthound.protocols.records import StoredPage
from scenthound.registry import nearest
from scenthound.text.text_quality import repetition, words_per_link


class ExportField(Struct, frozen=True):
    """One thing that can be told of a page: what it means, and how it is read off the page.

    One without `read` stands in the library beside the page: see `ChosenPages.row`.
    """

    meaning: str
    read: Callable[[StoredPage], Any] | None = None


FIELDS: dict[str, ExportField] = {
    "url": ExportField("its address, in one spelling", lambda page: page.url),
    "title": ExportField("what it calls itself", lambda page: page.title),
    "relevance": ExportField("how relevant it is, 0 to 1, as judged now", lambda page: round(page.relevance, 6)),
    "relevant": ExportField("whether that is enough, or its label says so", lambda page: page.relevant),
    "first_relevance": ExportField(
        "how relevant it was judged when it was first fetched", lambda page: round(page.first_relevance, 6)
    ),
    "label": ExportField("what somebody said about it: yes, no, or nothing"),
    "label_by": ExportField("who said so: person, bookmarks, list, file, program:NAME"),
    "host": ExportField("www.example.org", lambda page: page.host),
    "site": ExportField("example.org", lambda page: urls.site(page.url)),
    "depth": ExportField("links from the nearest seed, along the way taken", lambda page: page.depth),
    "fetched_at": ExportField("when it was last fetched", lambda page: moment(page.fetched_at)),
    "first_at": ExportField("when it was first fetched", lambda page: moment(page.first_at)),
    "versions": ExportField("how many answers of it are stored", lambda page: page.versions),
    "language": ExportField("a code: en", lambda page: page.language),
    "description": ExportField("what it says about itself to search engines", lambda page: page.description),
    "status": ExportField("of the HTTP answer", lambda page: page.status),
    "media_type": ExportField("text/html", lambda page: page.media_type),
    "charset": ExportField("utf-8", lambda page: page.charset),
    "bytes": ExportField("size of the answer, unpacked", lambda page: page.bytes),
    "digest": ExportField("SHA-1 of the answer, as in the WARC file", lambda page: page.digest),
    "duplicate_of": ExportField("the page it repeats; then it does not count as found", lambda page: page.duplicate_of),
    "canonical": ExportField("the address it prefers, where that is another", lambda page: page.canonical),
    "noindex": ExportField("whether it asks not to be indexed; then its text is not kept", lambda page: page.noindex),
    "text": ExportField("all that a reader sees of it, menus and footers included"),
    "markdown": ExportField("its main text as Markdown: headings, lists, tables, code and links kept"),
    "words": ExportField("of its main text"),
    "boilerplate": ExportField("share of its words that are not main text, 0 to 1"),
    "repetition": ExportField("share of its main text that it says twice, 0 to 1"),
    "words_per_link": ExportField("of its main text"),
    "usage": ExportField("what its owner said of its use by AI when it was fetched: train-ai=n, search=y"),
    "license": ExportField("where terms of its use are written down, by the host's robots.txt"),
}

TEXT_FIELDS: dict[str, Callable[[MainText], Any]] = {
    "markdown": lambda text: text.markdown,
    "words": lambda text: text.words,
    "boilerplate": lambda text: round(text.boilerplate, 4),
    "repetition": lambda text: round(repetition(text.markdown), 4),
    "words_per_link": lambda text: round(words_per_link(text.markdown, text.words), 2),
}
"""Those that are read off the main text."""

NUMBERS: dict[str, type] = {
    "relevance": float,
    "first_relevance": float,
    "boilerplate": float,
    "repetition": float,
    "words_per_link": float,
}
NUMBERS |= {"depth": int, "versions": int, "status": int, "bytes": int, "words": int}
TRUTHS = frozenset({"relevant", "noindex"})
MOMENTS = frozenset({"fetched_at", "first_at"})
"""What kind of value each field has, for formats that want to know before the first; all others are texts."""

DEFAULT_FIELDS = (
    "url", "title", "relevance", "relevant", "host", "depth", "fetched_at", "language", "duplicate_of", "label",
)  # fmt: skip


def moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def fields_of(names: Sequence[str], with_text: bool = False, with_markdown: bool = False) -> tuple[str, ...]:
    """The fields a person named; a name that is none is answered with the nearest."""
    chosen = [name.strip() for name in names if name.strip()] or list(DEFAULT_FIELDS)
    for name in chosen:
        if name not in FIELDS:
            raise UsageError(f"There is no field {name!r}. {nearest(name, list(FIELDS), 'There are')}")
    return tuple(dict.fromkeys([*chosen, *["text"] * with_text, *["markdown"] * with_markdown]))
