from __future__ import annotations

import io
import struct
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import UsageError
from scenthound.revisit.detect import image_code as module
from scenthound.revisit.detect.image_code import code_of, determinant, folded, greys, image_code, require_decoder, words


def png(pixels: np.ndarray, mode: str = "L", form: str = "PNG") -> bytes:
    image = pytest.importorskip("PIL.Image")
    stream = io.BytesIO()
    image.fromarray(pixels.astype(np.uint8), mode).save(stream, form)
    return stream.getvalue()


def test_sixteen_pixels_are_four_hexadecimal_digits() -> None:
    tones = np.zeros((16, 16), dtype=bool)
    tones[0] = [bit == "1" for bit in f"{0xBEEF:016b}"]
    assert words(tones)[0, 0] == 0xBEEF
    assert words(tones).shape == (16, 1)


def test_rows_fold_into_a_square() -> None:
    rows = np.arange(32 * 2).reshape(32, 2)
    assert folded(rows).shape == (2, 2)
    assert folded(rows)[0, 0] == sum(range(0, 32, 2))


def test_worked_by_hand() -> None:
    """32 x 32: the upper half light on its left, the lower on its right: 16 * 0xFFFF on the diagonal."""
    tones = np.zeros((32, 32), dtype=bool)
    tones[:16, :16] = tones[16:, 16:] = True
    assert code_of(tones) == (16 * 0xFFFF) ** 2
    assert code_of(~tones) == -((16 * 0xFFFF) ** 2)
    assert code_of(np.ones((16, 16), dtype=bool)) == 16 * 0xFFFF


def test_the_code_forgets_what_a_determinant_forgets() -> None:
    tones = np.random.default_rng(1).random((64, 64)) > 0.5
    tones[:, 16:32] = tones[:, :16]
    assert code_of(tones) == 0


@given(st.lists(st.integers(-(2**20), 2**20), min_size=16, max_size=16))
def test_determinants_are_exact(values: list[int]) -> None:
    matrix = np.array(values).reshape(4, 4)
    assert determinant(matrix) == by_minors([[int(value) for value in row] for row in matrix])


def by_minors(rows: list[list[int]]) -> int:
    if len(rows) == 1:
        return rows[0][0]
    return sum(
        (-1) ** column * value * by_minors([row[:column] + row[column + 1 :] for row in rows[1:]])
        for column, value in enumerate(rows[0])
    )


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="16, 32, 64"):
        code_of(np.zeros((20, 20), dtype=bool))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP"])
def test_images_are_decoded(form: str) -> None:
    pixels = np.full((100, 80), 255)
    pixels[:50] = 0
    data = png(pixels, form=form)
    small = greys(data, 4, 4)
    assert small is not None
    assert small[:2].max() < 20
    assert small[2:].min() > 235
    assert image_code(data) is not None


def test_what_is_transparent_is_paper() -> None:
    pixels = np.zeros((10, 10, 4))
    small = greys(png(pixels, "RGBA"), 2, 2)
    assert small is not None
    assert small.min() == 255


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is very large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(8_000, 8_000), (12_000, 12_000), (60_000, 60_000)])
def test_bombs_are_not_unpacked(size: tuple[int, int]) -> None:
    pytest.importorskip("PIL.Image")
    assert image_code(bomb(*size)) is None


@given(st.binary(max_size=200))
def test_what_is_no_image_has_no_code(data: bytes) -> None:
    assert image_code(b"\x89PNG\r\n\x1a\n" + data) is None
    assert image_code(b"GIF89a" + data[:5]) is None


def test_without_the_decoder_one_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert module.image_code(b"x") is None
    with pytest.raises(UsageError, match=r"scenthound\[images\]"):
        require_decoder()
