"""Undoing content codings piece by piece, and never further than the limit.

A kilobyte of gzip can hold a megabyte of zeros, and codings can be stacked. So each layer is told how many bytes it
may still give, and one byte more than the limit ends the work: a bomb costs its limit, whatever it unpacks to.

gzip and deflate (with or without its zlib wrapper) are always there. Brotli and Zstandard are used where their
packages are installed, in versions that can stop halfway; only what can be unpacked is asked for.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, Protocol

MAX_LAYERS = 3
MAX_MEMBERS = 1000  # of one gzip stream; each end of a member copies what is left of the piece
ZSTD_WINDOW = 23  # log2 of the 8 MiB that RFC 9659 allows on the web

GZIP_MAGIC = b"\x1f\x8b"


class UnknownCoding(Exception):
    """A coding that we cannot undo, or too many of them."""


class BadCoding(Exception):
    """The bytes are not what their coding says."""


class TooMuch(Exception):
    """More than the limit arrived or came out. `Unpacker.body` still has what fits."""


class ContentDecoder(Protocol):
    """One coding. `feed` gives at most `room` bytes, and may then leave input unread: there is no next call."""

    def feed(self, data: bytes, room: int) -> bytes: ...

    def finished(self) -> bool: ...


class Gzip:
    """Members in a row are one stream (RFC 1952); what follows and is no member is padding, and ignored."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)
        self._members = 1
        self._held = b""  # one byte that may begin the next member
        self._over = False

    def feed(self, data: bytes, room: int) -> bytes:
        if self._over:
            return b""
        if self._inner.eof:
            data = self._next_member(data)
        out = self._inner.decompress(data, room) if data else b""
        while self._inner.eof and self._inner.unused_data and not self._over and len(out) < room:
            rest = self._next_member(self._inner.unused_data)
            if not rest:
                break
            out += self._inner.decompress(rest, room - len(out))
        return out

    def _next_member(self, rest: bytes) -> bytes:
        rest = self._held + rest
        self._held = b""
        if len(rest) == 1 and rest == GZIP_MAGIC[:1]:
            self._held = rest
            return b""
        if not rest.startswith(GZIP_MAGIC):
            self._over = True
            return b""
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise BadCoding("too many gzip members")
        self._inner = zlib.decompressobj(wbits=31)
        return rest

    def finished(self) -> bool:
        return self._inner.eof


class Deflate:
    """zlib's format, as the standard has it, or the raw stream that some servers send instead."""

    def __init__(self) -> None:
        self._inner: Any = None

    def feed(self, data: bytes, room: int) -> bytes:
        if not data:
            return b""
        if self._inner is None:
            self._inner = zlib.decompressobj(wbits=15 if data[0] & 0x0F == 8 else -15)
        out: bytes = self._inner.decompress(data, room)
        return out

    def finished(self) -> bool:
        return self._inner is not None and bool(self._inner.eof)


class Brotli:
    def __init__(self) -> None:
        self._inner = brotli.Decompressor()

    def feed(self, data: bytes, room: int) -> bytes:
        out: bytes = self._inner.process(data, output_buffer_limit=room)
        # The limit is one of the buffer, which may end a little below it although more is waiting.
        while len(out) < room and not self._inner.can_accept_more_data():
            more: bytes = self._inner.process(b"", output_buffer_limit=room - len(out))
            if not more:
                break
            out += more
        return out

    def finished(self) -> bool:
        return bool(self._inner.is_finished())


class Zstd:
    def __init__(self) -> None:
        self._options = {zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW}
        self._inner = zstd.ZstdDecompressor(options=self._options)
        self._frames = 1

    def feed(self, data: bytes, room: int) -> bytes:
        out = b""
        while data and len(out) < room:
            if self._inner.eof:
                self._frames += 1
                if self._frames > MAX_MEMBERS:
                    raise BadCoding("too many zstd frames")
                self._inner = zstd.ZstdDecompressor(options=self._options)
            out += self._inner.decompress(data, room - len(out))
            data = self._inner.unused_data if self._inner.eof else b""
        return out

    def finished(self) -> bool:
        return bool(self._inner.eof)


CODINGS: dict[str, Callable[[], ContentDecoder]] = {"gzip": Gzip, "x-gzip": Gzip, "deflate": Deflate}
ACCEPTED = ["gzip", "deflate"]
ERRORS: tuple[type[Exception], ...] = (zlib.error,)

brotli: Any
try:
    import brotli  # type: ignore[import-untyped, import-not-found, no-redef, unused-ignore]
except ImportError:
    brotli = None
else:
    if hasattr(brotli.Decompressor, "can_accept_more_data"):  # older ones unpack a bomb in one go
        CODINGS["br"] = Brotli
        ACCEPTED.append("br")
        ERRORS += (brotli.error,)

zstd: Any
try:
    from compression import zstd  # type: ignore[import-not-found, no-redef, unused-ignore]  # Python 3.14
except ImportError:
    try:
        from backports import zstd
    except ImportError:
        zstd = None
if zstd is not None:
    CODINGS["zstd"] = Zstd
    ACCEPTED.append("zstd")
    ERRORS += (zstd.ZstdError,)

ACCEPT_ENCODING = ", ".join(ACCEPTED)


def decoders(content_encoding: str) -> list[ContentDecoder]:
    """What has to be undone, outermost first. Raises `UnknownCoding`."""
    if not content_encoding:
        return []
    names = [name.strip().lower() for name in content_encoding.split(",")]
    names = [name for name in names if name not in ("", "identity", "none")]
    if len(names) > MAX_LAYERS:
        raise UnknownCoding(f"{len(names)} codings on top of each other")
    for name in names:
        if name not in CODINGS:
            raise UnknownCoding(name[:100])
    return [CODINGS[name]() for name in reversed(names)]


class Unpacker:
    """Collects a body from the pieces it arrives in.

    `feed` counts what arrives and what comes out, each up to `limit`, and raises `TooMuch` at the first byte above;
    `body` holds at most `limit` bytes at any time.
    """

    def __init__(self, content_encoding: str, limit: int) -> None:
        self._decoders = decoders(content_encoding)
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self.wire = 0

    def feed(self, piece: bytes) -> None:
        self.wire += len(piece)
        try:
            for layer in self._decoders:
                piece = layer.feed(piece, self._limit + 1)
                if not piece:
                    break
                if len(piece) > self._limit and layer is not self._decoders[-1]:
                    raise TooMuch
        except ERRORS as error:
            raise BadCoding(str(error)[:200]) from error
        room = self._limit - self._size
        if len(piece) > room:
            self._parts.append(piece[:room])
            self._size = self._limit
            raise TooMuch
        if self.wire > self._limit:
            raise TooMuch
        if piece:
            self._parts.append(piece)
            self._size += len(piece)

    def body(self) -> bytes:
        parts = self._parts
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def complete(self) -> bool:
        """Whether every layer saw its end. A body of nothing at all is whole, whatever its coding."""
        return self.wire == 0 or all(layer.finished() for layer in self._decoders)
