"""News as an Atom feed (RFC 4287), for any feed reader. Ids are the same at every writing, so none is shown twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from scenthound.revisit.detect.text_diff import Piece, hunks, to_html
from scenthound.revisit.tell.change_log import ChangeLog
from scenthound.version import __version__

ATOM = "http://www.w3.org/2005/Atom"
MOST_ENTRIES = 500
MOST_PIECES = 60  # sentences of an entry

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def atom(entries: Iterable[tuple[ChangeLog, list[Piece]]], topic: str, library: str, now: float) -> str:
    """`library` is what tells this library from another one; the feed's id is made of it."""
    news = list(entries)[:MOST_ENTRIES]
    feed = Element("feed", xmlns=ATOM)
    _text(feed, "id", uuid5(NAMESPACE_URL, f"scenthound {library}").urn)
    _text(feed, "title", f"New on {topic}" if topic else "New pages")
    _text(feed, "updated", stamp(max((item.at for item, _ in news), default=now)))
    _text(feed, "generator", "Scenthound").set("version", __version__)
    _text(SubElement(feed, "author"), "name", "Scenthound")
    for item, parts in news:
        feed.append(_entry(item, parts))
    indent(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(feed, encoding="unicode") + "\n"


def _entry(item: ChangeLog, parts: list[Piece]) -> Element:
    entry = Element("entry")
    _text(entry, "id", item.id)
    _text(entry, "title", f"{headline(item)}: {item.title or item.url}")
    _text(entry, "updated", stamp(item.at))
    SubElement(entry, "link", rel="alternate", href=legible(item.url))
    SubElement(entry, "category", term=item.sort)
    _text(entry, "summary", sentence(item))
    shown = [part for hunk in hunks(parts) for part in hunk][:MOST_PIECES]
    if shown:
        _text(entry, "content", str(to_html(shown))).set("type", "html")
    return entry


def headline(item: ChangeLog) -> str:
    return {"new": "New", "changed": "Changed", "noise": "Noise", "moved": "Moved", "missing": "Missing"}.get(
        item.sort, item.sort.capitalize()
    )


def sentence(item: ChangeLog) -> str:
    """What happened, in one line."""
    relevance = f"relevance {item.relevance:.2f}"
    if item.before is not None and abs(item.before - item.relevance) >= 0.005:
        relevance = f"relevance {item.before:.2f}, now {item.relevance:.2f}"
    parts = [relevance]
    if item.sort == "moved":
        parts.append(f"to {item.detail}")
    elif item.detail:
        parts.append(item.detail)
    if item.kind and item.version is not None:
        parts.append(f"{item.kind}, {100 * item.size:.0f} % of it")
    return legible("; ".join(parts))


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def legible(text: str) -> str:
    """Without what no XML file may hold; titles are written by strangers."""
    return _NOT_XML.sub("\ufffd", text)


def _text(parent: Element, tag: str, text: str) -> Element:
    child = SubElement(parent, tag)
    child.text = legible(text)
    return child
