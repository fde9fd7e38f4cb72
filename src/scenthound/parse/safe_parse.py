"""A response in, a page out, whatever is in it and however large: for whoever has no `ParserPool` to wait for.

A page that cannot be read, or not in time, has a `problem` and nothing else. An HTML parser has more ways to be slow
than one can know, all of which need room. So large pages are parsed by one process beside, which is kept for the
next of them, and ended where it takes too long; and so are documents of any size.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, NamedTuple

from scenthound.model import Page, Response
from scenthound.parse.file_format import file_format
from scenthound.parse.page import parse_guarded, unread
from scenthound.parse.parser_worker import ANSWER, question

PATIENCE = 30.0
"""Seconds that one page may take. The slowest honest one of 5 MB takes less than two, where the machine is not busy."""

LARGE = 262_144
"""Bytes of a page that only a process should parse. What is smaller takes a second at most, whatever is in it."""

START_PATIENCE = 60.0
"""Seconds until a process has to be ready; on a quiet machine it is in less than one."""

WORKER = (sys.executable, "-m", "scenthound.parse.parser_worker")


class TimedPage(NamedTuple):
    """A page, and the seconds of CPU time that it took to parse, wherever that was done."""

    page: Page
    seconds: float


def parse_safely(response: Response, language: str = "") -> Page:
    """All that the crawl wants to know of a page. `language` is the topic's, for pages that do not say theirs."""
    return parse_timed(response, language).page


def parse_timed(response: Response, language: str = "") -> TimedPage:
    return BESIDE.parse(response, language) if needs_process(response) else _parsed_here(response, language)


def needs_process(response: Response) -> bool:
    """Whether only a process should parse it: a large page, and any document, whose readers are less well-behaved."""
    return len(response.body) >= LARGE or bool(file_format(response))


def parse_without_process(response: Response, language: str) -> Page:
    """Where no process is to be had: a page is parsed all the same, a document is left alone."""
    if file_format(response):
        return unread(response.url, "documents are read in a process of their own, and none could be started")
    return parse_guarded(response, language)


def too_slow(url: str, patience: float) -> Page:
    return unread(url, f"it took more than {patience:g} seconds")


def broken(url: str) -> Page:
    return unread(url, "its source broke the process that parsed it")


def _parsed_here(
    response: Response, language: str, parse: Callable[[Response, str], Page] = parse_guarded
) -> TimedPage:
    started = time.thread_time()
    page = parse(response, language)
    return TimedPage(page, time.thread_time() - started)


class ParserProcess:
    """One process that parses one page after the other, while somebody waits for each of them."""

    def __init__(self, patience: float = PATIENCE, command: tuple[str, ...] = WORKER) -> None:
        self.patience = patience
        self.command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0  # which process of ours has started it: one that was forked must not talk to it
        self._turn = threading.Lock()

    def parse(self, response: Response, language: str) -> TimedPage:
        """The page; parsed here where no process is to be had."""
        with self._turn:
            process = self._process if self._alive() else self._start()
            if process is None:
                return _parsed_here(response, language, parse_without_process)
            assert process.stdin is not None
            with _deadline(process, self.patience) as over, suppress(OSError):  # it may be dead by now
                process.stdin.write(question(1, response, language))
                process.stdin.flush()
                if (answer := _next_answer(process.stdout)) is not None:
                    return answer
            self.close()
        return TimedPage(too_slow(response.url, self.patience) if over.is_set() else broken(response.url), 0.0)

    def close(self) -> None:
        """Ends the process. The next page starts another."""
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        with suppress(OSError):
            process.communicate()

    def _alive(self) -> bool:
        return self._process is not None and self._owner == os.getpid() and self._process.poll() is None

    def _start(self) -> subprocess.Popen[bytes] | None:
        self.close()
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        except OSError:
            return None
        self._process, self._owner = process, os.getpid()
        with _deadline(process, START_PATIENCE):
            ready = _next_frame(process.stdout)
        if not ready:
            self.close()
        return self._process


def _next_frame(pipe: IO[bytes] | None) -> bytes:
    """Nothing where the process has ended."""
    assert pipe is not None
    head = pipe.read(4)
    body = pipe.read(int.from_bytes(head, "little")) if len(head) == 4 else b""
    return body if len(body) == int.from_bytes(head, "little") else b""


def _next_answer(pipe: IO[bytes] | None) -> TimedPage | None:
    _, page, seconds = ANSWER.decode(answer) if (answer := _next_frame(pipe)) else (0, None, 0.0)
    return TimedPage(page, seconds) if page is not None else None


@contextmanager
def _deadline(process: subprocess.Popen[bytes], seconds: float) -> Iterator[threading.Event]:
    """Ends the process when time is up, which ends the waiting for it; the event says that this was so."""
    over = threading.Event()

    def end() -> None:
        over.set()
        process.kill()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield over
    finally:
        timer.cancel()


BESIDE = ParserProcess()
"""The one that `parse_safely` asks."""

atexit.register(BESIDE.close)
