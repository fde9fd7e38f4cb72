"""A program that answers in a person's place: `label --by COMMAND`.

It is run once a page. On its standard input is one JSON object:

    {"url": ..., "title": ..., "description": ..., "text": ..., "language": ...,
     "topic": {"name": ..., "keywords": [...]}}

with at most MOST_TEXT characters of text. The first word of its standard output is the answer: yes, no or unsure.
Anything else (another word, nothing, an exit code other than 0, no end within the time) is no answer, and is counted as
what it was. What the page says reaches the program as data alone: no shell sees it, nor does it see the command.

The same question is not put to the same command twice: answers are kept in ANSWERS, a line of JSON each.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from scenthound.errors import ConfigError, LibraryFull, UsageError
from scenthound.model import Page, Topic

MOST_TEXT = 8_000
"""Characters of a page's text that the program gets. What it is about is said by then, and models charge by length."""

MOST_OUTPUT = 65_536
"""Bytes of its output that are read. Who goes on talking is stopped."""

TIMEOUT = 60.0
GRACE = 5.0
"""Seconds for the end of a process that was killed to be noticed."""

ANSWERS = "program-answers.jsonl"

Word = Literal["yes", "no", "unsure"]
MEANING: dict[Word, bool | None] = {"yes": True, "no": False, "unsure": None}


class NoAnswer(Struct, frozen=True):
    """A run that brought no answer: what went wrong, and what the program said about it."""

    reason: str  # the same for all runs that went wrong alike
    detail: str = ""


class KeptAnswer(Struct, frozen=True):
    """A line of ANSWERS."""

    question: str  # digest of command and question
    answer: Word
    url: str = ""  # for people: where it was asked first


def words_of(command: str) -> list[str]:
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--by {command!r} cannot be cut into words: {error}.") from None
    if not argv:
        raise UsageError('--by wants a command, as in --by "./ask-model".')
    return argv


def name_of(argv: Sequence[str]) -> str:
    """What its answers are signed with: the script, where one is among the arguments, else the program."""
    script = next((word for word in argv[1:] if Path(word).is_file()), argv[0])
    return Path(script).name or argv[0]


def question_about(page: Page, topic: Topic) -> dict[str, Any]:
    return {
        "url": page.url,
        "title": page.title,
        "description": page.description,
        "text": page.text[:MOST_TEXT],
        "language": page.language or topic.language,
        "topic": {"name": topic.name, "keywords": [keyword.term for keyword in topic.keywords]},
    }


async def ask_program(argv: Sequence[str], question: dict[str, Any], seconds: float = TIMEOUT) -> Word | NoAnswer:
    """One run of the program. It and what it started are gone when this returns, whatever happened."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # so that its children can be ended with it
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{argv[0]!r} cannot be run: {reason}. Name a program with --by, and its arguments.") from None
    try:
        async with asyncio.timeout(seconds):
            said, complaint = await _talk(process, msgspec.json.encode(question))
            if len(said) > MOST_OUTPUT:
                return NoAnswer(f"it said more than {MOST_OUTPUT:,} bytes")
            code = await process.wait()
    except TimeoutError:
        return NoAnswer(f"no answer within {seconds:g} s")
    finally:
        await _end(process)
    if code:
        detail = " ".join(complaint.decode("utf-8", "replace").split())[-200:]
        return NoAnswer(f"exit code {code}" if code > 0 else f"ended by signal {-code}", detail)
    return _understood(said)


async def _talk(process: asyncio.subprocess.Process, question: bytes) -> tuple[bytes, bytes]:
    """Gives it the question, and takes what it says on both streams: to their ends, unless it says too much."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    feeding = asyncio.create_task(_feed(process.stdin, question))
    complaining = asyncio.create_task(_heard(process.stderr, to_the_end=True))
    try:
        said = await _heard(process.stdout)
        return said, b"" if len(said) > MOST_OUTPUT else await complaining
    finally:
        feeding.cancel()
        complaining.cancel()


async def _feed(stream: asyncio.StreamWriter, question: bytes) -> None:
    with contextlib.suppress(OSError):  # it may answer without listening to the end
        stream.write(question + b"\n")
        await stream.drain()
        stream.close()


async def _heard(stream: asyncio.StreamReader, *, to_the_end: bool = False) -> bytes:
    """What a stream says; of more than MOST_OUTPUT bytes a little more than that. `to_the_end`: the rest goes."""
    heard = b""
    while (to_the_end or len(heard) <= MOST_OUTPUT) and (more := await stream.read(MOST_OUTPUT)):
        heard += more if len(heard) <= MOST_OUTPUT else b""
    return heard


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ends it and what it started. What they still say is read and dropped, else their end would not be noticed."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":  # pragma: no cover
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    streams = [stream for stream in (process.stdout, process.stderr) if stream is not None]
    with contextlib.suppress(TimeoutError):  # something that ran away from it may hold a stream open
        async with asyncio.timeout(GRACE):
            await asyncio.gather(*(_heard(stream, to_the_end=True) for stream in streams))
            await process.wait()


def _understood(said: bytes) -> Word | NoAnswer:
    words = said.decode("utf-8", "replace").split(maxsplit=1)
    if not words:
        return NoAnswer("nothing was answered")
    word = words[0].strip(".,:;!*\"'`").lower()
    known: Word | None = next((known for known in get_args(Word) if known == word), None)
    return known or NoAnswer("the answer was none of yes, no, unsure", words[0][:40])


class KeptAnswers:
    """What a program answered before, in a file of the folder: lines of JSON, to be read and deleted at will."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ANSWERS
        self._known = {kept.question: kept.answer for kept in self._read()}

    def get(self, argv: Sequence[str], question: dict[str, Any]) -> Word | None:
        return self._known.get(_digest(argv, question))

    def keep(self, argv: Sequence[str], question: dict[str, Any], answer: Word) -> None:
        kept = KeptAnswer(_digest(argv, question), answer, question["url"])
        if self._known.get(kept.question) == answer:
            return
        self._known[kept.question] = answer
        try:
            with self.path.open("ab") as file:
                # A line that a kill tore off is not continued.
                file.write((b"" if _ends_whole(self.path) else b"\n") + msgspec.json.encode(kept) + b"\n")
        except OSError as error:
            raise LibraryFull(f"{self.path} cannot be written ({error.strerror}). Make room.") from error

    def _read(self) -> list[KeptAnswer]:
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be read: {error.strerror}.") from error
        found = []
        for line in lines:
            with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):  # it is asked again
                found.append(msgspec.json.decode(line, type=KeptAnswer))
        return found


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _digest(argv: Sequence[str], question: dict[str, Any]) -> str:
    """Of all that the program gets but the URL: a copy of a page gets the answer of the first."""
    asked = {name: value for name, value in question.items() if name != "url"}
    return sha256(msgspec.json.encode([list(argv), asked])).hexdigest()[:32]
