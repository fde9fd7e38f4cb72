"""A WARC file read from its first byte to its last, whatever happened to it.

Each record is a gzip member with a checksum, so one is whole or it is not. Where one is not, the next whole one is
looked for: what lies between is a gap.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

from msgspec import Struct

from scenthound import urls
from scenthound.library.archive import warc
from scenthound.library.archive.compression import GZIP
from scenthound.library.payload_digest import digest_of, payload_digest

MEMBER = b"\x1f\x8b\x08"
_CHUNK = 1 << 20
_SNIFFED = 4096


class WarcGap(Struct, frozen=True):
    """Bytes in which no record can be read."""

    offset: int
    length: int


class ScannedRecord(Struct, frozen=True):
    """A record that is whole."""

    offset: int
    length: int
    kind: str  # warcinfo, response, request, revisit
    headers: dict[str, str]
    status: int = 0
    http_headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @property
    def url(self) -> str:
        return self.headers.get("WARC-Target-URI", "")

    @property
    def id(self) -> int:
        return urls.fingerprint(self.url)

    @property
    def digest(self) -> bytes:
        """SHA-1 of the body that it holds, or, where it only refers to one, of that."""
        if self.kind == "revisit":
            return digest_of(self.headers.get("WARC-Payload-Digest", ""))
        return sha1(self.body).digest()

    @property
    def true_to_digest(self) -> bool:
        return self.kind != "response" or payload_digest(self.digest) == self.headers.get("WARC-Payload-Digest")


def scan(path: Path, start: int = 0) -> Iterator[ScannedRecord | WarcGap]:
    """Every record of a file from a place on, and every gap between them, in their order."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            at = start
            while at < len(data):
                found = _record_at(data, at) or WarcGap(at, _next_member(data, at + 1) - at)
                yield found
                at += found.length


def _record_at(data: mmap.mmap, at: int) -> ScannedRecord | None:
    member = _member_at(data, at)
    if member is None:
        return None
    plain, length = member
    try:
        headers, start, http_headers, body = warc.parse_plain(plain)
        kind = headers["WARC-Type"]
        status = int(start[1]) if kind in ("response", "revisit") else 0
    except (KeyError, ValueError, IndexError):
        return None
    return ScannedRecord(at, length, kind, headers, status, tuple(http_headers), body)


def _member_at(data: mmap.mmap, at: int) -> tuple[bytes, int] | None:
    """The gzip member at a place, unpacked, and its length; None where it is not whole."""
    if data[at : at + len(MEMBER)] != MEMBER:
        return None
    unpacking = zlib.decompressobj(wbits=GZIP)
    parts, read = [], at
    try:
        while not unpacking.eof and read < len(data):
            parts.append(unpacking.decompress(data[read : read + _CHUNK]))
            read = min(len(data), read + _CHUNK)
    except zlib.error:
        return None
    return (b"".join(parts), read - len(unpacking.unused_data) - at) if unpacking.eof else None


def _next_member(data: mmap.mmap, at: int) -> int:
    """Where the next record begins, or the file ends. The three bytes alone may stand in any packed data."""
    while (at := data.find(MEMBER, at)) >= 0:
        try:
            if zlib.decompressobj(wbits=GZIP).decompress(data[at : at + _SNIFFED], 5) == b"WARC/":
                return at
        except zlib.error:
            pass
        at += 1
    return len(data)
