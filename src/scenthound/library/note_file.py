"""`notes.jsonl`: what people wrote on the pages of a folder for themselves, and the tags they gave them, a line a word.

    {"scenthound":"notes","version":1}
    {"url":"https://a.example/","text":"Ask them for the list.","tags":["contact"],"at":1763300000.0}

The last line on a page counts; one without text and tags takes all back. Lines are only ever added (see `line_file`):
what was written before is still there. Notes say nothing about relevance: that is what labels are for.
"""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scenthound.errors import ConfigError, LibraryFull
from scenthound.library import line_file
from scenthound.protocols.crawl import Clock

NAME = "notes.jsonl"
HEADER = b'{"scenthound":"notes","version":1}'


class PageNote(Struct, frozen=True):
    """What somebody wrote on a page."""

    url: str
    text: str = ""
    tags: tuple[str, ...] = ()
    at: float = 0.0  # unix time

    def __bool__(self) -> bool:
        return bool(self.text or self.tags)


class NoteFile:
    """The notes of a folder."""

    def __init__(self, folder: Path, clock: Clock = time.time) -> None:
        self._path = folder / NAME
        self._clock = clock
        self._notes: dict[str, PageNote] = {}
        self._read: object = ()  # how the file looked when it was last read

    def notes(self) -> dict[str, PageNote]:
        """URL -> the note that counts, the last written last."""
        looks = line_file.looks(self._path)
        if looks != self._read:
            self._notes, self._read = self._counting(), looks
        return dict(self._notes)

    def write(self, note: PageNote) -> PageNote:
        """Stored when this returns."""
        made = note if note.at else replace(note, at=self._clock())
        try:
            with line_file.held(self._path) as file:
                line_file.append(file, self._path, HEADER, msgspec.json.encode(made) + b"\n", _is_note)
        except OSError as error:
            raise LibraryFull(
                f"{self._path} cannot be written ({error.strerror or error}). Notes written before are safe; "
                "make room or make it writable, then write it again."
            ) from error
        return made

    def _counting(self) -> dict[str, PageNote]:
        found: dict[str, PageNote] = {}
        for note in self._lines():
            found.pop(note.url, None)
            if note:
                found[note.url] = note
        return found

    def _lines(self) -> list[PageNote]:
        try:
            lines = self._path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ConfigError(f"{self._path} cannot be read: {error.strerror}.") from error
        found = []
        for number, line in enumerate(lines, 1):
            if number == 1 or not line.strip():
                continue
            try:
                found.append(msgspec.json.decode(line, type=PageNote))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                if number < len(lines):
                    raise ConfigError(
                        f"{self._path}, line {number} cannot be used: {error}. Mend or delete that line."
                    ) from error
        return found


def _is_note(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=PageNote)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True
