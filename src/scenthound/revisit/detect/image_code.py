"""An image as one number (Mali, "Change in Image").

    1. scale it to n x n, n = 16, 32 or 64
    2. two tones: 1 where light, 0 where dark
    3. 16 pixels of a row are one number of four hexadecimal digits: n x (n / 16) numbers
    4. rows are folded in groups of 16, by addition: (n / 16) x (n / 16) numbers
    5. the determinant of these is the code (the document's Ival)

The document goes from step 3 straight to a square array and does not say how; folding is our reading of it. A
determinant forgets much: an image whose left half repeats in its right has 0, whatever it shows. So a digest of the
bytes says whether anything changed, and the perceptual hashes of `perceptual_hash.py` whether one would see it.

Decoding is done by Pillow, an optional dependency. Images come from anybody: only common raster formats are read, only
the first frame, and none that would unpack to more than `MOST_PIXELS`.
"""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenthound.errors import UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

SIZES = (16, 32, 64)
MOST_PIXELS = 50_000_000
MOST_BYTES = 20_000_000
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO")
_WORD = 16
_LIGHT = 128


def require_decoder() -> None:
    """Says what to do where images were asked for and cannot be read."""
    if not _decoder_there():
        raise UsageError("Images are read by Pillow, which is not installed. Add it: pip install 'scenthound[images]'.")


def _decoder_there() -> bool:
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        return False
    return True


def greys(data: bytes, width: int, height: int) -> NDArray[np.uint8] | None:
    """The image in shades of grey, scaled; None for what cannot or must not be decoded."""
    if not data or len(data) > MOST_BYTES or not _decoder_there():
        return None
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a bomb of a middling size is only warned of
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                if image.width * image.height > MOST_PIXELS:
                    return None
                return _scaled(image, width, height)
    except Exception:  # decoders of broken files raise whatever comes to their mind
        return None


def _scaled(image: Image, width: int, height: int) -> NDArray[np.uint8]:
    from PIL import Image as pillow  # noqa: N813 - the module, beside the class of the same name

    image.draft("L", (width * 4, height * 4))  # a large JPEG is decoded at an eighth of its size
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        coloured = image.convert("RGBA")
        paper = pillow.new("RGBA", coloured.size, "white")
        image = pillow.alpha_composite(paper, coloured)
    small = image.convert("L").resize((width, height), pillow.Resampling.BOX)
    return np.asarray(small, dtype=np.uint8)


def image_code(data: bytes, n: int = 64) -> int | None:
    """The code of an image file; None where it cannot be decoded."""
    pixels = greys(data, n, n)
    return None if pixels is None else code_of(pixels >= _LIGHT)


def code_of(tones: NDArray[np.bool_]) -> int:
    """The code of n x n pixels, true for light ones."""
    return determinant(folded(words(tones)))


def words(tones: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Each 16 pixels of a row as one number, the leftmost pixel its highest bit."""
    n = len(tones)
    if tones.shape != (n, n) or n not in SIZES:
        raise ValueError(f"an image of {tones.shape} pixels; the code is for squares of {', '.join(map(str, SIZES))}")
    weights = 1 << np.arange(_WORD - 1, -1, -1, dtype=np.int64)
    return np.asarray(tones.reshape(n, n // _WORD, _WORD) @ weights, dtype=np.int64)


def folded(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sixteen rows become one by addition: as many rows as there are columns."""
    size = rows.shape[1]
    return np.asarray(rows.reshape(size, _WORD, size).sum(axis=1), dtype=np.int64)


def determinant(matrix: NDArray[np.int64]) -> int:
    """Exact: elimination in whole numbers (Bareiss 1968). Floating point would see changes where there are none."""
    rows = [[int(value) for value in row] for row in matrix]
    sign, pivot = 1, 1
    for step in range(len(rows) - 1):
        if rows[step][step] == 0:
            other = next((below for below in range(step + 1, len(rows)) if rows[below][step]), None)
            if other is None:
                return 0
            rows[step], rows[other], sign = rows[other], rows[step], -sign
        for below in range(step + 1, len(rows)):
            for column in range(step + 1, len(rows)):
                cross = rows[below][column] * rows[step][step] - rows[below][step] * rows[step][column]
                rows[below][column] = cross // pivot
        pivot = rows[step][step]
    return sign * rows[-1][-1]
