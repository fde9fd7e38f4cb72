"""The terms of a page as eight bytes each, one behind the other: the same in every process, and for ever."""

from __future__ import annotations

from collections.abc import Iterable

from xxhash import xxh3_64_digest


def term_digests(terms: Iterable[str]) -> bytes:
    """In the order of the terms. To remember digests takes longer: a page has hundreds of terms, seldom the same."""
    together = "\n".join(terms)
    return b"".join(map(xxh3_64_digest, together.encode("utf-8", "surrogatepass").split(b"\n"))) if together else b""
