"""`labels.jsonl`: what was said about the pages and sites of a folder, a line of JSON a word, in the order it was said.

    {"scenthound":"labels","version":1}
    {"subject":"https://a.example/","relevant":true,"by":"person","at":1763300000.0,"kind":"page"}

Lines are only ever added, so that a label may be set while a crawl runs in another process (see `line_file`). A torn
last line does not count. Folders of before have `training/marks.jsonl`, which is read as if it stood at the beginning.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scenthound.errors import ConfigError, LibraryFull, LibraryVersion
from scenthound.library import line_file
from scenthound.library.label_rules import LabelLedger
from scenthound.model import Label, LabelKind
from scenthound.protocols.crawl import Clock

NAME = "labels.jsonl"
OLD_MARKS = Path("training", "marks.jsonl")
VERSION = 1

T = TypeVar("T", bound=Struct)


class LabelsHeader(Struct, frozen=True):
    scenthound: str = "labels"
    version: int = VERSION


HEADER = msgspec.json.encode(LabelsHeader())


class OldMark(Struct, frozen=True):
    """A line of `training/marks.jsonl`."""

    url: str
    relevant: bool
    by: str = ""


class LabelFile:
    """`protocols.LabelStore` of a folder, whether there is a library in it or not."""

    def __init__(self, folder: Path, clock: Clock = time.time) -> None:
        self._folder = folder
        self._path = folder / NAME
        self._clock = clock
        self._ledger = LabelLedger()
        self._read: object = None  # how the files looked when they were last read

    def labels(self, kind: LabelKind = "page") -> dict[str, Label]:
        return self._catch_up().counting(kind)

    def label_history(self, subject: str) -> list[Label]:
        return self._catch_up().history(subject)

    def add_labels(self, labels: Iterable[Label]) -> list[Label]:
        """Stored on the disk when this returns; those that changed what counts. What says nothing new is left out."""
        new = [label if label.at else replace(label, at=self._clock()) for label in labels]
        if not new:
            return []
        try:
            with line_file.held(self._path) as file:
                return self._append(file, new)
        except OSError as error:
            raise LibraryFull(
                f"{self._path} cannot be written ({error.strerror or error}). Labels set before are safe; "
                "make room or make it writable, then say it again."
            ) from error

    def _append(self, file: int, new: Iterable[Label]) -> list[Label]:
        """Others wait meanwhile, so what was said up to now is known."""
        ledger = self._catch_up()
        self._read = None  # it is ahead of the file until all is written
        kept, changed = ledger.add(new)
        if kept:
            lines = b"".join(msgspec.json.encode(label) + b"\n" for label in kept)
            line_file.append(file, self._path, HEADER, lines, _is_label)
        self._read = self._looks()
        return changed

    def _catch_up(self) -> LabelLedger:
        looks = self._looks()
        if self._read is None or self._read != looks:
            self._ledger = LabelLedger()
            for label in self._said():
                self._ledger.take_in(label)
            self._read = looks
        return self._ledger

    def _looks(self) -> object:
        return [line_file.looks(path) for path in (self._path, self._folder / OLD_MARKS)]

    def _said(self) -> Iterator[Label]:
        for mark in _lines(self._folder / OLD_MARKS, "marks", OldMark):
            by = {"asked": "person", "": "file"}.get(mark.by, mark.by)
            yield Label(mark.url, mark.relevant, by)
        yield from _lines(self._path, "labels", Label)


def _lines(path: Path, what: str, kind: type[T]) -> Iterator[T]:
    """The lines of a file after its header. A torn last line is left out; any other that cannot be read is an error."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    if lines == [b""]:
        return
    _check_header(path, lines, what)
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            if number < len(lines):
                raise _unusable(path, number, f"{error}. Mend or delete that line") from error


def _check_header(path: Path, lines: list[bytes], what: str) -> None:
    try:
        header = msgspec.json.decode(lines[0], type=LabelsHeader)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        if len(lines) == 1 and HEADER.startswith(lines[0]):
            return  # torn: its writer was killed before it had said anything
        raise _unusable(path, 1, f"it does not begin as a file of {what} does") from error
    if header.scenthound != what:
        raise _unusable(path, 1, f"it is a file of {header.scenthound}, not of {what}")
    if header.version > VERSION:
        raise LibraryVersion(f"{path} was made by a newer Scenthound (version {header.version}). Use that one.")


def _unusable(path: Path, line: int, reason: str) -> ConfigError:
    return ConfigError(f"{path}, line {line} cannot be used: {reason}.")


def _is_label(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=Label)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True
