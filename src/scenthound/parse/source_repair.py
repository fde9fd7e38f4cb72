"""What is done to a page's source before it is parsed, so that old and hasty pages give what their authors meant.

The standard's parser drops what browsers of 1997 showed: everything behind a comment that does not end, and the text
for browsers without frames, which is exactly what a crawler is.
"""

from __future__ import annotations

import re

FRAME = "embed[data-frame]"
"""What frames have become, as a selector."""

_UNUSUAL = re.compile(rb"<[!fF](?:--|[rR][aA][mM][eE][sS][eE][tT])")  # a comment or a page of frames
_FRAMESET = re.compile(rb"<[fF][rR][aA][mM][eE][sS][eE][tT]")
_FRAMES = re.compile(rb"</?(?:frameset|noframes)(?:\s[^<>]*)?>", re.IGNORECASE)
_FRAME = re.compile(rb"<frame(?=\s)", re.IGNORECASE)

# Words in neighbouring blocks must not run together ("<li>one</li><li>two"), while those split by inline elements
# must ("<b>W</b>ord"). A space before every block tag that has none does it in one pass over the source, instead of
# two insertions per block in the tree. The prefixes are sloppy (h1-h6, hr, header; td, th, tr, table) for speed, and
# the commonest inline tags are turned away first: it halves the time, for they would fail at every alternative.
_BLOCK_TAG = re.compile(
    rb"<(?<=\S<)(?!/?(?:a[ >]|sp|co|em))"
    rb"(?=/?(?:[pP](?:[\s/>]|[rR][eE])|[dD][iIdDtTlL]|[lL][iIeE]|[tT][dDhHrRaA]|[bB][rRlL]|[hH][1-6rReE]|[uUoO][lLpP]"
    rb"|[cC][eEaA]|[fF](?:[oO][rRoO]|[iI])|[aA][dD]|sec|art|asi|nav|main|det|sum))"
)


def repair(source: bytes) -> bytes:
    if _UNUSUAL.search(source):
        source = _open_frames(_end_comments(source))
    return _BLOCK_TAG.sub(b" <", source)


def _end_comments(source: bytes) -> bytes:
    """A comment that never ends would hide the rest of the page: like old browsers, let it end at the next `>`."""
    if b"<!--" not in source:
        return source
    closed = max(source.rfind(b"-->"), source.rfind(b"--!>"), 0)
    opened = source.find(b"<!--", closed)
    if opened < 0:
        return source
    return source[:opened] + source[opened:].replace(b"<!--", b"<! ")


def _open_frames(source: bytes) -> bytes:
    """A page of frames as a page with a body: its frames become elements allowed there, the rest is shown."""
    if not _FRAMESET.search(source):
        return source
    return _FRAME.sub(b"<embed data-frame", _FRAMES.sub(b" ", source))
