"""Property tests are judged by what they find, not by how fast a busy machine finds it."""

import importlib

from hypothesis import settings

settings.register_profile("scenthound", deadline=None)
settings.load_profile("scenthound")


def pytest_collection_finish() -> None:
    """Reads a module that Hypothesis reads late, before any test runs.

    In Python 3.11 a module that is compiled in the middle of other work may fail with "AST constructor recursion depth
    mismatch".
    """
    importlib.import_module("hypothesis.strategies._internal.regex")
