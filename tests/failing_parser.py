"""A parser that fails in a way that nobody foresaw, on pages that say so."""

import pytest

from scenthound.parse import page

WORD = "FAIL"
REASON = "parser: RecursionError: nobody foresaw this"


def break_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on pages that hold WORD break it."""
    gather = page.gather

    def failing(source: bytes) -> object:
        if WORD.encode() in source:
            raise RecursionError("nobody foresaw this")
        return gather(source)

    monkeypatch.setattr(page, "gather", failing)
