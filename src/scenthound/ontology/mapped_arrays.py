"""A file of arrays that is mapped into memory rather than read: opening it costs next to nothing.

    magic       8 bytes
    size        4 bytes, of the header
    header      JSON: {"facts": {...}, "arrays": {name: [type, offset, count], ...}}, offsets from the end of the header
    arrays      little-endian, each beginning at a multiple of 8

The same arrays and facts give the same bytes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.errors import OntologyError

MAGIC = b"SCENTON1"
_SIZE = struct.Struct("<I")
_ALIGNED = 8
_TYPES = frozenset({"|u1", "<u2", "<u4"})

Array = npt.NDArray[Any]


def write(path: Path, facts: Mapping[str, Any], arrays: Mapping[str, Array]) -> int:
    """Returns how many bytes were written."""
    table, pieces, offset = {}, [], 0
    for name, array in arrays.items():
        content = array.tobytes()
        padded = content + bytes(-len(content) % _ALIGNED)
        table[name] = [array.dtype.str, offset, len(array)]
        pieces.append(padded)
        offset += len(padded)
    header = json.dumps({"facts": facts, "arrays": table}, separators=(",", ":")).encode()
    header += b" " * (-(len(MAGIC) + _SIZE.size + len(header)) % _ALIGNED)
    return path.write_bytes(b"".join([MAGIC, _SIZE.pack(len(header)), header, *pieces]))


def read(file: Traversable) -> tuple[dict[str, Any], dict[str, Array]]:
    """Facts and arrays of a file; of one inside a zip archive, too, which is then read as a whole."""
    content: Array
    if isinstance(file, Path):
        content = _mapped(file)
    else:
        content = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    try:
        return _taken_apart(content)
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise OntologyError(f"{file.name} is no file of packed facts, or a damaged one: {error}.") from error


def _mapped(path: Path) -> Array:
    try:
        return np.memmap(path, dtype=np.uint8, mode="r")
    except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
        raise OntologyError(f"{path} cannot be read: {error}.") from error


def _taken_apart(content: Array) -> tuple[dict[str, Any], dict[str, Array]]:
    begin = len(MAGIC) + _SIZE.size
    if content[: len(MAGIC)].tobytes() != MAGIC:
        raise ValueError("it does not begin as such a file does")
    end = begin + _SIZE.unpack(content[len(MAGIC) : begin].tobytes())[0]
    header = json.loads(content[begin:end].tobytes())
    arrays = {}
    for name, (kind, offset, count) in header["arrays"].items():
        if kind not in _TYPES:
            raise ValueError(f"{kind} is no type of an array here")
        dtype = np.dtype(kind)
        piece = content[end + offset : end + offset + count * dtype.itemsize]
        if len(piece) != count * dtype.itemsize:
            raise ValueError("it ends too soon")
        arrays[name] = piece.view(dtype)
    return header["facts"], arrays
