"""Hashes of images that look alike: 64 bits that survive scaling, compression and a change of brightness.

- `dhash`: is each of 8 x 8 spots darker than its right neighbour? (after Krawetz 2013). Cheap, good at edges.
- `phash`: signs of the 8 x 8 lowest frequencies of a cosine transform of 32 x 32 spots, against their median (Zauner
  2010). Slower, blind to fine detail.

Two hashes are compared by the number of bits in which they differ: up to `NEAR` bits they show the same picture.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from scenthound.revisit.detect.image_code import greys, image_code
from scenthound.revisit.detect.text_code import bytes_digest

NEAR = 10
"""Bits of 64. Different photographs differ in 32 on average, with a standard deviation of 4."""

_SPOTS, _KEPT = 32, 8


class ImagePrint(Struct, frozen=True):
    """What is kept of an image. Code and hashes are None where it could not be decoded, and then the digest decides."""

    digest: str
    code: str | None = None  # the document's, as a decimal number: it outgrows 64 bits
    phash: int | None = None
    dhash: int | None = None


def image_print(data: bytes) -> ImagePrint:
    code = image_code(data)
    return ImagePrint(
        digest=bytes_digest(data), code=None if code is None else str(code), phash=phash(data), dhash=dhash(data)
    )


def dhash(data: bytes) -> int | None:
    pixels = greys(data, _KEPT + 1, _KEPT)
    return None if pixels is None else _number(pixels[:, :-1] < pixels[:, 1:])


def phash(data: bytes) -> int | None:
    pixels = greys(data, _SPOTS, _SPOTS)
    if pixels is None:
        return None
    transform = _cosines()
    low = transform @ pixels.astype(np.float64) @ transform.T
    level = np.median(low.ravel()[1:])  # the first is the mean brightness, which says nothing
    return _number(low > level + 1e-6)  # an even surface has no frequencies but rounding errors


def distance(first: int | None, second: int | None) -> int | None:
    """Bits in which two hashes differ; None where one is missing."""
    return None if first is None or second is None else (first ^ second).bit_count()


def _number(bits: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


@cache
def _cosines() -> NDArray[np.float64]:
    """The lowest rows of the orthonormal cosine transform (DCT-II)."""
    frequency, place = np.arange(_KEPT)[:, None], np.arange(_SPOTS)[None, :]
    rows = np.cos(np.pi * (2 * place + 1) * frequency / (2 * _SPOTS)) * np.sqrt(2 / _SPOTS)
    rows[0] /= np.sqrt(2)
    return np.asarray(rows, dtype=np.float64)
