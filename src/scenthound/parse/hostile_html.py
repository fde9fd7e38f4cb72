"""Keeps the HTML parser's cost linear on pages made, or broken, to cost more.

The standard's tree construction is quadratic in three ways: each start tag may look through all open elements; each
paragraph opens again every formatting element left open before it (500 `<font>`s and 5,000 `<p>`s in 40 KB make two
and a half million nodes); each attribute is compared with all others of its tag. Pages too small to hurt are passed on
as they are. On the others formatting tags are taken out, which changes neither text nor links, elements nested deeper
than in any honest page are flattened, as browsers do, and tags with absurdly many attributes lose the later ones.
"""

from __future__ import annotations

import re
from itertools import islice

from scenthound.parse.nesting import flatten

MAX_TAGS = 300_000
"""Tags of a page that are read; what follows is cut off. A page of 5 MB has 80,000."""

_ATTRIBUTES_FROM = 65_536  # bytes of a page from which every tag is measured; less can cost a fifth of a second
_LONG_TAG = 2_048
_MANY_ATTRIBUTES = 200

_FORMATTING_FROM = 2_000  # tags on a page from which formatting tags are taken out if many are left open
_FORMATTING_SURELY_FROM = 4_000  # and from which they are in any case
_NESTING_FROM = 16_000  # tags on a page from which nesting is counted; less can cost a second
_MOST_NODES = 1_000_000

# Where a tag ends: at the first ">" that is not in quotes; and quotes are quotes only behind a "=".
_VALUE = rb"""\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+"""
_ATTRIBUTE = rb"[^\s/>][^\s/>=]*+(?:" + _VALUE + rb")?+"
_WHOLE_TAG = re.compile(rb"</?[a-zA-Z][^\s/>]*+(?:[\s/]++|" + _ATTRIBUTE + rb")*+")
_attributes = re.compile(rb"[\s/](" + _ATTRIBUTE + rb")").finditer
_ROOT_TAG = re.compile(rb"<(?:html|body)(?=[\s/])", re.IGNORECASE)
_root_tags = _ROOT_TAG.finditer
_MOST_ROOTS = 20
_quoted_end = re.compile(rb"""=\s*+(?:"[^">]*+>|'[^'>]*+>)""").search

# The first two conditions say nothing new: they turn most other tags away before each name is tried. Of a tag that ends
# in no simple way at least the name goes.
_FORMATTING = re.compile(
    rb"<(?=/?[biusetfcn])(?!/?(?:span|t[bdhr]))"
    rb"/?(?:b|i|u|s|em|tt|big|font|code|small|strong|strike|nobr)"
    rb"""(?:>|[\s/](?:[^<>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+>|(?=[\s/]))""",
    re.IGNORECASE,
)


def make_safe(source: bytes) -> bytes:
    if _has_long_tags(source):
        source = _WHOLE_TAG.sub(_shorten, source)
    tags = source.count(b"<")
    if tags > MAX_TAGS:
        end = next(islice(re.finditer(b"<", source), MAX_TAGS, None)).start()
        source = source[:end]
    if tags > _FORMATTING_FROM and _leaves_open(source, tags):
        # Twice, for the first may have put together what it was to take out: "<<b>b>". The second leaves a full stop,
        # which is part of no such tag and ends none, so that it puts nothing together: "<b<b<b ".
        source = _FORMATTING.sub(b".", _FORMATTING.sub(b"", source))
    if len(source) > _ATTRIBUTES_FROM:
        source = _without_second_roots(source)
    if tags > _NESTING_FROM:
        source = flatten(source)
    return source


def _without_second_roots(source: bytes) -> bytes:
    """The attributes of every `<html>` and `<body>` are added to those of the first, and compared with all of them."""
    later = next(islice(_root_tags(source), _MOST_ROOTS, None), None)
    if later is None:
        return source
    return source[: later.start()] + _ROOT_TAG.sub(b"<x", source[later.start() :])


def _leaves_open(source: bytes, tags: int) -> bool:
    """Whether so many elements are left open that opening them again could hurt.

    Up to `_FORMATTING_SURELY_FROM` tags a page that closes what it opens cannot make more than a million nodes, even
    if its end tags belong to nothing.
    """
    return tags > _FORMATTING_SURELY_FROM or (tags - 2 * source.count(b"</")) * tags > _MOST_NODES


def _has_long_tags(source: bytes) -> bool:
    size = len(source)
    stretch = 4_096 if size < _ATTRIBUTES_FROM else _LONG_TAG // 2
    # With a ">" in every stretch no tag is longer than two, unless it is in quotes; which in a small page does no harm.
    if all(source.find(b">", start, start + stretch) >= 0 for start in range(0, size - stretch, stretch)) and (
        size < _ATTRIBUTES_FROM or not _quoted_end(source)
    ):
        return False
    return max(map(len, _WHOLE_TAG.findall(source)), default=0) > _LONG_TAG


def _shorten(match: re.Match[bytes]) -> bytes:
    """The tag, without the attributes beyond those that any honest tag has."""
    tag = match[0]
    if len(tag) <= _LONG_TAG:
        return tag
    excess = next(islice(_attributes(tag), _MANY_ATTRIBUTES, None), None)
    return tag if excess is None else tag[: excess.start()]
