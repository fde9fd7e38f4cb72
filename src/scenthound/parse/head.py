"""What a page says about itself: title, description, keywords, language, base, canonical URL, feeds, refresh, robots,
dates.

Head elements count wherever they stand: in broken pages they are often in the body.
"""

from __future__ import annotations

import re

from msgspec import Struct, field
from selectolax.lexbor import LexborNode

from scenthound.parse.publication import DateWords
from scenthound.parse.text_positions import without_controls

MAX_TITLE = 1_000
"""Characters of a title, a description or a list of keywords that are kept."""

_REFRESH = re.compile(r"^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?\s*(.*?)[\"']?\s*$", re.IGNORECASE | re.DOTALL)
_LANGUAGE = re.compile(r"\s*([a-zA-Z]{2,3})(?![a-zA-Z])")
_FEEDS = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})


class Head(Struct):
    """Collected while the nodes of the page go by; the first of each kind counts."""

    title: str | None = None
    description: str = ""
    keywords: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    refresh: str = ""
    feeds: list[tuple[str, str]] = field(default_factory=list)  # href, title
    robots: list[str] = field(default_factory=list)
    dates: DateWords = field(default_factory=DateWords)

    def take(self, tag: str, node: LexborNode) -> None:
        if tag == "title":
            if self.title is None:
                self.title = collapse(node.text())
            return
        attributes = node.attributes
        if tag == "meta":
            self._take_meta(attributes)
        elif tag == "link":
            self._take_link(attributes)
        elif tag == "time":
            self.dates.take_time(attributes)
        elif tag == "base":
            self.base = self.base or (attributes.get("href") or "").strip()

    def _take_meta(self, attributes: dict[str, str | None]) -> None:
        content = attributes.get("content") or ""
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        if name == "description":
            self.description = collapse(content) or self.description
        elif name == "og:description":
            self.description = self.description or collapse(content)
        elif name == "keywords":
            self.keywords = self.keywords or collapse(content)
        elif name in ("robots", "scenthound"):
            self.robots.append(content)
        else:
            self.dates.take_meta(name or (attributes.get("itemprop") or "").lower(), content)
        equivalent = (attributes.get("http-equiv") or "").strip().lower()
        if equivalent == "refresh":
            self.refresh = self.refresh or refresh_target(content)
        elif equivalent == "content-language":
            self.language = self.language or language_of(content)

    def _take_link(self, attributes: dict[str, str | None]) -> None:
        href = attributes.get("href") or ""
        rel = (attributes.get("rel") or "").lower().split()
        if not href:
            return
        if "canonical" in rel:
            self.canonical = self.canonical or href
        elif "alternate" in rel and (attributes.get("type") or "").strip().lower() in _FEEDS:
            self.feeds.append((href, collapse(attributes.get("title") or "")))


def collapse(text: str) -> str:
    """One line, single spaces, not longer than a title may be, with nothing in it that a terminal would obey."""
    line = " ".join(text[: 4 * MAX_TITLE].split())[:MAX_TITLE]
    return line if line.isprintable() else without_controls(line)


def refresh_target(content: str) -> str:
    """The URL of `5; url=next.html`; empty for a page that only reloads itself."""
    match = _REFRESH.match(content[: MAX_TITLE * 4])
    return match[1] if match else ""


def language_of(tag: str) -> str:
    """`en` of `en-GB`; empty when there is no language in it."""
    match = _LANGUAGE.match(tag)
    return match[1].lower() if match else ""
