"""Keeps elements from standing too deep inside each other.

At every block the parser climbs up through what is open to see what the block ends, so a page costs its number of tags
times its depth: 40,000 times `<li><dd>`, 320 KB, would take it twelve seconds.

What is counted here is hardly ever less than the depth the parser will reach, whatever a page does to hide it (a
quarter of it at worst). Every start tag counts, wherever it stands. An end tag takes one back only when it surely ends
the element opened last, or a block that few others have been left open in. And what may hide end tags that are none
(comments, scripts, a `<` or `>` within an attribute) stays on the stack: nothing below it is taken back any more.
Well-made pages come out as deep as they are, careless ones a little deeper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

from scenthound.bounded_cache import Memo

MAX_DEPTH = 500
"""Elements inside each other that are kept. Browsers stop at about as many."""

_REACH = 4  # elements left open that the end of a block may end with it
_REMEMBERED_NAMES = 5_000
_LONGEST_NAME = 40

# A tag whose end all readers agree on, by its name; or, without a name, what may be read in more than one way. Comments
# and document types without a "<" or ">" in them are passed over.
_TOKEN = re.compile(
    rb"<(?!!--[^<>]*+(?<=--)>|![dD][oO][cC][tT][^<>]*+>)"
    rb"""(?:(/?[a-zA-Z][^\s/<>]*+)(?:[^<>"'=]++|=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|(?![\s"'])))*+>|(?=[a-zA-Z/!?]))"""
)
_edges_of_drawings = re.compile(rb"<svg[\s>]|</svg\s*+>|</svg\s", re.IGNORECASE).finditer
_FOREIGN = re.compile(rb"<(?=(?:svg|math)[\s/>])", re.IGNORECASE)

_BLOCKS = (
    b"address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header "
    b"hgroup main menu nav ol pre section summary table ul h1 h2 h3 h4 h5 h6"
).split()
# Opened by the first, ended by the start of each of the others when it comes next.
_ENDED_BY_START = {
    b"p": [*(name for name in _BLOCKS if name != b"table"), b"p", b"form", b"li", b"dd", b"dt"],
    b"li": [b"li"],
    b"dd": [b"dd", b"dt"],
    b"dt": [b"dd", b"dt"],
    b"a": [b"a"],
    b"option": [b"option", b"optgroup"],
    b"td": [b"td", b"th", b"tr", b"tbody", b"thead", b"tfoot"],
    b"th": [b"td", b"th", b"tr", b"tbody", b"thead", b"tfoot"],
    b"tr": [b"tr", b"tbody", b"thead", b"tfoot"],
    b"tbody": [b"tbody", b"thead", b"tfoot"],
    b"thead": [b"tbody", b"tfoot"],
}
_EMPTY = frozenset(
    b"area base br col embed hr img input link meta param source track wbr frame bgsound keygen html head body".split()
)
# No end tag reaches through these: the standard says so, or what is inside may be no tags at all.
_RAW = b"title script style textarea xmp iframe noembed noframes plaintext".split()
_WALLS = [*_RAW, *b"noscript applet caption table td th marquee object template select".split()]


def flatten(source: bytes) -> bytes:
    """The source, without the start tags of elements that might stand deeper than MAX_DEPTH.

    Drawings go as a whole, and formulas become elements like any other: both have rules of their own, by which "/>"
    ends an element and elements that are empty elsewhere are not.
    """
    source = _FOREIGN.sub(b"<x", _without_drawings(source))
    excess = _excess(map(_step_of, _TOKEN.findall(source)))
    if not excess:
        return source
    numbers = count()

    def keep(match: re.Match[bytes]) -> bytes:
        is_comment = match[1] is None and source[match.end()] in b"/!?"
        return b" " if next(numbers) in excess and not is_comment else match[0]

    return _TOKEN.sub(keep, source)


def _without_drawings(source: bytes) -> bytes:
    """Whole ones, with no other in them. As one expression it would not be read rightly by Python 3.11.3 and older."""
    pieces: list[bytes] = []
    done, start = 0, -1
    for edge in _edges_of_drawings(source):
        if source[edge.start() + 1] != ord("/"):
            start = edge.start()
            continue
        if start >= 0 and edge[0].endswith(b">"):
            pieces.append(source[done:start])
            done = edge.end()
        start = -1
    return b" ".join([*pieces, source[done:]]) if pieces else source


def _number(name: bytes) -> int:
    """A number for a name, the same one all day, that no page can guess."""
    return (hash(name) & 0xFFFF_FFFF_FFFF) + 3


_NOTHING, _UNCLEAR = 1, 2
_LINK, _SELECT, _TABLE = map(_number, (b"a", b"select", b"table"))
_BLOCK_NUMBERS = frozenset(map(_number, _BLOCKS))
_WALL_NUMBERS = frozenset([_NOTHING, _UNCLEAR, *map(_number, _WALLS)])
_WALLS_TO_TABLES = _WALL_NUMBERS - set(map(_number, (b"td", b"th", b"caption")))
_RAW_NUMBERS = frozenset(map(_number, _RAW))
_IN_SELECT = frozenset(map(_number, (b"option", b"optgroup")))
_ENDS = {
    _number(start): frozenset(_number(name) for name, starts in _ENDED_BY_START.items() if start in starts)
    for start in {start for starts in _ENDED_BY_START.values() for start in starts}
}


def _step(tag: bytes) -> int:
    """Of a tag's name, with its slash: the number of what it opens; below 0: of what it ends; 0: neither."""
    name = tag.removeprefix(b"/").lower()
    if not name:
        return _UNCLEAR
    return 0 if name in _EMPTY else -_number(name) if tag[:1] == b"/" else _number(name)


def _short(tag: bytes) -> bool:
    return len(tag) <= _LONGEST_NAME


_step_of = Memo(_step, _REMEMBERED_NAMES, _short).__getitem__


def _excess(steps: Iterable[int]) -> set[int]:
    """Which of the steps lead too deep.

    Not those into links, for links end each other, nor into texts that are no HTML: they make no depth.
    """
    stack, excess = [_NOTHING], set()
    for number, step in enumerate(steps):
        if step > 0:
            ends = _ENDS.get(step)
            if ends is not None:
                while stack[-1] in ends:
                    stack.pop()
            if stack[-1] == _SELECT and step not in _IN_SELECT:
                stack[-1] = _UNCLEAR  # not allowed in there, so it may count for nothing, and so may its end
            if len(stack) <= MAX_DEPTH or step in _RAW_NUMBERS:
                stack.append(step)
            elif step == _UNCLEAR:
                stack.append(step)
                excess.add(number)
            elif step != _LINK:
                excess.add(number)
        elif step:
            if stack[-1] == -step:
                stack.pop()
            elif -step in _BLOCK_NUMBERS:
                _end_block(stack, -step)
    return excess


def _end_block(stack: list[int], block: int) -> None:
    walls = _WALLS_TO_TABLES if block == _TABLE else _WALL_NUMBERS
    for place in range(-1, -1 - _REACH, -1):  # there is a wall at the bottom
        if stack[place] == block:
            del stack[place:]
            break
        if stack[place] in walls:
            break
