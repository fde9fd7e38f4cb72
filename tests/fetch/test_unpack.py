"""Codings undone in pieces of any size, and bombs that stay small."""

import gzip
import tracemalloc
import zlib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.fetch import unpack
from scenthound.fetch.unpack import BadCoding, TooMuch, UnknownCoding, Unpacker


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACK = {"gzip": gzip.compress, "deflate": zlib.compress, "raw deflate": raw_deflate, "identity": bytes, "": bytes}
if "br" in unpack.CODINGS:
    PACK["br"] = unpack.brotli.compress
if "zstd" in unpack.CODINGS:
    PACK["zstd"] = unpack.zstd.compress


def feed(unpacker: Unpacker, data: bytes, step: int) -> None:
    for start in range(0, len(data), step):
        unpacker.feed(data[start : start + step])


def unpacked(coding: str, data: bytes, limit: int = 1_000_000, step: int = 7) -> bytes:
    unpacker = Unpacker(coding.removeprefix("raw "), limit)
    feed(unpacker, data, step)
    assert unpacker.complete()
    return unpacker.body()


@pytest.mark.parametrize("coding", PACK)
@given(body=st.binary(min_size=1, max_size=3000), step=st.integers(1, 4000))
@settings(max_examples=25, deadline=None)
def test_what_was_packed_comes_out(coding: str, body: bytes, step: int) -> None:
    assert unpacked(coding, PACK[coding](body), step=step) == body


@given(st.sampled_from(sorted(set(PACK) - {"raw deflate"})), st.binary(max_size=2000), st.integers(1, 500))
@settings(deadline=None)
def test_any_bytes_end_in_a_body_or_a_named_error(coding: str, data: bytes, step: int) -> None:
    unpacker = Unpacker(coding, 5000)
    with suppress(BadCoding, TooMuch):
        feed(unpacker, data, step)
    assert len(unpacker.body()) <= 5000


@pytest.mark.parametrize("coding", [coding for coding in PACK if coding not in ("identity", "")])
def test_a_bomb_costs_its_limit(coding: str) -> None:
    bomb = PACK[coding](bytes(10_000_000))
    tracemalloc.start()
    unpacker = Unpacker(coding.removeprefix("raw "), 100_000)
    with pytest.raises(TooMuch):
        feed(unpacker, bomb, 65_536)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(unpacker.body()) == 100_000
    assert peak < 3_000_000


def test_a_bomb_in_a_bomb_too() -> None:
    bomb = gzip.compress(gzip.compress(bytes(20_000_000)))
    with pytest.raises(TooMuch):
        Unpacker("gzip, gzip", 10_000).feed(bomb)


def test_the_limit_itself_is_allowed() -> None:
    assert len(unpacked("gzip", gzip.compress(bytes(1000)), limit=1000)) == 1000
    assert len(unpacked("", bytes(1000), limit=1000)) == 1000


def test_the_wire_is_limited_too() -> None:
    unpacker = Unpacker("gzip", 100)
    with pytest.raises(TooMuch):
        feed(unpacker, gzip.compress(b"") * 30, 20)


def test_codings_are_undone_in_reverse() -> None:
    assert unpacked("deflate, gzip", gzip.compress(zlib.compress(b"page"))) == b"page"


@pytest.mark.parametrize("step", [1, 5, 1000])
def test_members_in_a_row_are_one_body(step: int) -> None:
    assert unpacked("gzip", gzip.compress(b"one ") + gzip.compress(b"two"), step=step) == b"one two"


@pytest.mark.parametrize("step", [1, 5, 1000])
def test_padding_after_the_end_is_ignored(step: int) -> None:
    assert unpacked("gzip", gzip.compress(b"page") + bytes(50), step=step) == b"page"


def test_thousands_of_members_are_refused() -> None:
    with pytest.raises(BadCoding):
        Unpacker("gzip", 1_000_000).feed(gzip.compress(b"x") * 2000)


@pytest.mark.parametrize("coding", ["snappy", "gzip, compress", "gzip,gzip,gzip,gzip", "x" * 5000])
def test_unknown_codings_are_named(coding: str) -> None:
    with pytest.raises(UnknownCoding):
        Unpacker(coding, 100)


def test_a_lie_is_noticed() -> None:
    with pytest.raises(BadCoding):
        Unpacker("gzip", 1000).feed(b"<html>plain")


def test_a_cut_stream_is_not_complete() -> None:
    unpacker = Unpacker("gzip", 1000)
    unpacker.feed(gzip.compress(b"page" * 20)[:-9])
    assert not unpacker.complete()
