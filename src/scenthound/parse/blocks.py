"""The blocks of a page: what belongs together, so that a link can be judged by what stands around it.

**By headings** (Aastha 4): a heading opens a block, and everything up to the next heading belongs to it, nested tables
included. What stands before the first heading is block 0, which every page has, if only an empty one: so the number
of a block is the number of headings opened before its end.

**By structure**, where a page has no heading at all. Sections, lists, table cells, rules and the like cut the text
into pieces. A piece whose text is mostly links is navigation; neighbours are joined while they are of one kind and
one of them is too short to stand alone. What is left is content apart from navigation and boilerplate, long
sections and cells apart from each other, and short ones together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from scenthound.model import Block
from scenthound.parse.text_positions import Span, TextLayout

MAX_HEADING = 1_000
"""Characters of a heading that are kept: one that does not end holds the rest of the page, and so do those in it."""

SHORT = 300
"""Characters below which a piece of content is joined to its neighbours."""

DENSE = 0.5
"""Share of a piece's characters inside links from which it is navigation."""


def blocks_of(layout: TextLayout, levels: Sequence[int], longest: int) -> tuple[Block, ...]:
    """The blocks of the first `longest` characters. The spans of the links learn which block they are in."""
    text = layout.text[:longest]
    if layout.breaks and not layout.headings:
        return structural_blocks(text, layout.breaks, layout.links)
    return heading_blocks(text, layout.headings, levels)


def heading_blocks(text: str, headings: Sequence[Span], levels: Sequence[int]) -> tuple[Block, ...]:
    """The blocks of a page, from where its headings stand in its text and what their levels are."""
    starts = [span.start for span in headings]
    blocks = [Block(heading="", level=0, text=text[: starts[0] if starts else len(text)].strip())]
    ends = [*starts, len(text)][1:]
    for span, level, end in zip(headings, levels, ends, strict=True):
        heading = text[span.start : min(span.end, span.start + MAX_HEADING)].strip()
        blocks.append(Block(heading=heading, level=level, text=text[span.start : end].strip()))
    return tuple(blocks)


class _Piece(Struct):
    start: int
    end: int
    linked: int = 0  # characters inside links

    @property
    def navigation(self) -> bool:
        return self.linked > DENSE * (self.end - self.start)

    @property
    def stands_alone(self) -> bool:
        """Menus are many short lists: they are one block, however long."""
        return self.end - self.start >= SHORT and not self.navigation


def structural_blocks(text: str, breaks: Sequence[int], links: Sequence[Span]) -> tuple[Block, ...]:
    """The blocks of a page without headings, from where the parts of its structure meet."""
    pieces = _joined(_pieces(text, breaks, links))
    starts = [piece.start for piece in pieces]
    for span in links:
        span.block = max(0, bisect_right(starts, span.start) - 1)
    return tuple(Block(heading="", level=0, text=text[piece.start : piece.end].strip()) for piece in pieces)


def _pieces(text: str, breaks: Sequence[int], links: Sequence[Span]) -> list[_Piece]:
    """What stands between two breaks, unless it is nothing; the first piece begins where the text does."""
    edges = [0, *sorted({edge for edge in breaks if 0 < edge < len(text)}), len(text)]
    pieces: list[_Piece] = []
    for start, end in pairwise(edges):
        if pieces and not text[start:end].strip():
            pieces[-1].end = end
        else:
            pieces.append(_Piece(start, end))
    starts = [piece.start for piece in pieces]
    for span in links:
        piece = pieces[max(0, bisect_right(starts, span.start) - 1)]
        piece.linked += max(0, min(span.end, piece.end) - span.start)
    return pieces


def _joined(pieces: Sequence[_Piece]) -> list[_Piece]:
    joined = [pieces[0]]
    for piece in pieces[1:]:
        last = joined[-1]
        alike = last.navigation == piece.navigation and not (last.stands_alone and piece.stands_alone)
        if alike or last.end == last.start:
            last.end, last.linked = piece.end, last.linked + piece.linked
        else:
            joined.append(piece)
    return joined
