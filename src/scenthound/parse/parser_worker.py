"""The other end of `parser_pool`: a process that turns responses into pages until its input ends.

What goes to and fro are frames, four bytes of length and a message in msgpack:

    to a process     (number of the page, language of the topic, Response, reader)
    back from it     (number, Page, seconds of CPU time); at first (0, None, 0): it is ready

A reader, `module:function`, is what the crawl's judge wants to have read off each page besides, where there is time for
it: `function(page, language)` gives the page's `notes`. Whoever has none, or gets a page without, does it himself.

Apart from `parser_pool`, because a process that does without an event loop is ready sooner.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import stat
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from scenthound.gc_tuning import rare_collection
from scenthound.model import Page, Response
from scenthound.parse.file_format import file_format
from scenthound.parse.memory_limit import DOCUMENT_MEMORY, limited_memory
from scenthound.parse.page import parse_guarded
from scenthound.text.surrogates import encodable

READY = 0

ROOM = 1_000_000
"""Bytes that may be on their way: some twenty pages, so that neither end waits while the other is at work."""

_ENCODER = msgspec.msgpack.Encoder()
_QUESTION = msgspec.msgpack.Decoder(tuple[int, str, Response, str])
ANSWER = msgspec.msgpack.Decoder(tuple[int, Page | None, float])


def frame(message: object) -> bytes:
    packed = _ENCODER.encode(message)
    return len(packed).to_bytes(4, "little") + packed


def question(number: int, response: Response, language: str, reader: str = "") -> bytes:
    """The frame that asks for a page."""
    headers = tuple((str(name), str(value)) for name, value in response.headers)  # of a class of their own, maybe
    bare = Response(response.url, response.status, headers, response.body)
    try:
        return frame((number, language, bare, reader))
    except UnicodeEncodeError:  # a header with bytes in it that are no text
        return frame((number, language, replace(bare, headers=encodable(headers)), reader))


def _noted(page: Page, language: str, reader: str) -> Page:
    if reader and not page.problem:
        with contextlib.suppress(Exception):  # the crawl reads the page itself then, and says what is wrong
            return replace(page, notes=_reader(reader)(page, language))
    return page


@cache
def _reader(name: str) -> Callable[[Page, str], bytes]:
    module, _, function = name.partition(":")
    found: Callable[[Page, str], bytes] = getattr(import_module(module), function)
    return found


def widen(end: int) -> None:
    """Makes room between the processes, where the system lets us: there is a tenth of it otherwise."""
    with contextlib.suppress(OSError, ImportError, AttributeError):
        if stat.S_ISSOCK(os.fstat(end).st_mode):  # what some event loops use for pipes
            with socket.socket(fileno=os.dup(end)) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
        else:
            import fcntl

            fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, ROOM)


def work(source: BinaryIO, sink: BinaryIO, memory: int = DOCUMENT_MEMORY) -> None:
    """What a process does until its input ends. `memory`: bytes that reading a document may take."""
    sink.write(frame((READY, None, 0.0)))
    sink.flush()
    while len(head := source.read(4)) == 4:
        number, language, response, reader = _QUESTION.decode(source.read(int.from_bytes(head, "little")))
        started = time.process_time()
        with limited_memory(memory) if file_format(response) else contextlib.nullcontext():
            page = _noted(parse_guarded(response, language), language, reader)
        spent = time.process_time() - started
        try:
            answer = frame((number, page, spent))
        except UnicodeEncodeError:
            bare = replace(page, notes=b"")  # they are about what the page was before
            answer = frame((number, msgspec.convert(encodable(msgspec.to_builtins(bare)), Page), spent))
        sink.write(answer)
        sink.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the crawl is told, and says when it is time to go
    widen(sys.stdout.fileno())
    with rare_collection():
        work(sys.stdin.buffer, sys.stdout.buffer)
