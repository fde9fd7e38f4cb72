"""The links of a page: where they lead, what they say, and what stands around them.

A URL that is linked twice is one link, the first; but when the first says nothing (an image, say) and a later one has
words, the words are taken over. Links of a page to itself are left out, and so are URLs that cannot be followed.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from scenthound.model import Link, LinkKind
from scenthound.parse.marks import Span
from scenthound.urls import Base, Malformed

CONTEXT = 100
"""Characters of text taken on each side of an anchor."""

MAX_ANCHOR = 500
"""Characters of an anchor that are kept: a link around a whole page says nothing more with more of them."""

NOWHERE = Span(0, 0, 0)
"""The place of links that have none in the text: from the head, or from a `noscript`."""


class Found(Struct):
    """A link element as the page has it, before its URL is resolved."""

    kind: LinkKind
    href: str
    title: str = ""
    rel: str = ""
    anchor: str = ""  # where known without the text


class LinkList:
    """Links in the order they are found, one per URL."""

    def __init__(self, page_url: str, base: Base, text: str) -> None:
        self.page_url = page_url
        self.base = base
        self.text = text
        self._links: dict[str, Link] = {}

    def add(self, found: Found, span: Span = NOWHERE) -> None:
        url = self.base.resolve(found.href)
        if isinstance(url, Malformed) or url == self.page_url:
            return
        anchor = found.anchor or self.text[span.start : min(span.end, span.start + MAX_ANCHOR)].strip()
        earlier = self._links.get(url)
        if earlier is not None and (earlier.anchor or not anchor):
            return
        context = "" if span is NOWHERE else self._around(span.start, min(span.end, span.start + MAX_ANCHOR))
        if earlier is None:
            self._links[url] = Link(
                url, self.page_url, anchor, found.title, context, span.block, len(self._links), found.rel, found.kind
            )
        elif earlier.kind not in ("canonical", "refresh"):
            title = " ".join(filter(None, (earlier.title, found.title)))
            self._links[url] = replace(earlier, anchor=anchor, title=title, context=context, block=span.block)

    def done(self) -> tuple[Link, ...]:
        return tuple(self._links.values())

    def _around(self, start: int, end: int) -> str:
        """The text from about CONTEXT characters before `start` to as many after `end`, cut between words."""
        text = self.text
        left, right = start - CONTEXT, end + CONTEXT
        if left <= 0:
            left = 0
        elif (space := text.find(" ", left - 1, start)) >= 0:
            left = space + 1
        if right >= len(text):
            return text[left:].strip()
        if (space := text.rfind(" ", end, right + 1)) >= 0:
            right = space
        return text[left:right].strip()
