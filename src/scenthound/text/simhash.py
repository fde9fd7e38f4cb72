"""SimHash (Charikar 2002; Manku, Jain, Das Sarma 2007): 64 bits that documents with nearly the same words share.

Every term has a random-looking 64-bit hash. A bit of the document's hash is 1 where more than half of the document's
distinct terms have it set. A few changed words flip a few bits at most.

Every distinct term has one vote, however often it occurs. With votes by count, pages that repeat one word (lists of
lectures, of persons) are taken for each other: of 89 pairs found so among 8,000 pages of 1997, twelve shared
less than 70 % of their words, some 3 %; by distinct terms all 63 pairs share 85 % and more.

Votes are counted in one large number: each term is a number with a lane of 8 bits for every bit of its hash, and the
sum of up to 255 terms holds 64 counts side by side. That is as fast as arrays are, and needs none.

A document of few distinct terms has no meaningful hash: every word flips bits, and templates without text would
all look alike. Its hash is 0, and 0 is never found.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from xxhash import xxh3_64_digest

from scenthound.bounded_cache import Memo

FEWEST_TERMS = 16
DISTANCE = 3  # bits in which near-duplicates may differ, as Manku et al. found for web pages
REMEMBERED_TERMS = 50_000  # about 8 MB
LANE = 255  # what a lane can count


_SPREAD = [bytes(map(int, f"{byte:08b}")) for byte in range(256)]  # a byte, a bit a lane


def _lanes(term: str) -> int:
    """The hash of a term, a bit a lane of 8."""
    digest = xxh3_64_digest(term.encode("utf-8", "surrogatepass"))
    return int.from_bytes(b"".join(map(_SPREAD.__getitem__, digest)), "big")


_lanes_of = Memo(_lanes, REMEMBERED_TERMS).__getitem__


def simhash(counts: Mapping[str, int]) -> int:
    """The hash of a document, 1..2^64-1; 0 for a document with too few distinct terms."""
    if len(counts) < FEWEST_TERMS:
        return 0
    # A page of more terms than are remembered would make us forget those of all the others, and gain nothing.
    lanes = map(_lanes_of if len(counts) < REMEMBERED_TERMS else _lanes, counts)
    votes = [sum(islice(lanes, LANE)).to_bytes(64, "big") for _ in range(0, len(counts), LANE)]
    totals = map(sum, zip(*votes, strict=True)) if len(votes) > 1 else votes[0]
    half = len(counts) // 2
    won = ["1" if count > half else "0" for count in totals]
    return int("".join(won), 2) or 1


def signed(hash_: int) -> int:
    """The same 64 bits as SQLite's integers, -2^63..2^63-1."""
    return hash_ - (1 << 64) if hash_ >= 1 << 63 else hash_


def unsigned(hash_: int) -> int:
    """The other way round."""
    return hash_ & ((1 << 64) - 1)
