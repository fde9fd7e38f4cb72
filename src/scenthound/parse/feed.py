"""Feeds: what a site has new, with a title and often a summary for each page. RSS 0.9 to 2.0, Atom and JSON Feed.

Every entry becomes a link of the kind `entry`: its title is the anchor, title and summary are what stands around it.
So a strategy ranks entries as it ranks links of a page, and `feed_page` is that page: the feed's own title, and all
titles and summaries as its text.

At most MAX_ENTRIES entries are read; what cannot be read is left out, and nothing raises.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from scenthound.model import Link, Page, Response
from scenthound.parse.head import collapse, language_of
from scenthound.parse.links import MAX_ANCHOR
from scenthound.parse.xml import Enough, read
from scenthound.text.analysis import analyzer
from scenthound.urls import Base, Malformed

MAX_ENTRIES = 50_000
MAX_SUMMARY = 500
"""Characters of an entry's summary that are kept: about a paragraph."""

MAX_MARKUP = 4_000  # characters of a summary that are looked at before its tags are taken out

_ROOTS = ("rss", "RDF", "feed")
_SUMMARIES = ("description", "summary", "content", "subtitle")
_WITH_TEXT = frozenset(["title", "language", "link", "guid", "id", *_SUMMARIES])
_APART = frozenset(["image", "textinput", "textInput", "source", "author", "contributor"])  # their titles are not ours
_LINK, _OTHER_TYPE, _GUID, _ID, _ABOUT, _NONE = range(6)  # where an entry's URL was found, best first
_BLANK = b"\xef\xbb\xbf \t\r\n"


class FeedEntry(Struct):
    """One entry as its feed has it."""

    url: str = ""
    found: int = _NONE
    title: str = ""
    summary: str = ""
    base: str = ""

    def offer(self, url: str, found: int) -> None:
        if found < self.found and url:
            self.url, self.found = url, found


class Feed(Struct):
    title: str = ""
    summary: str = ""
    language: str = ""
    base: str = ""
    entries: list[FeedEntry] = []


def is_json_feed(body: bytes) -> bool:
    return body.lstrip(_BLANK)[:1] == b"{" and b"jsonfeed.org" in body[:2_000]


def parse_feed(body: bytes, url: str) -> list[Link]:
    """The entries of a feed found at `url`, each page once, in the order they stand there."""
    return _links(_feed(body), url)


def feed_page(response: Response, language: str = "") -> Page:
    """A feed as a page to judge, and to rank the links of. `language` is the topic's, for feeds that name none."""
    feed = _feed(response.body)
    spoken = language_of(feed.language) or language
    text = "\n".join(f"{entry.title}\n{entry.summary}" for entry in feed.entries).strip()
    return Page(
        url=response.url,
        title=feed.title,
        description=feed.summary,
        text=text,
        terms=analyzer(spoken).counts(f"{feed.title}\n{text}"),
        links=tuple(_links(feed, response.url)),
        language=spoken,
    )


def _feed(body: bytes) -> Feed:
    return _read_json(body) if body.lstrip(_BLANK)[:1] == b"{" else read(body, _FeedOutline).feed


def _links(feed: Feed, url: str) -> list[Link]:
    base = _within(Base(url), feed.base)
    links: dict[str, Link] = {}
    for entry in feed.entries:
        target = _within(base, entry.base).resolve(entry.url) if entry.url else url
        if isinstance(target, Malformed) or target == url or target in links:
            continue
        context = " ".join(filter(None, (entry.title, entry.summary)))
        links[target] = Link(target, url, entry.title[:MAX_ANCHOR], "", context, position=len(links), kind="entry")
    return list(links.values())


def _within(base: Base, href: str) -> Base:
    resolved = base.resolve(href) if href else None
    return Base(resolved) if isinstance(resolved, str) else base


class _FeedOutline:
    """Collects title, link and summary of every `<item>` or `<entry>`, and of the feed itself.

    Names count with the prefix of the root element, so that `<atom:link>` and `<media:title>` in RSS do not.
    """

    def __init__(self) -> None:
        self.feed = Feed(entries=[])
        self._own: str | None = None  # the prefix; None before the root
        self._entry: FeedEntry | None = None
        self._apart = 0  # how deep inside an element that has titles and links of its own
        self._attributes: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> bool:
        if self._own is None:
            self._begin(name, attributes)
            return False
        meant = self._meaning(name)
        if self._apart or meant in _APART:
            self._apart += 1
            return False
        if meant in ("item", "entry"):
            self._entry = FeedEntry(base=attributes.get("xml:base", ""))
            self._entry.offer(attributes.get("rdf:about", ""), _ABOUT)
        elif meant == "link" and self._entry is not None and attributes.get("rel", "alternate") == "alternate":
            html = attributes.get("type", "text/html") in ("text/html", "application/xhtml+xml")
            self._entry.offer(attributes.get("href", ""), _LINK if html else _OTHER_TYPE)
        self._attributes = attributes
        return meant in _WITH_TEXT

    def end(self, name: str, text: str) -> None:
        if self._apart:
            self._apart -= 1
            return
        meant = self._meaning(name)
        if meant in ("item", "entry") and self._entry is not None:
            self.feed.entries.append(self._entry)
            self._entry = None
            if len(self.feed.entries) >= MAX_ENTRIES:
                raise Enough
        elif text and meant in _WITH_TEXT:
            self._take(meant, text)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        if local not in _ROOTS:
            raise Enough
        self._own = f"{prefix}:" if prefix and local != "RDF" else ""
        self.feed.language = attributes.get("xml:lang", "")
        self.feed.base = attributes.get("xml:base", "")

    def _meaning(self, name: str) -> str:
        meant = name.removeprefix(self._own or "")
        return "" if ":" in meant else meant

    def _take(self, meant: str, text: str) -> None:
        entry = self._entry
        holder: FeedEntry | Feed = self.feed if entry is None else entry
        if meant == "title":
            holder.title = holder.title or plain(text)
        elif meant in _SUMMARIES:
            holder.summary = holder.summary or plain(text)[:MAX_SUMMARY]
        elif entry is None:
            if meant == "language":
                self.feed.language = text
        elif meant == "link":
            entry.offer(text, _LINK)
        elif text.startswith(("http://", "https://")):
            if meant == "id":
                entry.offer(text, _ID)
            elif meant == "guid" and self._attributes.get("isPermaLink") != "false":
                entry.offer(text, _GUID)


def plain(text: str) -> str:
    """Words without the markup that summaries, and titles, are often written in."""
    if "<" not in text and "&" not in text:
        return collapse(text)
    try:
        tree = LexborHTMLParser(text[:MAX_MARKUP])
        tree.strip_tags(["script", "style"])
    except (SelectolaxError, ValueError):
        return ""
    body = tree.body
    return collapse(body.text(separator=" ")) if body is not None else ""


def _read_json(body: bytes) -> Feed:
    data = loads(body)
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        return Feed()
    feed = Feed(title=plain(_text(data, "title")), summary=plain(_text(data, "description")), entries=[])
    feed.language = _text(data, "language")
    for item in data["items"][:MAX_ENTRIES]:
        if isinstance(item, dict):
            words = _text(item, "summary") or _text(item, "content_text") or _text(item, "content_html")
            url = _text(item, "url") or _text(item, "external_url") or _text(item, "id")
            entry = FeedEntry(title=plain(_text(item, "title")), summary=plain(words)[:MAX_SUMMARY])
            entry.offer(url, _LINK)
            feed.entries.append(entry)
    return feed


def loads(body: bytes) -> Any:
    """What JSON from a stranger says; None where it is none."""
    try:
        return msgspec.json.decode(body.lstrip(_BLANK))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _text(item: dict[str, Any], key: str) -> str:
    value = item.get(key)
    return value[:MAX_MARKUP] if isinstance(value, str) else ""
