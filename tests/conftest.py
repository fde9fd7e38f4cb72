"""Property tests are judged by what they find, not by how fast a busy machine finds it."""

import importlib
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.library.postgres.server import new_name, running_server

settings.register_profile("scenthound", deadline=None)
settings.load_profile("scenthound")


def pytest_collection_finish() -> None:
    """Reads a module that Hypothesis reads late, before any test runs.

    In Python 3.11 a module that is compiled in the middle of other work may fail with "AST constructor recursion depth
    mismatch".
    """
    importlib.import_module("hypothesis.strategies._internal.regex")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL database for the tests of this run; the test is skipped where none can be started."""
    with running_server() as address:
        yield address


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of a library in PostgreSQL that is not there yet."""
    return f"{postgres_server}#{new_name()}"
