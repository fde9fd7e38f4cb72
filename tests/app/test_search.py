from pathlib import Path

from scenthound.app.search import search_library
from scenthound.library import open_library
from scenthound.model import Label
from tests.library.collection import zoo


def test_a_library_is_searched_in_one_call(tmp_path: Path) -> None:
    told: list[int] = []
    found = search_library(zoo(tmp_path / "zoo"), ["hound"], progress=lambda done, whole: told.append(done))
    again = search_library(tmp_path / "zoo", ["hound"])
    assert [hit.url for hit in found.hits] == [hit.url for hit in again.hits]


def test_hits_have_their_labels(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert {hit.label for hit in search_library(folder, ["otter"]).hits} == {None}
    with open_library(folder, write=False) as library:
        library.add_labels([Label("https://www.zoo.example/otters", False)])
    labels = {hit.url: hit.label for hit in search_library(folder, ["otter"]).hits}
    assert labels.pop("https://www.zoo.example/otters") is False
    assert set(labels.values()) == {None}
