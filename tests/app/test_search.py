from pathlib import Path

from scenthound.app.search import search_library
from tests.library.collection import zoo


def test_a_library_is_searched_in_one_call(tmp_path: Path) -> None:
    told: list[int] = []
    found = search_library(zoo(tmp_path / "zoo"), ["hound"], progress=lambda done, whole: told.append(done))
    again = search_library(tmp_path / "zoo", ["hound"])
    assert [hit.url for hit in found.hits] == [hit.url for hit in again.hits]
