"""Pages a person has marked: bookmarks as browsers keep or export them, and plain lists of URLs.

Firefox    places.sqlite, or a backup in JSON
Chromium   the file Bookmarks
any        an exported bookmarks.html
a list     one URL a line, # for comments
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec

from scenthound import urls
from scenthound.errors import ConfigError
from scenthound.training import browsers

Bookmark = tuple[tuple[str, ...], str]
"""Names of the folders a bookmark is in, the outermost first, and its URL."""

DEEPEST = 100


def read(path: Path, folder: str = "") -> list[str]:
    """The URLs of all bookmarks in a file; with `folder`, of those in a folder of that name, at any depth in it."""
    found = list(_bookmarks(path))
    if not folder:
        return [url for _, url in found]
    wanted = folder.strip().casefold()
    inside = [url for within, url in found if wanted in (name.casefold() for name in within)]
    if not inside:
        known = sorted({name for within, _ in found for name in within})
        told = f"There are: {', '.join(known[:20])}." if known else "It has no folders."
        raise ConfigError(f"There is no bookmark in a folder called {folder!r} in {path}. {told}")
    return inside


def listed(path: Path) -> list[str]:
    """The URLs of a list, one a line. A line that is none is the user's mistake."""
    found = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            url = urls.canonical(line.split()[0])
            if isinstance(url, urls.Malformed):
                raise ConfigError(f"{path}, line {number}: {line.split()[0][:80]!r} is no usable URL: {url.reason}.")
            found.append(url)
    return found


def marked(visited: Iterable[str], given: Iterable[str]) -> list[str]:
    """Those of the visited URLs that are among the given ones; http or https, and a slash at the end, do not matter."""
    wanted = {_loosely(url) for each in given if isinstance(url := urls.canonical(each), str)}
    return [url for url in visited if _loosely(url) in wanted]


def _loosely(url: str) -> str:
    return url.partition("://")[2].rstrip("/")


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error


def _bookmarks(path: Path) -> Iterator[Bookmark]:
    if not path.is_file():
        raise ConfigError(f"There is no file {path}.")
    if starts_with(path, browsers.MAGIC):
        with browsers.opened(path) as connection:
            if browsers.kind_of(connection) != "Firefox":
                raise ConfigError(f"{path} holds no bookmarks; Chromium keeps them beside it, in the file Bookmarks.")
            yield from browsers.bookmarks(connection)
        return
    text = text_of(path)
    start = text.lstrip()[:200].lower()
    if start.startswith("{"):
        yield from _from_json(text, path)
    elif start.startswith("<"):
        reader = _Exported()
        reader.feed(text)
        yield from reader.found
    else:
        yield from (((), url) for url in listed(path))


def starts_with(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error


def _from_json(text: str, path: Path) -> Iterator[Bookmark]:
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid JSON: {error}.") from error
    roots = data.get("roots")
    tops = list(roots.values()) if isinstance(roots, dict) else [data]
    waiting: list[tuple[Any, tuple[str, ...]]] = [(top, ()) for top in reversed(tops)]
    while waiting:
        node, within = waiting.pop()
        if not isinstance(node, dict):
            continue
        url = node.get("url") or node.get("uri")
        if isinstance(url, str):
            yield within, url
        name, children = node.get("name") or node.get("title"), node.get("children")
        if isinstance(children, list) and len(within) < DEEPEST:
            inner = (*within, name) if isinstance(name, str) else within
            waiting += [(child, inner) for child in reversed(children)]


class _Exported(HTMLParser):
    """An exported bookmarks.html: headings name the lists that follow them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Bookmark] = []
        self._within: list[str] = []
        self._heading: list[str] | None = None
        self._name = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "h3":
            self._heading = []
        elif tag == "dl":
            self._within.append(self._name)
            self._name = ""
        elif tag == "a" and (url := dict(attrs).get("href")):
            self.found.append((tuple(filter(None, self._within)), url))

    def handle_endtag(self, tag: str) -> None:
        if tag == "h3" and self._heading is not None:
            self._name, self._heading = "".join(self._heading).strip(), None
        elif tag == "dl" and self._within:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if self._heading is not None:
            self._heading.append(data)
