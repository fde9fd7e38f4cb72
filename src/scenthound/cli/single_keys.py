"""Keys of the terminal as they are pressed, without Enter: waited for one at a time, or heard while a loop runs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

ESCAPE = "\x1b"
"""Arrows and the like come as several characters after it, and mean nothing here."""


@contextmanager
def without_enter(terminal: int) -> Iterator[None]:
    """The terminal hands on each key at once and does not echo it; Ctrl-C stays what it is."""
    import termios
    import tty

    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def single_keys() -> Iterator[Callable[[], str]]:
    """A function that waits for the next key. The terminal listens all the while, so that one pressed early is kept."""
    if sys.platform == "win32":  # pragma: no cover
        yield typer.getchar
        return
    terminal = sys.stdin.fileno()
    pressed: list[str] = []

    def read() -> str:
        if not pressed:
            given = os.read(terminal, 64).decode("utf-8", "replace")
            pressed.extend("?" if given.startswith(ESCAPE) else given.replace("\x04", "q").replace("\n", "?") or "q")
        return pressed.pop(0)

    with without_enter(terminal):
        yield read


@contextmanager
def heard_keys(press: Callable[[str], None]) -> Iterator[bool]:
    """Calls `press` with each key, in the running event loop. False where nobody can press one: no terminal, or one
    that another program has in its foreground, which would stop us for reading from it."""
    if not _ours():
        yield False
        return
    terminal, loop = sys.stdin.fileno(), asyncio.get_running_loop()

    def readable() -> None:
        if not _ours():  # sent to the background meanwhile
            return
        given = os.read(terminal, 64).decode("utf-8", "replace")
        if not given:  # the terminal is gone
            loop.remove_reader(terminal)
        elif not given.startswith(ESCAPE):
            for key in given:
                press(key)

    with without_enter(terminal):
        try:
            loop.add_reader(terminal, readable)
        except (NotImplementedError, PermissionError):  # a loop, or a kind of file, that cannot be listened to
            yield False
            return
        try:
            yield True
        finally:
            loop.remove_reader(terminal)


def _ours() -> bool:
    if sys.platform == "win32":  # pragma: no cover
        return False
    with contextlib.suppress(OSError, ValueError):
        terminal = sys.stdin.fileno()
        return os.isatty(terminal) and os.tcgetpgrp(terminal) == os.getpgrp()
    return False
