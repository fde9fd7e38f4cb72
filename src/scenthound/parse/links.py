"""The links of a page: where they lead, what they say, and what stands around them.

A URL that is linked twice is one link, the first; but when the first says nothing (an image, say) and a later one has
words, the words are taken over. Links of a page to itself are left out, and so are URLs that cannot be followed.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from scenthound.model import Link, LinkKind
from scenthound.parse.text_positions import Span
from scenthound.urls import Base

CONTEXT = 100
"""Characters of text taken on each side of an anchor."""

MAX_ANCHOR = 500
"""Characters of an anchor that are kept: a link around a whole page says nothing more with more of them."""

NOWHERE = Span(0, 0, 0)
"""The place of links that have none in the text: from the head, or from a `noscript`."""


class FoundLink(Struct, gc=False):
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

    def add(self, found: FoundLink, span: Span = NOWHERE) -> None:
        url = self.base.resolve(found.href)
        if not isinstance(url, str) or url == self.page_url:
            return
        links = self._links
        earlier = links.get(url)
        if earlier is not None and earlier.anchor:
            return
        start, end = span.start, span.end
        if end - start > MAX_ANCHOR:
            end = start + MAX_ANCHOR
        anchor = found.anchor or self.text[start:end].strip()
        if earlier is None:
            context = "" if span is NOWHERE else self._around(start, end)
            links[url] = Link(
                url, self.page_url, anchor, found.title, context, span.block, len(links), found.rel, found.kind
            )
        elif anchor and earlier.kind not in ("canonical", "refresh"):
            context = "" if span is NOWHERE else self._around(start, end)
            title = " ".join(filter(None, (earlier.title, found.title)))
            links[url] = replace(earlier, anchor=anchor, title=title, context=context, block=span.block)

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
