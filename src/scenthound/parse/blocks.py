"""Heading blocks (Aastha 4): a heading opens a block, and everything up to the next heading belongs to it.

What stands before the first heading is block 0, which every page has, if only an empty one: so the number of a block
is the number of headings opened before its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.model import Block
from scenthound.parse.marks import Span


def heading_blocks(text: str, headings: Sequence[Span], levels: Sequence[int]) -> tuple[Block, ...]:
    """The blocks of a page, from where its headings stand in its text and what their levels are."""
    starts = [span.start for span in headings]
    blocks = [Block(heading="", level=0, text=text[: starts[0] if starts else len(text)].strip())]
    ends = [*starts, len(text)][1:]
    for span, level, end in zip(headings, levels, ends, strict=True):
        heading = text[span.start : span.end].strip()
        blocks.append(Block(heading=heading, level=level, text=text[span.start : end].strip()))
    return tuple(blocks)
