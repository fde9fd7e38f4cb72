from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import OntologyError
from scenthound.ontology import mapped_arrays


def test_what_was_written_is_read(tmp_path: Path) -> None:
    arrays = {
        "letters": np.frombuffer(b"abc", dtype="u1"),
        "numbers": np.array([1, 2, 4_000_000_000], dtype="<u4"),
        "none": np.array([], dtype="<u4"),
        "last": np.array([7], dtype="<u2"),
    }
    size = mapped_arrays.write(tmp_path / "x.facts", {"name": "é"}, arrays)
    assert size == (tmp_path / "x.facts").stat().st_size
    facts, found = mapped_arrays.read(tmp_path / "x.facts")
    assert facts == {"name": "é"}
    assert {name: array.tolist() for name, array in found.items()} == {
        name: array.tolist() for name, array in arrays.items()
    }
    assert isinstance(found["numbers"].base, np.memmap | np.ndarray), "mapped, not read"
    assert all(array.ctypes.data % array.itemsize == 0 for array in found.values())


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        mapped_arrays.write(tmp_path / name, {"x": 1}, {"n": np.arange(9, dtype="<u4")})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("content", [b"", b"SCENTON1", b"something else entirely", b"SCENTON1\xff\xff\xff\xff{}"])
def test_what_is_no_such_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.facts").write_bytes(content)
    with pytest.raises(OntologyError, match=r"x\.facts"):
        mapped_arrays.read(tmp_path / "x.facts")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="cannot be read"):
        mapped_arrays.read(tmp_path / "none")


@given(cut=st.integers(0, 150), byte=st.integers(0, 255))
def test_damage_is_noticed_or_harmless(tmp_path_factory: pytest.TempPathFactory, cut: int, byte: int) -> None:
    path = tmp_path_factory.mktemp("damaged") / "x.facts"
    mapped_arrays.write(path, {"name": "x"}, {"n": np.arange(9, dtype="<u4"), "m": np.arange(3, dtype="u1")})
    whole = path.read_bytes()
    for content in (whole[:cut], whole[:cut] + bytes([byte]) + whole[cut + 1 :]):
        path.write_bytes(content)
        try:
            _, arrays = mapped_arrays.read(path)
        except OntologyError:
            continue
        assert {len(array) for array in arrays.values()} <= set(range(100))
