"""SimHash (Charikar 2002; Manku, Jain, Das Sarma 2007): 64 bits that documents with nearly the same words share.

Every term has a random-looking 64-bit hash. A bit of the document's hash is 1 where more than half of the document's
distinct terms have it set. A few changed words flip a few bits at most.

Every distinct term has one vote, however often it occurs. With votes by count, pages that repeat one word (lists of
lectures, of persons) are taken for each other: of 89 pairs found so among 8,000 pages of 1997, twelve shared
less than 70 % of their words, some 3 %; by distinct terms all 63 pairs share 85 % and more.

A document of few distinct terms has no meaningful hash: every word flips bits, and templates without text would
all look alike. Its hash is 0, and 0 is never found.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_digest

FEWEST_TERMS = 16
DISTANCE = 3  # bits in which near-duplicates may differ, as Manku et al. found for web pages
REMEMBERED_TERMS = 200_000


class _Hashes(dict[str, bytes]):
    def __missing__(self, term: str) -> bytes:
        if len(self) >= REMEMBERED_TERMS:
            self.clear()
        digest = self[term] = xxh3_64_digest(term.encode("utf-8", "surrogatepass"))
        return digest


_hash_of = _Hashes().__getitem__


def simhash(counts: Mapping[str, int]) -> int:
    """The hash of a document, 1..2^64-1; 0 for a document with too few distinct terms."""
    if len(counts) < FEWEST_TERMS:
        return 0
    digests = np.frombuffer(b"".join(map(_hash_of, counts)), dtype=np.uint8).reshape(-1, 8)
    votes = np.unpackbits(digests, axis=1).sum(axis=0, dtype=np.uint32)
    bits = votes * 2 > len(counts)
    return int.from_bytes(np.packbits(bits).tobytes(), "big") or 1


def signed(hash_: int) -> int:
    """The same 64 bits as SQLite's integers, -2^63..2^63-1."""
    return hash_ - (1 << 64) if hash_ >= 1 << 63 else hash_


def unsigned(hash_: int) -> int:
    """The other way round."""
    return hash_ & ((1 << 64) - 1)


class NearDuplicates:
    """The hashes of stored pages: eight bytes and a URL each, asked in one pass."""

    def __init__(self) -> None:
        self._hashes: npt.NDArray[np.uint64] = np.zeros(1024, dtype=np.uint64)
        self._urls: list[str] = []

    def __len__(self) -> int:
        return len(self._urls)

    def add(self, simhash: int, url: str) -> None:
        if not simhash:
            return
        if len(self._urls) == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, np.zeros_like(self._hashes)])
        self._hashes[len(self._urls)] = unsigned(simhash)
        self._urls.append(url)

    def find(self, simhash: int) -> str | None:
        """The URL of the page nearest to this one, the first of equals; None where none is near."""
        if not simhash or not self._urls:
            return None
        distances = np.bitwise_count(self._hashes[: len(self._urls)] ^ np.uint64(unsigned(simhash)))
        nearest = int(distances.argmin())
        return self._urls[nearest] if distances[nearest] <= DISTANCE else None
