"""What a page asks of robots: `<meta name="robots">` and the `X-Robots-Tag` header.

The strictest word counts: what is said to all robots and what is said to us by name are added together. Directives
for other robots are theirs.
"""

from __future__ import annotations

from collections.abc import Iterable

AGENT = "scenthound"
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def directives(metas: Iterable[str], headers: Iterable[str]) -> tuple[bool, bool]:
    """(noindex, nofollow), from the contents of robots metas and the values of `X-Robots-Tag` headers."""
    words = {word.strip().lower() for content in metas for word in content.split(",")}
    for value in headers:
        words |= _for_us(value)
    return not words.isdisjoint({"noindex", "none"}), not words.isdisjoint({"nofollow", "none"})


def _for_us(header: str) -> set[str]:
    """The directives of one header that concern us: `noindex, otherbot: nofollow, scenthound: none`."""
    words = set()
    ours = True
    for word in header.lower().split(","):
        name, colon, rest = word.partition(":")
        if colon and name.strip() not in _VALUED:
            ours = name.strip() in (AGENT, "robots", "*")
            word = rest
        if ours:
            words.add(word.strip())
    return words
