"""Whatever is in a page, it comes back: read, or with the reason why it was not."""

import os
import sys
from collections.abc import Iterator

import pytest

from scenthound.model import Response
from scenthound.parse import page as parsing
from scenthound.parse import safe_parse
from scenthound.parse.page import parse
from scenthound.parse.safe_parse import LARGE, ParserProcess, parse_safely, parse_timed
from tests.parse.test_parser_pool import BROKEN, MOODY, response

MANY = "many words " * (LARGE // 10)
PLENTY = 600.0  # seconds


@pytest.fixture
def moody() -> Iterator[ParserProcess]:
    process = ParserProcess(PLENTY, (sys.executable, "-c", MOODY))
    yield process
    process.close()


def test_large_and_small_pages_are_read_as_ever() -> None:
    for given in (response(1), response(2, MANY)):
        assert parse_timed(given, "en").page == parse_safely(given, "en") == parse(given, "en")


def test_a_small_page_on_which_the_parser_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(source: bytes) -> None:
        raise ZeroDivisionError("nobody foresaw this " * 1000)

    monkeypatch.setattr(parsing, "gather", failing)
    page = parse_safely(response(1))
    assert page.problem.startswith("ZeroDivisionError: nobody foresaw this")
    assert (len(page.problem), page.text, page.links) == (200, "", ())


def test_what_breaks_or_holds_up_the_process_costs_one_page(moody: ParserProcess) -> None:
    pages = [moody.parse(response(n, word), "en").page for n, word in enumerate(["", "DIE", "", "RAISE", "HALF", ""])]
    assert [page.problem for page in pages] == ["", BROKEN, "", "LookupError: nobody foresaw this", "", ""]
    moody.patience = 0.3
    assert moody.parse(response(7, "STALL"), "en").page.problem == "it took more than 0.3 seconds"
    moody.patience = PLENTY
    assert moody.parse(response(8), "en").page.title == "8"


def test_the_process_is_kept_for_the_next_page(moody: ParserProcess) -> None:
    moody.parse(response(1), "en")
    before = moody._process
    moody.parse(response(2), "en")
    assert moody._process is before is not None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_talks_to_a_process_of_its_own(moody: ParserProcess) -> None:
    moody.parse(response(1), "en")
    owner, moody._owner = moody._owner, moody._owner + 1  # as it looks to a child
    parents = moody._process
    assert moody.parse(response(2), "en").page.title == "2"
    assert moody._process is not parents
    assert parents is not None
    assert parents.poll() is None, "it is the parent's to end"
    parents.kill()
    parents.communicate()
    assert moody._owner == owner


@pytest.mark.parametrize("command", [("/does/not/exist",), ("/bin/false",)])
def test_where_no_process_is_to_be_had_pages_are_parsed_here(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safe_parse, "BESIDE", ParserProcess(command=command))
    given = Response("http://a.example/", 200, (("Content-Type", "text/html"),), b"<title>x</title>" + b" " * LARGE)
    assert parse_safely(given).title == "x"
