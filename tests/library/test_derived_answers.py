from pathlib import Path

import pytest

from scenthound.library import open_library
from tests.library.collection import zoo


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


@pytest.mark.parametrize(
    ("url", "ahead"),
    [
        ("https://far.example/", (0, 0)),
        ("https://www.zoo.example/map", (1, 0)),
        ("https://www.zoo.example/tickets", (2, 1)),
    ],
)
def test_how_many_wait_ahead(folder: Path, url: str, ahead: tuple[int, int]) -> None:
    with open_library(folder, write=False) as library:
        row = library.url_row(url)
        assert row is not None
        assert library.ahead(row) == ahead


@pytest.mark.parametrize(
    ("url", "nearest"),
    [
        ("https://www.zoo.example/otter", "https://www.zoo.example/otters"),
        ("http://zoo.example/otters/", "https://www.zoo.example/otters"),
        ("https://nowhere.example/", None),
    ],
)
def test_what_is_spelled_like_it(folder: Path, url: str, nearest: str | None) -> None:
    with open_library(folder, write=False) as library:
        assert (library.near(url) or [None])[0] == nearest
