import importlib

"""Property tests are judged by what they find, not by how fast a busy machine finds it."""

from hypothesis import settings

# Read now, not by the first test that needs it: in Python 3.11 a module compiled while other code runs in between may
# fail with "AST constructor recursion depth mismatch".
importlib.import_module("hypothesis.strategies._internal.regex")

settings.register_profile("scenthound", deadline=None)
settings.load_profile("scenthound")
