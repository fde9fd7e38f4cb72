import sys

import pytest

from scenthound.errors import ConfigError, UsageError
from scenthound.parse.document import checked_formats, reader_for
from scenthound.parse.documents.csv import TableReader
from scenthound.parse.documents.txt import TextReader


def test_formats_are_spelt_in_many_ways() -> None:
    assert checked_formats(["PDF", ".csv", "xlsx, docx", "data"]) == {"pdf", "csv", "xlsx", "docx", "data"}
    assert checked_formats([]) == frozenset()


@pytest.mark.parametrize(("name", "words"), [("pfd", "'pdf'"), ("html", "always wanted"), ("zzz", "Kinds are archive")])
def test_what_cannot_be_meant_is_refused(name: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        checked_formats([name])


def test_what_is_not_installed_is_said_before_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(UsageError, match="pip install"):
        checked_formats(["pdf"])
    assert checked_formats(["csv"]) == {"csv"}


def test_who_reads_what() -> None:
    assert isinstance(reader_for("md"), TextReader)
    assert isinstance(reader_for("tsv"), TableReader)
    assert reader_for("xyz") is None
