"""Words as places in arrays of a fixed size, a thousand at a time.

    place(word) = (T[0][b0] ^ T[1][b1] ^ ... ^ salt of the field)  mod PLACES      b: bytes, T: tables of random numbers

Tabulation hashing (Carter, Wegman 1979), done by numpy over all words of a page at once: a cache of places would have
to hold every word of the web, and hashing them one by one takes longer than reading the page. Two words may share a
place; see `links.feature_hashing` for what that costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

PLACES = 1 << 18
"""Of each field."""

Places = npt.NDArray[np.int32]

_LONGEST = 32  # a power of two: bytes of a word that have a table each; the tables are used again from there on
_END = 10  # a new line, which no word holds
_random = np.random.PCG64(20261116).random_raw  # the raw numbers are the same for every version of numpy
_TABLES = _random(_LONGEST * 256).astype(np.uint32)  # one behind the other
_SALTS = _random(64).astype(np.uint32)


Hashes = npt.NDArray[np.uint32]


def word_hashes(words: Iterable[str]) -> Hashes:
    """A number for each word, the same in every field: see `places_of`."""
    together = list(words)
    return line_hashes(("\n".join(together) + "\n").encode("utf-8", "surrogatepass") if together else b"")


def line_hashes(lines: bytes) -> Hashes:
    """The same of words in UTF-8 with a new line behind each."""
    if not lines:
        return np.zeros(0, np.uint32)
    data = np.frombuffer(lines, np.uint8)
    ends = np.flatnonzero(data == _END)
    starts = np.zeros(len(ends), np.intp)
    np.add(ends[:-1], 1, out=starts[1:])
    places = np.arange(len(data), dtype=np.int32)
    places -= np.repeat(starts.astype(np.int32), ends - starts + 1)  # how far into its word each byte is
    places &= _LONGEST - 1
    places <<= 8
    places |= data
    return np.bitwise_xor.reduceat(_TABLES.take(places), starts)


def salt_of(field: int) -> np.uint32:
    """What tells the places of a word in one field from those in another: they are the last bits of hash ^ salt."""
    salt: np.uint32 = _SALTS[field]
    return salt


def salts_of(fields: int) -> Hashes:
    """Of the first so many fields."""
    return _SALTS[:fields]


def places_of(field: int, hashes: Hashes) -> Places:
    """The places of hashed words in one field."""
    places: Places = ((hashes ^ salt_of(field)) & np.uint32(PLACES - 1)).astype(np.int32)  # a power of two: no division
    return places


def word_places(fields: Sequence[Iterable[str]]) -> list[Places]:
    """Of each field, the places of its words in their order."""
    words = [list(field) for field in fields]
    lengths = [len(field) for field in words]
    hashes = word_hashes(chain.from_iterable(words))
    hashes ^= np.repeat(_SALTS[: len(words)], lengths)
    places = (hashes % np.uint32(PLACES)).astype(np.int32)
    return np.split(places, np.cumsum(lengths)[:-1])


def place(field: int, words: Iterable[str]) -> Places:
    """The places of words in one field."""
    return word_places([()] * field + [words])[field]
