"""Files of arrays from somebody else: read, or refused before they cost anything."""

from __future__ import annotations

import io
import pickle
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib import format as npy

from scenthound.learn import array_file
from scenthound.learn.array_file import read_array, read_arrays


def saved(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def lying(shape: tuple[int, ...], content: bytes = bytes(64)) -> bytes:
    """A header that promises this shape, and what follows."""
    stream = io.BytesIO()
    npy.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return stream.getvalue() + content


@pytest.mark.parametrize("array", [np.arange(6).reshape(2, 3), np.zeros(0), np.array(1.5), np.array(["ä", "b"])])
def test_there_and_back(array: np.ndarray) -> None:  # type: ignore[type-arg]
    found = read_array(saved(array))
    assert found.dtype == array.dtype
    assert (found == array).all()


@pytest.mark.parametrize("shape", [(10**15,), (10**11,), (2**62, 4), (7,), (9,), (1,), (-8,), (0, 10**18)])
def test_a_header_that_lies_is_refused_before_memory_is_set_aside(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
        read_array(lying(shape))


class Trap:
    """Runs when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("something was unpickled",)


@pytest.mark.parametrize("content", [saved(np.array([Trap()], dtype=object)), pickle.dumps(Trap())])
def test_nothing_is_unpickled(content: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
        read_array(content)


@given(st.binary(max_size=200) | st.binary(max_size=200).map(lambda data: saved(np.arange(3))[:80] + data))
def test_any_bytes_are_an_array_or_a_value_error(content: bytes) -> None:
    with suppress(ValueError):
        read_array(content)


def test_an_archive_that_would_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", saved(np.zeros(10_000)))
    assert set(read_arrays(path)) == {"a"}
    monkeypatch.setattr(array_file, "LARGEST", 10_000)
    with pytest.raises(ValueError, match="larger"):
        read_arrays(path)
