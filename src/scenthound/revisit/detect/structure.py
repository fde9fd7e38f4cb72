"""The structure of a page as two short strings (Mali, "Changes in Page Structure").

    first = first letters of the names of all opening tags, in order
    last  = last letters of the same; a name of one letter gives that letter twice

The document's example: html head title body h1 p p p gives `hhtbhppp` and `ldey1ppp`. Two strings are quickly
compared, and different pages may share them (`td` and `thead` are the same to them), so a digest of the whole names is
kept beside them.

Tags are read from the source, not from the repaired tree: what the author wrote is what may change. Comments are
skipped, and so is what stands inside scripts and styles, where a `<` opens nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from scenthound.revisit.detect.text_code import text_digest

MOST_TAGS = 100_000
"""Tags of a page that are read. A page of 5 MB has 80,000."""

AD_CARRIERS = frozenset({"script", "noscript", "style", "iframe", "ins", "embed", "object", "link", "meta"})
"""Elements that come and go with advertisements and trackers, and hold nothing a reader of the page would miss."""

_LONGEST_NAME = 64
_TAG = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(?P<raw>script|style|textarea|title)(?![\w:-])[^>]*+(?:>|\Z).*?(?:</(?P=raw)|\Z)"
    rb"|<(?P<name>[a-zA-Z][a-zA-Z0-9:_-]*+)",
    re.IGNORECASE | re.DOTALL,
)


class Structure(Struct, frozen=True):
    """The document's two strings, a digest of the tag names, and one of those that carry no advertisements."""

    first: str = ""
    last: str = ""
    digest: str = ""
    calm: str = ""


def tag_names(source: bytes) -> list[str]:
    """The names of all opening tags, in order and in small letters."""
    names: list[str] = []
    for found in _TAG.finditer(source):
        name = found["name"] or found["raw"]
        if name is not None:
            names.append(name[:_LONGEST_NAME].decode("ascii").lower())
            if len(names) == MOST_TAGS:
                break
    return names


def structure(source: bytes) -> Structure:
    names = tag_names(source)
    return Structure(
        first="".join(name[0] for name in names),
        last="".join(name[-1] for name in names),
        digest=digest_of(names),
        calm=digest_of([name for name in names if name not in AD_CARRIERS]),
    )


def digest_of(names: Sequence[str]) -> str:
    return text_digest(" ".join(names))


def distance(old: Structure, new: Structure) -> float:
    """How much of the structure is another one, 0..1: the share of neighbouring tags that the other page lacks.

    Both pages as bags of pairs of neighbours: 1 - 2 * common / (all of the old + all of the new).
    """
    if old.digest == new.digest:
        return 0.0
    ours, theirs = _pairs(old), _pairs(new)
    total = ours.total() + theirs.total()
    apart = 1.0 - 2.0 * (ours & theirs).total() / total if total else 1.0
    return max(apart, 1.0 / max(total, 1))  # the strings may agree where the names do not


def _pairs(given: Structure) -> Counter[tuple[str, str]]:
    tags = ["", *(first + last for first, last in zip(given.first, given.last, strict=True)), ""]
    return Counter(pairwise(tags))
