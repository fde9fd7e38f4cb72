"""Who counts as whom. The rules themselves are in `tests/conformance/library_labels.py`, for every library."""

import pytest

from scenthound.library.label_rules import LabelLedger, rank
from scenthound.model import Label

URL = "http://a.example/"


@pytest.mark.parametrize(
    ("by", "expected"),
    [("person", 2), ("asked", 2), ("bookmarks", 1), ("list", 1), ("file", 1), ("program:llm", 0), ("program:", 0)],
)
def test_ranks(by: str, expected: int) -> None:
    assert rank(Label(URL, True, by)) == expected


def test_a_word_that_repeats_itself_is_not_kept() -> None:
    ledger = LabelLedger()
    listed, person = Label(URL, True, "list"), Label(URL, False, "person")
    assert ledger.add([listed, listed]) == ([listed], [listed])
    assert ledger.add([person, listed, person]) == ([person], [person])
    undone = Label(URL, None, "person")
    assert ledger.add([undone, undone]) == ([undone], [undone])
    assert ledger.add([listed]) == ([listed], [listed]), "after that it counts again"
    assert ledger.history(URL) == [listed, person, undone, listed]
