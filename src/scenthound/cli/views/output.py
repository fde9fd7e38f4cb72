"""Standard output: JSON for machines, and lines for a reader who may leave before we end."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO


class Output:
    """Lines for whoever reads them, who may leave, as in `scenthound crawl ... --json | head`."""

    def __init__(self, stream: TextIO, on_gone: Callable[[], None]) -> None:
        self.stream = stream
        self.on_gone = on_gone
        self.gone = False

    def line(self, text: str) -> None:
        if self.gone:
            return
        try:
            self.stream.write(text + "\n")
            self.stream.flush()
        except BrokenPipeError:
            self.gone = True
            forget_stdout()
            self.on_gone()


def any_letter_can_be_written() -> None:
    """Pages are in all languages. A terminal that lacks a letter shows another; what goes into a file is UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="replace")


def forget_stdout() -> None:
    """Nobody reads any more: what is still buffered goes nowhere, and the interpreter ends without complaint."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


def as_json(answer: Any) -> str:
    """An answer for machines that people can read, too."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode()
