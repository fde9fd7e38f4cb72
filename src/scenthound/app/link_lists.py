"""Lists of links as other programs keep them: OPML, bookmarks, sitemaps, plain lists of URLs."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from pathlib import Path

from scenthound import urls
from scenthound.errors import UsageError
from scenthound.fetch.common_crawl import is_index
from scenthound.parse.sitemap import parse_sitemap
from scenthound.training import bookmarks, browsers

MOST_BYTES = 100_000_000
_PAGES = (".warc", ".warc.gz", ".wacz", ".jsonl", ".jl", ".ndjson")
_ENDINGS = frozenset(
    {".txt", ".urls", ".lst", ".csv", ".opml", ".xml", ".html", ".htm", ".json", ".sqlite", ".gz", ".md", ""}
)
_host_and_path = re.compile(r"[\w-]+(\.[\w-]+)*\.[^\W\d_]{2,}(:\d+)?(/\S*)?").fullmatch


def is_link_list(path: Path) -> bool:
    """Whether a source is a list of links, by its name; all else is taken for pages."""
    if path.is_dir() or is_index(path) or path.name.lower().endswith(_PAGES):
        return False
    return path.suffix.lower() in _ENDINGS


def links_of(path: Path) -> list[str]:
    """The canonical URLs in a list, in order. What is no web address is passed over."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path} is no list of links: it has more than {MOST_BYTES // 1_000_000} MB.")
        with path.open("rb") as file:
            start = file.read(4096)
        found = _read(path, start)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    kept = [url for each in found if isinstance(url := urls.canonical(each), str)]
    if not kept:
        raise UsageError(
            f"{path} holds no links that could be taken. A list has a URL a line; OPML, bookmarks of a browser and "
            "sitemaps are read, too. Pages are taken from .warc, .wacz, .jsonl files and from folders of HTML."
        )
    return list(dict.fromkeys(kept))


def _read(path: Path, start: bytes) -> list[str]:
    lowered = start.lower()
    if start.startswith(browsers.MAGIC) or lowered.lstrip().startswith(b"{"):
        return bookmarks.read(path)
    if b"<opml" in lowered:
        return _opml(path.read_bytes())
    if b"<urlset" in lowered or b"<sitemapindex" in lowered or start.startswith(b"\x1f\x8b"):
        return [entry.url for entry in parse_sitemap(path.read_bytes(), "http://list.invalid/")]
    if lowered.lstrip().startswith(b"<"):
        return bookmarks.read(path)
    lines = path.read_bytes().decode("utf-8-sig", "replace").splitlines()
    rows = csv.reader(lines) if path.suffix.lower() == ".csv" else map(str.split, lines)
    return [address for row in rows if (address := _address(row))]


def _address(row: list[str]) -> str:
    """The web address that a line begins with, as people write them, or that a later cell or word of it is."""
    if not row or row[0].startswith("#"):
        return ""
    if _host_and_path(row[0]):
        return f"https://{row[0]}"
    return next((word.strip() for word in row if "://" in word), "")


class _Outlines(HTMLParser):
    """OPML is XML, but often badly written; all that is wanted are attributes of one element."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "outline":
            known = dict(attrs)
            self.found += [url for name in ("htmlurl", "xmlurl", "url") if (url := known.get(name))]


def _opml(data: bytes) -> list[str]:
    reader = _Outlines()
    reader.feed(data.decode("utf-8-sig", "replace"))
    return reader.found
