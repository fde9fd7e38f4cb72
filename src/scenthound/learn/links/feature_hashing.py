"""Features by hash: any word becomes a place in an array of fixed size, so that what is learned never grows.

Two words may share a place. Among 2^18 places and the 20,000 words of an ordinary crawl that happens to one word in
thirteen, and what is learned of the more frequent of the two then counts for both.
"""

from __future__ import annotations

from xxhash import xxh3_64_intdigest

from scenthound.bounded_cache import Memo

REMEMBERED = 100_000
"""Words whose place is remembered, for each kind of feature: about 12 MB at worst."""


class FeatureHasher(Memo[str, int]):
    """Word -> its place, 0 <= place < size. Kinds of features (anchor, URL ...) are told apart by `kind`."""

    def __init__(self, size: int, kind: int, first: int = 0) -> None:
        size -= first

        def place(word: str) -> int:
            return first + xxh3_64_intdigest(word.encode("utf-8", "surrogatepass"), kind) % size

        super().__init__(place, REMEMBERED)
