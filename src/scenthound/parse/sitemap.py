"""Sitemaps: a site's own list of its pages, as XML, as an index of other sitemaps, as a feed, or as plain text.

| form | read as |
|---|---|
| `<urlset>` | pages, with the time of their last change and the weight the site gives them |
| `<sitemapindex>` | other sitemaps |
| RSS, Atom, JSON Feed | pages (the protocol allows feeds as sitemaps) |
| plain text | one URL a line |

Any of them may be gzipped. At most MAX_ENTRIES entries are read of one file, as the protocol says; what cannot be read
is left out, and nothing raises. A web page that stands where a sitemap was looked for has no entries.
"""

from __future__ import annotations

import re
import zlib
from datetime import UTC, datetime

from msgspec import Struct

from scenthound.model import Link, Page
from scenthound.parse.feed import is_json_feed, parse_feed
from scenthound.parse.xml import Enough, read
from scenthound.text.analysis import analyzer
from scenthound.urls import Base, Malformed, path

MAX_ENTRIES = 50_000
MAX_UNPACKED = 20_000_000
"""Bytes of a sitemap that are read, as unpacked, unless whoever asks wants fewer."""

USUAL = 0.5
"""The priority of an entry that names none."""

_GZIP = b"\x1f\x8b"
_YEAR_ONLY = re.compile(r"(\d{4})(?:-(\d\d))?\Z")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ESCAPES = re.compile(r"(?:%[0-9A-F]{2})+")


class SitemapEntry(Struct, frozen=True, gc=False):
    """One line of a sitemap. `priority` weighs pages of one site against each other, not against other sites'."""

    url: str
    lastmod: float = 0.0  # unix time; 0: not said
    priority: float = USUAL
    sitemap: bool = False  # it leads to another sitemap, not to a page


def parse_sitemap(body: bytes, url: str, most_bytes: int = MAX_UNPACKED) -> list[SitemapEntry]:
    """The entries of a sitemap found at `url`, each URL once and canonical, in the order they stand there.

    What follows after `most_bytes`, as unpacked, is not read.
    """
    body = _unzipped(body, most_bytes)
    base = Base(url)
    if body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        outline = read(body, lambda: _SitemapOutline(base))
        return outline.entries if outline.root else [SitemapEntry(link.url) for link in parse_feed(body, url)]
    if is_json_feed(body):
        return [SitemapEntry(link.url) for link in parse_feed(body, url)]
    return _lines(body, base)


def entry_links(entries: list[SitemapEntry], source: str) -> tuple[Link, ...]:
    """Entries that lead to pages, as links of their sitemap.

    A sitemap has no anchors, so the words of the path stand in: `/health/dengue-fever.html` says `health dengue fever`.
    """
    pages = (entry.url for entry in entries if not entry.sitemap)
    return tuple(
        Link(url, source, anchor=path_words(url), position=position, kind="entry") for position, url in enumerate(pages)
    )


def sitemap_page(url: str, entries: list[SitemapEntry], language: str = "") -> Page:
    """A sitemap as a page to judge, and to rank the links of: its text are the words of all paths."""
    links = entry_links(entries, url)
    text = "\n".join(link.anchor for link in links)
    return Page(url, text=text, terms=analyzer(language).counts(text), links=links, language=language)


def path_words(url: str) -> str:
    """The words a URL's path is made of, without the ending of the file."""
    text = path(url)
    if "%" in text:
        text = _ESCAPES.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "replace"), text)
    folder, slash, name = text.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    return " ".join(_WORD.findall(f"{folder}{slash}{stem if dot and len(ending) <= 5 else name}"))


class _SitemapOutline:
    """Collects `<loc>`, `<lastmod>` and `<priority>` of every `<url>` or `<sitemap>`.

    Names count with the prefix of the root element, so that `<image:loc>` is no page.
    """

    def __init__(self, base: Base) -> None:
        self.entries: list[SitemapEntry] = []
        self.root = ""
        self._base = base
        self._seen: set[str] = set()
        self._names: dict[str, str] = {}  # as the document spells them -> ours
        self._fields: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> bool:
        if not self.root:
            prefix, _, local = name.rpartition(":")
            if local not in ("urlset", "sitemapindex"):
                raise Enough
            self.root = local
            own = f"{prefix}:" if prefix else ""
            self._names = {own + each: each for each in ("url", "sitemap", "loc", "lastmod", "priority")}
        meant = self._names.get(name)
        if meant in ("url", "sitemap"):
            self._fields = {}
        return meant in ("loc", "lastmod", "priority")

    def end(self, name: str, text: str) -> None:
        meant = self._names.get(name)
        if meant in ("loc", "lastmod", "priority"):
            self._fields.setdefault(meant, text)
        elif meant in ("url", "sitemap"):
            self._take()

    def _take(self) -> None:
        fields = self._fields
        url = self._base.resolve(fields.get("loc", "").strip())
        if not fields.get("loc") or isinstance(url, Malformed) or url in self._seen:
            return
        self._seen.add(url)
        index = self.root == "sitemapindex"
        self.entries.append(SitemapEntry(url, moment(fields.get("lastmod", "")), _weight(fields), index))
        if len(self.entries) >= MAX_ENTRIES:
            raise Enough


def moment(text: str) -> float:
    """Unix time of a W3C date: `2024`, `2024-05`, `2024-05-06`, `2024-05-06T07:08:09+02:00`; 0 where it is none."""
    text = text.strip()
    try:
        if short := _YEAR_ONLY.match(text):
            return datetime(int(short[1]), int(short[2] or 1), 1, tzinfo=UTC).timestamp()
        when = datetime.fromisoformat(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _weight(fields: dict[str, str]) -> float:
    try:
        weight = float(fields["priority"])
    except (KeyError, ValueError):
        return USUAL
    return min(max(weight, 0.0), 1.0) if weight == weight else USUAL


def _unzipped(body: bytes, most_bytes: int) -> bytes:
    """The body, unpacked up to the limit where it is gzipped; what comes before the damage in one that is damaged."""
    if not body.startswith(_GZIP):
        return body[:most_bytes]
    unpacker = zlib.decompressobj(wbits=31)
    parts: list[bytes] = []
    size = 0
    try:
        for start in range(0, len(body), 65_536):
            parts.append(unpacker.decompress(body[start : start + 65_536], most_bytes - size))
            size += len(parts[-1])
            if size >= most_bytes or unpacker.eof:
                break
    except zlib.error:
        pass
    return b"".join(parts)


def _lines(body: bytes, base: Base) -> list[SitemapEntry]:
    found: dict[str, None] = {}
    for line in body.decode("utf-8-sig", "replace").splitlines():
        line = line.strip()
        if line.startswith(("http://", "https://")) and isinstance(url := base.resolve(line), str):
            found[url] = None
            if len(found) >= MAX_ENTRIES:
                break
    return [SitemapEntry(url) for url in found]
