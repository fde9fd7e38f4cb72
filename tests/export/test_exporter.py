from pathlib import Path

import pytest

from scenthound.export.exporter import ChosenPages, ExportChoice
from scenthound.export.page_filter import PageFilter
from scenthound.library import open_library
from scenthound.model import Label
from tests.library.collection import collect, stored, zoo


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


def urls(folder: Path, choice: ExportChoice | None = None) -> list[str]:
    with open_library(folder, write=False) as library:
        return [page.url for page in ChosenPages(library, choice)]


def test_pages_by_relevance_and_time(folder: Path) -> None:
    assert len(urls(folder)) == 7
    assert urls(folder, ExportChoice(filter=PageFilter(relevant=True, since=1_700_100_000.0))) == [
        "https://www.zoo.example/otters",
        "https://birds.example/duck",
    ]


def test_relevant_pages_are_those_that_count(tmp_path: Path) -> None:
    collect(
        tmp_path,
        [
            stored("http://a.example/", "otters", relevance=0.8),
            stored("http://b.example/", "otters!", relevance=0.8, duplicate_of="http://a.example/"),
            stored("http://c.example/", "taxes", relevance=0.1),
        ],
    )
    assert urls(tmp_path, ExportChoice(filter=PageFilter(relevant=True))) == ["http://a.example/"]
    assert len(urls(tmp_path)) == 3


def test_a_page_as_plain_data(folder: Path) -> None:
    with open_library(folder, write=False) as library:
        row = list(ChosenPages(library).rows())[1]
        told = list(ChosenPages(library, ExportChoice(fields=("url", "site", "digest", "text"))).rows())
    assert row == {
        "url": "https://www.zoo.example/otters",
        "title": "All about otters",
        "relevance": 0.9,
        "relevant": True,
        "host": "www.zoo.example",
        "depth": 1,
        "fetched_at": "2023-11-16T02:00:00Z",
        "language": "en",
        "duplicate_of": "",
        "label": "",
    }
    assert told[1]["site"] == "zoo.example"
    assert told[1]["text"].startswith("Otters swim")
    assert told[1]["digest"].startswith("sha1:")
    assert [each["url"] for each in told if not each["text"]] == ["https://secret.example/"]


def test_what_was_said_about_a_page_and_how_it_was_judged_first(folder: Path) -> None:
    otters, duck, home = "https://www.zoo.example/otters", "https://birds.example/duck", "https://www.zoo.example/"
    with open_library(folder) as library:
        library.add_labels(
            [Label(otters, False), Label(duck, True, "program:ask"), Label(home, True), Label(home, None)]
        )
        library.judge_again([(otters, 0.0, False)])
        fields = ("url", "relevance", "relevant", "first_relevance", "label", "label_by")
        told = {row.pop("url"): list(row.values()) for row in ChosenPages(library, ExportChoice(fields)).rows()}
    assert told[otters] == [0.0, False, 0.9, "no", "person"]
    assert told[duck][3:] == ["yes", "program:ask"]
    assert told[home][3:] == ["", ""], "taken back"


def test_how_far_it_is_and_how_many(folder: Path) -> None:
    heard: list[int] = []
    with open_library(folder, write=False) as library:
        pages = ChosenPages(library, ExportChoice(filter=PageFilter(relevant=True)), heard.append)
        assert len(list(pages)) == pages.taken
    assert heard == sorted(heard)
    assert len(heard) >= pages.taken
