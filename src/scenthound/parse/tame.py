"""Keeps the HTML parser's cost linear on pages made, or broken, to cost more.

The standard's tree construction is quadratic in three ways: each start tag may look through all open elements; each
paragraph opens again every formatting element left open before it (500 `<font>`s and 5,000 `<p>`s in 40 KB make two
and a half million nodes); each attribute is compared with all others of its tag. Pages too small to hurt are passed on
as they are. On the others formatting tags are taken out, which changes neither text nor links, elements nested deeper
than in any honest page are flattened, as browsers do, and tags with absurdly many attributes lose the later ones.
"""

from __future__ import annotations

import re
from itertools import accumulate, islice

MAX_DEPTH = 500
"""Elements inside each other that are kept. Browsers stop at about as many."""

MAX_TAGS = 300_000
"""Tags of a page that are read; what follows is cut off. A page of 5 MB has 80,000."""

_ATTRIBUTES_FROM = 65_536  # bytes of a page from which every tag is measured
_STRETCH = 4_096  # bytes without a ">" that make a smaller page suspect
_LONG_TAG = 2_048
_MANY_ATTRIBUTES = 200

_FORMATTING_FROM = 1_000  # tags on a page from which formatting tags are taken out
_NESTING_FROM = 4_000  # tags on a page from which nesting is counted
_MOST_NODES = 1_000_000
_REMEMBERED_NAMES = 5_000
_LONGEST_NAME = 40

# The first two conditions say nothing new: they turn most other tags away before each name is tried.
_FORMATTING = re.compile(
    rb"<(?=/?[biusetfcn])(?!/?(?:span|t[bdhr]))"
    rb"/?(?:b|i|u|s|em|tt|big|font|code|small|strong|strike|nobr)(?:[\s/][^<>]*)?>",
    re.IGNORECASE,
)
_WHOLE_TAG = re.compile(rb"""<[a-zA-Z](?:[^>"']++|"[^"]*+"|'[^']*+')*+""")
_QUOTED = re.compile(rb"""("[^"]*+"|'[^']*+')""")
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)[^<>]*>?")
_names_of_tags = re.compile(rb"<(/?[a-zA-Z][^\s/>]*)").findall  # the tags of _TAG, slash and name in one
# Void elements, and those whose end the parser supplies when the next one starts.
_NOT_NESTING = frozenset(
    b"area base br col embed hr img input link meta param source track wbr frame bgsound keygen "
    b"p li dd dt tr td th option optgroup thead tbody tfoot colgroup rp rt a html head body".split()
)


def tame(source: bytes) -> bytes:
    if _has_long_tags(source):
        source = _WHOLE_TAG.sub(_shorten, source)
    tags = source.count(b"<")
    if tags > MAX_TAGS:
        end = next(islice(re.finditer(b"<", source), MAX_TAGS, None)).start()
        source = source[:end]
    if tags > _FORMATTING_FROM and _leaves_open(source, tags):
        source = _FORMATTING.sub(b"", source)
    if tags > _NESTING_FROM:
        source = _flatten(source)
    return source


def _leaves_open(source: bytes, tags: int) -> bool:
    """Whether so many elements are left open that opening them again could hurt.

    Up to `_NESTING_FROM` tags a page that closes what it opens cannot make more than a million nodes, even if its end
    tags belong to nothing.
    """
    return tags > _NESTING_FROM or (tags - 2 * source.count(b"</")) * tags > _MOST_NODES


def _has_long_tags(source: bytes) -> bool:
    size = len(source)
    if size < _ATTRIBUTES_FROM and all(
        source.find(b">", start, start + _STRETCH) >= 0 for start in range(0, size - _STRETCH, _STRETCH)
    ):
        return False
    return max(map(len, _WHOLE_TAG.findall(source)), default=0) > _LONG_TAG


def _shorten(match: re.Match[bytes]) -> bytes:
    """The tag itself, or the beginning of it when what is left out are attributes and not one long value."""
    tag = match[0]
    if len(tag) <= _LONG_TAG or len(_QUOTED.sub(b" ", tag).split()) <= _MANY_ATTRIBUTES:
        return tag
    kept: list[bytes] = []
    for piece in _QUOTED.split(tag):
        kept += [piece] if piece[:1] in (b'"', b"'") else piece.split(b" ")
        if len(kept) > _MANY_ATTRIBUTES:
            break
    return b" ".join(kept[:_MANY_ATTRIBUTES])


def _flatten(source: bytes) -> bytes:
    """The source without the tags of elements that would stand deeper than MAX_DEPTH."""
    # End tags that belong to nothing make the balance fall below nought. From its lowest point to its highest is as
    # far as the depth can be, and more than it is; so few sources that are not too deep have to be looked at again.
    balance = list(accumulate(map(_step_of, _names_of_tags(source)), initial=0))
    return source if max(balance) - min(balance) <= MAX_DEPTH else _without_excess(source)


class _Steps(dict[bytes, int]):
    """Name of a tag, with its slash -> how many elements deeper it leads."""

    def __missing__(self, tag: bytes) -> int:
        if len(self) >= _REMEMBERED_NAMES:
            self.clear()
        name = tag.removeprefix(b"/")
        step = 0 if name.lower() in _NOT_NESTING else -1 if tag[:1] == b"/" else 1
        if len(name) <= _LONGEST_NAME:
            self[tag] = step
        return step


_step_of = _Steps().__getitem__


def _without_excess(source: bytes) -> bytes:
    depth = 0

    def keep(match: re.Match[bytes]) -> bytes:
        nonlocal depth
        if match[2].lower() in _NOT_NESTING:
            return match[0]
        if not match[1]:
            depth += 1
            return match[0] if depth <= MAX_DEPTH else b" "
        if depth:
            depth -= 1
        return match[0] if depth < MAX_DEPTH else b" "

    return _TAG.sub(keep, source)
