"""NumPy's files, read with suspicion: a file from somebody else runs nothing, and costs no more than it holds.

Pickled objects are refused, and so is an array whose header speaks of more, or of less, than there is: NumPy would set
aside the memory for it before it noticed.
"""

from __future__ import annotations

import math
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

LARGEST = 2_000_000_000
"""Bytes that the parts of an archive may unpack to: a guard against files made to fill the memory."""

_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_array(content: bytes) -> NDArray[Any]:
    """The array of a `.npy` file. One that cannot be right is a `ValueError`."""
    stream = BytesIO(content)
    try:
        shape, _, kind = _HEADERS[npy.read_magic(stream)](stream)
    except Exception as error:  # it is read as a Python expression, and may raise whatever that can
        raise ValueError(f"no header of an array: {error}") from error
    if kind.hasobject:
        raise ValueError("an array of pickled objects")
    if math.prod(shape) * kind.itemsize != len(content) - stream.tell():
        raise ValueError(f"an array of {shape} that has {len(content) - stream.tell()} bytes")
    stream.seek(0)
    array: NDArray[Any] = np.load(stream, allow_pickle=False)
    return array


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a `.npz` archive by their names."""
    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > LARGEST:
            raise ValueError("it is larger than any model of ours")
        return {name.removesuffix(".npy"): read_array(archive.read(name)) for name in archive.namelist()}
