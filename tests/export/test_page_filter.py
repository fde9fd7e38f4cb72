from pathlib import Path

import pytest

from scenthound.errors import UsageError
from scenthound.export.exporter import ChosenPages, ExportChoice
from scenthound.export.page_filter import PageFilter
from scenthound.library import open_library
from scenthound.model import Label
from tests.library.collection import collect, stored

LONG = "Otters live in rivers and seas, and eat fish, crabs and frogs. They sleep in dens by the water."
MENU = "<ul>" + "".join(f"<li><a href=/{n}>to page number {n}</a>" for n in range(9)) + "</ul>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("filtered")
    collect(
        place,
        [
            stored("http://a.example/long", LONG, relevance=0.9, at=1000.0),
            stored("http://www.a.example/short", "Otters.", relevance=0.6, language="de", at=2000.0),
            stored("http://b.example/copy", f"{LONG}!", relevance=0.9, duplicate_of="http://a.example/long", at=3000.0),
            stored("http://b.example/again", "", body=f"<p>{LONG}<p>{LONG}".encode(), relevance=0.4, at=4000.0),
            stored("http://c.example/links", "", body=f"<h1>Links</h1>{MENU}".encode(), relevance=0.1, at=5000.0),
        ],
    )
    with open_library(place) as library:
        library.add_labels([Label("http://a.example/long", True), Label("http://c.example/links", False)])
    return place


@pytest.mark.parametrize(
    ("wanted", "paths"),
    [
        (PageFilter(), "long short copy again links"),
        (PageFilter(relevance=0.5), "long short copy"),
        (PageFilter(relevant=True), "long short again"),
        (PageFilter(since=2000.0, until=3000.0), "short copy"),
        (PageFilter(languages=("de-AT",)), "short"),
        (PageFilter(hosts=("a.example",)), "long short"),
        (PageFilter(hosts=("www.a.example", "c.example")), "short links"),
        (PageFilter(label="yes"), "long"),
        (PageFilter(label="no"), "links"),
        (PageFilter(unique=True), "long short again links"),
        (PageFilter(unique=True, hosts=("b.example",)), "copy again"),
        (PageFilter(words=10), "long copy again links"),
        (PageFilter(most_words=10), "short"),
        (PageFilter(words=10, repetition=0.3), "long copy links"),
        (PageFilter(words=10, words_per_link=10), "long copy again"),
    ],
)
def test_which_pages_are_taken(folder: Path, wanted: PageFilter, paths: str) -> None:
    with open_library(folder, write=False) as library:
        found = [page.url.rpartition("/")[2] for page in ChosenPages(library, ExportChoice(filter=wanted))]
    assert " ".join(found) == paths


def test_slips_are_answered() -> None:
    with pytest.raises(UsageError, match="yes or no"):
        PageFilter(label="maybe").check()
    with pytest.raises(UsageError, match="between 0 and 1"):
        PageFilter(repetition=20).check()
