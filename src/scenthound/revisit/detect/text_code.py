"""The text of a page as one number (Mali, "Changes in Text Content").

    code = sum over symbols of (count * code point) / distinct symbols

The document calls the code unique; it is not. Any permutation of a text has the same code, and so has a text in
which one letter moves up the alphabet and another down. So a digest beside it has the last word.

The document's two examples (56652 / 43 and 57113 / 43) come out exactly when its text is read as its program must have
read it: bytes of Windows-1252 as signed numbers, where a dash counts -105, the end of the file counting -1, and neither
of the two among the distinct symbols. We count code points, of which none is negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b

from xxhash import xxh32_intdigest

SKETCHED = 64
"""Hashes kept of a text. The share of words two texts have in common is told to within about 1 / sqrt(64)."""


def text_code(text: str) -> float:
    """The document's code; 0 for an empty text."""
    counts = Counter(text)
    return code_of({ord(symbol): count for symbol, count in counts.items()}, len(counts))


def code_of(counts: Mapping[int, int], distinct: int) -> float:
    """The same, of symbols already counted."""
    return sum(symbol * count for symbol, count in counts.items()) / distinct if distinct else 0.0


def text_digest(text: str) -> str:
    return bytes_digest(text.encode("utf-8", "surrogatepass"))


def bytes_digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def sketch(text: str) -> tuple[int, ...]:
    """The smallest hashes of the words of a text, the second "the" being another word than the first.

    A uniform sample of the words that is the same sample wherever the words are the same (Broder 1997), so two
    sketches tell how much two texts share without either text.
    """
    hashes = {
        xxh32_intdigest(word.encode("utf-8", "surrogatepass"), number)
        for word, count in Counter(text.split()).items()
        for number in range(count)
    }
    return tuple(sorted(hashes)[:SKETCHED])


def difference(old: tuple[int, ...], new: tuple[int, ...]) -> float:
    """The share of words that two texts do not have in common, 0..1, told from their sketches."""
    ours, theirs = set(old), set(new)
    union = sorted(ours | theirs)
    if len(old) >= SKETCHED or len(new) >= SKETCHED:
        union = union[:SKETCHED]
    if not union:
        return 0.0
    return 1.0 - sum(hash_ in ours and hash_ in theirs for hash_ in union) / len(union)
