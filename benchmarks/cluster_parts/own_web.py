"""A web of made-up pages on loopback, served by a process of its own for as long as somebody needs it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent


@contextmanager
def served(script: str, *arguments: str) -> Iterator[int]:
    """The port. `script`: one beside this file, which is told a port first, and says a line once it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(HERE / script), str(port), *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield port
    finally:
        server.kill()
        server.wait()
