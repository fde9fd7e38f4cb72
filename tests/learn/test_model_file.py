from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from scenthound import registry
from scenthound.errors import ModelError
from scenthound.learn import model_file
from scenthound.learn.model_file import MADE_IN_BEGIN, is_trained, load, path_of, read_header, save
from tests.conformance import strategies as suite

Floats = np.ndarray


class Inner(Struct, frozen=True):
    table: Any
    names: tuple[str, ...] = ()


@dataclass
class Learner:
    weight: float = 1.0
    kind: str = "plain"

    table_: Any = field(init=False, repr=False)
    inner_: Inner | None = field(init=False, repr=False)
    made_: object = field(init=False, repr=False, default=None, metadata=MADE_IN_BEGIN)


def taught(**params: Any) -> Learner:
    made = Learner(**params)
    made.table_ = {"a": [1, 2.5, None, True], "b": {3: "x"}}
    made.inner_ = Inner(np.arange(6, dtype=np.float32).reshape(2, 3), ("ä", "b"))
    made.made_ = object()
    return made


def test_there_and_back(tmp_path: Path) -> None:
    path, made, other = tmp_path / "models" / "x.model", taught(), Learner()
    save(path, "learner", made, {"seconds": 1.5})
    assert not is_trained(other)
    load(path, "learner", other)
    assert is_trained(other)
    assert other.table_ == made.table_
    assert other.inner_ is not None
    assert made.inner_ is not None
    assert other.inner_.names == made.inner_.names
    assert other.inner_.table.dtype == np.float32
    assert (other.inner_.table == made.inner_.table).all()
    assert other.made_ is None
    header = read_header(path)
    assert (header.strategy, header.report, header.parameters) == (
        "learner",
        {"seconds": 1.5},
        {"weight": 1.0, "kind": "plain"},
    )
    assert [one.name for one in path.parent.iterdir()] == ["x.model"]


def test_the_same_model_is_the_same_file(tmp_path: Path) -> None:
    save(tmp_path / "a", "learner", taught())
    save(tmp_path / "b", "learner", taught())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "crf",
        "memm-viterbi",
        "hmm",
        "hmm-xmeans",
        "hybrid-hmm-anchor",
        "context-graph",
        "reinforcement",
        "genetic-hybrid",
    ],
)
def test_a_strategy_from_its_file_crawls_as_before(name: str, tmp_path: Path) -> None:
    trained = suite.begun(lambda: registry.strategy.build(name))
    save(tmp_path / "m", name, trained)
    restored = registry.strategy.build(name)
    load(tmp_path / "m", name, restored)
    restored.begin(suite.make_context())
    assert suite.crawl(restored, 8) == suite.crawl(suite.begun(lambda: registry.strategy.build(name)), 8)


def changed(path: Path, into: Path, **changes: Any) -> Path:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(into, "w") as new:
        for part in old.namelist():
            data = old.read(part)
            if part == "model.json":
                data = msgspec.json.encode(msgspec.json.decode(data) | changes)
            new.writestr(part, data)
    return into


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": "something else"}, "is no model file"),
        ({"version": 99}, "version 99"),
        ({"strategy": "crf"}, "is a model for crf, not for learner"),
        ({"parameters": {"weight": 2.0, "kind": "plain"}}, r"other parameters \(weight\).*weight=2.0"),
        ({"learned": {"table_": 1}}, "another version"),
        ({"learned": {"table_": {"~array": 77}, "inner_": None}}, "damaged"),
        ({"learned": {"table_": {"~struct": "Path", "fields": {}}, "inner_": None}}, "damaged"),
        ({"learned": {"table_": {"~what": 1}, "inner_": None}}, "damaged"),
        ({"learned": {"table_": {"~struct": "Inner", "fields": {"no": 1}}, "inner_": None}}, "damaged"),
        ({"learned": 5}, "damaged"),
    ],
)
def test_what_is_not_understood_is_refused(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    save(tmp_path / "good", "learner", taught())
    other = Learner()
    with pytest.raises(ModelError, match=said):
        load(changed(tmp_path / "good", tmp_path / "bad", **changes), "learner", other)
    assert not hasattr(other, "table_"), "a refused file leaves nothing behind"


def test_no_file_no_archive_and_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="There is no model"):
        read_header(tmp_path / "missing")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ModelError, match="no model file"):
        read_header(tmp_path / "text")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(ModelError, match="no model file"):
        read_header(tmp_path / "zip")
    with pytest.raises(ModelError, match=r"cannot|no model"):
        read_header(tmp_path)


@given(st.integers(0, 10**6), st.integers(0, 255))
def test_a_damaged_file_is_refused_or_reads_as_it_was(place: int, value: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m"
        save(path, "learner", taught())
        whole = path.read_bytes()
        damaged = bytearray(whole)
        damaged[place % len(whole)] = value
        for data in (bytes(damaged), whole[: place % len(whole)]):
            path.write_bytes(data)
            other = Learner()
            try:
                load(path, "learner", other)
            except ModelError:
                assert not hasattr(other, "table_")
            else:
                assert other.table_ == taught().table_


def test_arrays_of_objects_are_neither_written_nor_read(tmp_path: Path) -> None:
    made = taught()
    made.table_ = np.array([object()])
    with pytest.raises(ModelError, match="objects"):
        save(tmp_path / "m", "learner", made)
    made.table_ = object()
    with pytest.raises(ModelError, match="cannot be kept"):
        save(tmp_path / "m", "learner", made)
    with pytest.raises(ModelError, match="learned nothing"):
        save(tmp_path / "m", "learner", Learner())
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_would_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "m", "learner", taught())
    monkeypatch.setattr(model_file, "LARGEST", 100)
    with pytest.raises(ModelError, match="larger"):
        read_header(tmp_path / "m")


def test_names_of_files() -> None:
    assert path_of(Path("models"), "crf", Learner()) == Path("models/crf.model")
    assert path_of(Path("models"), "crf", Learner(kind="../x")).name == "crf kind=.._x.model"


def test_models_of_an_earlier_version_are_read_whatever_the_classes_are_called_now() -> None:
    names = {
        name: set(model_file._structs(registry.strategy.build(name)))
        for name in registry.strategy.names()
        if hasattr(registry.strategy.get(name), "train")
    }
    chain, hidden, layers = {"ChainModel", "Weights"}, {"HmmModel", "Hmm", "Pages"}, {"LayerBayes"}
    for name in ("crf", "crf-viterbi", "memm", "memm-viterbi"):
        assert names[name] == chain
    for name in ("hmm", "hmm-xmeans", "hybrid-hmm", "hybrid-hmm-anchor"):
        assert names[name] == hidden
    for name in ("context-graph", "genetic-hybrid", "reinforcement"):
        assert names[name] == layers


def test_an_array_that_promises_more_than_it_holds_is_damage(tmp_path: Path) -> None:
    whole, path = tmp_path / "whole.model", tmp_path / "lying.model"
    save(whole, "learner", taught())
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"(2, 3), }        ", b"(2, 300000000), }"))
    with pytest.raises(ModelError, match="damaged"):
        load(path, "learner", Learner())


def test_a_file_whose_parts_have_long_names_is_refused_in_few_words(tmp_path: Path) -> None:
    save(tmp_path / "m", "learner", taught())
    data = (tmp_path / "m").read_bytes()
    local, name = data.index(b"PK\x03\x04"), len(b"model.json")
    long = data[: local + 26] + (60_000).to_bytes(2, "little") + data[local + 28 : local + 30] + b"x" * 60_000
    (tmp_path / "m").write_bytes(_moved(long + data[local + 30 + name :], data, len(long) - local - 30 - name))
    with pytest.raises(ModelError) as caught:
        read_header(tmp_path / "m")
    assert len(str(caught.value)) < 1_000


def _moved(data: bytes, before: bytes, by: int) -> bytes:
    """The archive with its directory, which has moved, found again."""
    end = data.rindex(b"PK\x05\x06")
    directory = int.from_bytes(data[end + 16 : end + 20], "little") + by
    return data[: end + 16] + directory.to_bytes(4, "little") + data[end + 20 :]
