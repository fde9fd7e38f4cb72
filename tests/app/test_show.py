from pathlib import Path

import pytest

from scenthound.app.show import find_page, plain_part
from scenthound.cli.views.page import facts
from scenthound.errors import LibraryError
from scenthound.library import open_library
from scenthound.model import Label
from tests.library.collection import collect, stored

URL = "http://a.test/birds"


def test_a_page_and_its_parts_are_plain_data(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", [stored(URL, "birds sing", title="Birds")])
    with open_library(folder, write=False) as library:
        page = find_page(library, URL)
        assert plain_part(library, page)["title"] == "Birds"
        assert plain_part(library, page, "text") == "birds sing"
        assert ["Content-Type", "text/html; charset=utf-8"] in plain_part(library, page, "headers")
        assert plain_part(library, page, "links") == []
        assert [each["status"] for each in plain_part(library, page, "versions")] == [200]


def test_what_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", [stored(URL, "birds sing")])
    with open_library(folder, write=False) as library, pytest.raises(LibraryError, match="The nearest it has is"):
        find_page(library, f"{URL}/none")


def test_what_was_said_about_it_and_how_it_was_judged_first(tmp_path: Path) -> None:
    folder = collect(tmp_path / "x", [stored(URL, "birds sing", relevance=0.5)])
    with open_library(folder) as library:
        assert plain_part(library, find_page(library, URL))["label"] is None
        library.add_labels([Label(URL, False, at=1e9)])
        library.judge_again([(URL, 0.0, False)])
        page = find_page(library, URL)
        plain = plain_part(library, page)
        assert (plain["label"], plain["label_by"]) == (False, "person")
        assert (plain["relevance"], plain["first_relevance"]) == (0.0, 0.5)
        shown = dict(facts(page, library.labels()[URL]))
    assert shown["relevance"] == "0.000, does not count as found; 0.500 when it came"
    assert shown["label"].startswith("no, by person on 2001-09-")
