"""A page's text as one string, and where in it links, headings and images stand.

Marks are two characters, NUL and a letter, put into the tree as text. A page cannot forge them: raw NULs are removed
before parsing, and the standard turns `&#0;` into U+FFFD. Reading goes from mark to mark, so its cost depends on
the number of links and headings, not of nodes.
"""

from __future__ import annotations

import re

from msgspec import Struct

LINK, LINK_END, HEADING, HEADING_END, IMAGE, SPOT, BREAK = "a", "z", "h", "e", "i", "s", "b"
"""Opening and closing of a link and a heading; an image; a link without text (area, frame); the edge of a part."""

PARTING = frozenset({HEADING, BREAK})
"""What no word goes on across."""

_MARK = re.compile("\0(.)")
_CONTROL = re.compile("[\x01-\x1f\x7f-\x9f]")


class Span(Struct, gc=False):
    """Where something stands in the text. `inside` holds the numbers of the images in it."""

    start: int
    end: int
    block: int
    inside: tuple[int, ...] = ()


class TextLayout(Struct):
    """The visible text, whitespace collapsed, and the spans in document order. `breaks`: where parts meet."""

    text: str
    links: list[Span]
    headings: list[Span]
    breaks: list[int] = []


def mark(kind: str) -> bytes:
    return b"\0" + kind.encode()


def without_controls(text: str) -> str:
    """Without the characters that a terminal obeys: an escape in a page must not reach the screen of its reader."""
    return _CONTROL.sub("", text)


def read(marked: str) -> TextLayout:
    """Takes the marks out of the text and notes where they were."""
    text = " ".join(marked.split())
    if "\x1b" in text or "\x9b" in text:
        text = " ".join(without_controls(text).split())
    parts = _MARK.split(text)
    pieces = [parts[0]]
    length = len(parts[0])
    spaced = not parts[0] or parts[0][-1] == " "
    links: list[Span] = []
    headings: list[Span] = []
    open_links: list[Span] = []
    open_headings: list[Span] = []
    breaks: list[int] = []
    images = 0
    for kind, piece in zip(parts[1::2], parts[2::2], strict=True):
        if kind in PARTING and not spaced:  # the library parts words around a heading, too, but not in every place
            pieces.append(" ")
            length += 1
            spaced = True
        if kind == LINK:
            span = Span(length, length, len(headings))
            links.append(span)
            open_links.append(span)
        elif kind == LINK_END and open_links:
            span = open_links.pop()
            span.end = length
            span.block += span.block < len(headings)  # a link around a heading belongs to that heading's block
        elif kind == HEADING:
            span = Span(length, length, len(headings) + 1)
            headings.append(span)
            open_headings.append(span)
        elif kind == HEADING_END and open_headings:
            open_headings.pop().end = length
        elif kind == IMAGE:
            if open_links:
                open_links[-1].inside += (images,)
            images += 1
        elif kind == SPOT:
            links.append(Span(length, length, len(headings)))
        elif kind == BREAK:
            breaks.append(length)
        if piece:
            if spaced and piece[0] == " ":
                piece = piece[1:]
            if piece:
                pieces.append(piece)
                length += len(piece)
                spaced = piece[-1] == " "
    return TextLayout("".join(pieces), links, headings, breaks)
