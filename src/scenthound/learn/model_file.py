"""What a strategy learned, as a file: arrays and JSON, no code.

A model file is a zip archive: `model.json`, and beside it the arrays it names, `0.npy`, `1.npy` ... (NumPy's own
format, pickles refused). It keeps every field of the strategy whose name ends in `_`, but for those marked
`MADE_IN_BEGIN`, which `begin` makes anew. What can be kept: None, truth values, numbers, strings, lists, tuples,
dicts, arrays, and the `msgspec.Struct`s that the types of the strategy's fields name.

    save(path, "crf", strategy)
    load(path, "crf", strategy)          the same, as it was
    read_header(path)                    what it is, without its arrays

A file that is no model, is cut short, is of another version, strategy or parameters is refused with a `ModelError`.
"""

from __future__ import annotations

import dataclasses
import os
import re
import types
import typing
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from scenthound.errors import ModelError
from scenthound.learn.array_file import LARGEST, read_array
from scenthound.version import __version__

MADE_IN_BEGIN = {"made in begin": True}
"""Metadata of a field that is not learned but made from what is, when a crawl begins."""

FOLDER = "models"
"""Where a library keeps its models."""

FORMAT = "scenthound model"
VERSION = 1

SHOWN = 200
"""Characters of what a reader says about a damaged file: it may quote as much of it as there is."""

_HEADER = "model.json"
_unusual = re.compile(r"[^\w .,=-]").sub
_WHEN = (1980, 1, 1, 0, 0, 0)  # one date for all, so that the same model is the same file


class ModelHeader(Struct, frozen=True):
    """What `model.json` says."""

    format: str
    version: int
    strategy: str
    parameters: dict[str, Any]
    learned: dict[str, Any]
    report: dict[str, Any] = {}  # how training went, for people
    software: str = ""


def learned_fields(strategy: Any) -> list[str]:
    """The names of the fields that a model file keeps."""
    return [
        field.name
        for field in dataclasses.fields(strategy)
        if field.name.endswith("_") and not field.metadata.get("made in begin")
    ]


def parameters(strategy: Any) -> dict[str, Any]:
    found = {field.name: getattr(strategy, field.name) for field in dataclasses.fields(strategy) if field.init}
    return dict(msgspec.to_builtins(found))


def path_of(folder: Path, name: str, strategy: Any) -> Path:
    """`models/crf.model`; with the parameters that are not the usual ones, `models/crf features=words.model`."""
    said = [name]
    for field in dataclasses.fields(strategy):
        if field.init and (value := getattr(strategy, field.name)) != field.default:
            said.append(f"{field.name}={value}")
    return folder / (_unusual("_", " ".join(said)) + ".model")


def is_trained(strategy: Any) -> bool:
    """Whether a strategy has learned what a model file would keep."""
    return all(getattr(strategy, name, None) is not None for name in learned_fields(strategy))


def save(path: Path, name: str, strategy: Any, report: dict[str, Any] | None = None) -> None:
    """Writes what the strategy learned; an older file of that name stays until the new one is whole."""
    if not is_trained(strategy):
        raise ModelError(f"The strategy {name} has learned nothing yet that could be kept in {path}.")
    arrays: list[Any] = []
    learned = {field: _encoded(getattr(strategy, field), arrays) for field in learned_fields(strategy)}
    header = ModelHeader(FORMAT, VERSION, name, parameters(strategy), learned, report or {}, __version__)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(_entry(_HEADER), msgspec.json.encode(header))
            for number, array in enumerate(arrays):
                archive.writestr(_entry(f"{number}.npy"), _npy(array))
        os.replace(unfinished, path)
    except OSError as error:
        raise ModelError(f"The model cannot be written to {path}: {error}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def read_header(path: Path) -> ModelHeader:
    """What a model file is, and how its training went."""
    with _opened(path) as archive:
        return _header(archive, path)


def load(path: Path, name: str, strategy: Any) -> None:
    """Gives the strategy what the file holds, or refuses it and leaves the strategy as it was."""
    with _opened(path) as archive:
        header = _header(archive, path)
        if header.strategy != name:
            raise ModelError(f"{path} is a model for {header.strategy}, not for {name}.")
        if header.parameters != (wanted := parameters(strategy)):
            apart = ", ".join(key for key in wanted if wanted[key] != header.parameters.get(key))
            raise ModelError(
                f"{path} was trained with other parameters ({apart or 'fewer'}). Train again, or use those it has: "
                + ", ".join(f"{key}={value}" for key, value in header.parameters.items())
            )
        if set(header.learned) != set(learned_fields(strategy)):
            raise ModelError(f"{path} was made by another version of {name}: train again.")
        decoder = _Decoder(archive, _structs(strategy))
        try:
            found = {field: decoder(value) for field, value in header.learned.items()}
        except _DAMAGE as error:
            raise ModelError(f"{path} is damaged: {str(error)[:SHOWN]}. Train again.") from error
    for field, value in found.items():
        setattr(strategy, field, value)


_DAMAGE = (LookupError, ValueError, TypeError, EOFError, OSError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What reading a damaged archive, array or value may raise; RuntimeError: encrypted, oddly packed, or too deep."""


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise ModelError(f"There is no model {path}.") from None
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"{path} is no model file, or is cut short: {str(error)[:SHOWN]}.") from error
    if sum(part.file_size for part in archive.infolist()) > LARGEST:
        archive.close()
        raise ModelError(f"{path} is larger than any model of ours.")
    return archive


def _header(archive: zipfile.ZipFile, path: Path) -> ModelHeader:
    try:
        data = msgspec.json.decode(archive.read(_HEADER))
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ModelError(f"{path} is no model file.")
        if data.get("version") != VERSION:
            raise ModelError(f"{path} is a model of version {data.get('version')}; this program reads {VERSION}.")
        return msgspec.convert(data, ModelHeader)
    except (*_DAMAGE, msgspec.MsgspecError) as error:
        raise ModelError(f"{path} is no model file, or is damaged: {str(error)[:SHOWN]}.") from error


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _npy(array: Any) -> bytes:
    into = BytesIO()
    np.save(into, array, allow_pickle=False)
    return into.getvalue()


# Values. Whatever JSON has no word for is an object of one key that begins with ~


def _encoded(value: Any, arrays: list[Any]) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise ModelError("An array of objects cannot be kept in a model file.")
        arrays.append(value)
        return {"~array": len(arrays) - 1}
    if isinstance(value, list):
        return [_encoded(one, arrays) for one in value]
    if isinstance(value, tuple):
        return {"~tuple": [_encoded(one, arrays) for one in value]}
    if isinstance(value, Struct):
        fields = {name: _encoded(getattr(value, name), arrays) for name in value.__struct_fields__}
        return {"~struct": _kept_as(type(value)), "fields": fields}
    if isinstance(value, dict):
        return {"~dict": [[_encoded(key, arrays), _encoded(one, arrays)] for key, one in value.items()]}
    raise ModelError(f"A {type(value).__name__} cannot be kept in a model file.")


class _Decoder:
    """The way back. Structs are made of the classes that the strategy's own fields name, and of no others."""

    def __init__(self, archive: zipfile.ZipFile, structs: dict[str, type[Struct]]) -> None:
        self._archive, self._structs = archive, structs

    def __call__(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self(one) for one in value]
        if not isinstance(value, dict):
            return value
        if "~array" in value:
            name = f"{int(value['~array'])}.npy"
            return read_array(self._archive.read(name))
        if "~tuple" in value:
            return tuple(self(one) for one in value["~tuple"])
        if "~dict" in value:
            return {self(key): self(one) for key, one in value["~dict"]}
        made = self._structs[value["~struct"]]
        return made(**{name: self(one) for name, one in value["fields"].items()})


def _structs(strategy: Any) -> dict[str, type[Struct]]:
    hints = typing.get_type_hints(type(strategy))
    found: dict[str, type[Struct]] = {}
    for name in learned_fields(strategy):
        found.update((_kept_as(one), one) for one in _named_in(hints[name], set()))
    return found


def _kept_as(kind: type[Struct]) -> str:
    """The name of a Struct in model files: that of its class, or its tag where the class got another one since."""
    tag = kind.__struct_config__.tag
    return kind.__name__ if tag is None else str(tag)


def _named_in(hint: Any, seen: set[Any]) -> Iterator[type[Struct]]:
    """The Struct classes in a type, and in the fields of these."""
    for part in typing.get_args(hint) if not isinstance(hint, types.UnionType) else hint.__args__:
        yield from _named_in(part, seen)
    if isinstance(hint, type) and issubclass(hint, Struct) and hint not in seen:
        seen.add(hint)
        yield hint
        for inner in typing.get_type_hints(hint).values():
            yield from _named_in(inner, seen)
