from pathlib import Path

import pytest

from scenthound.library.sqlite.explain_queries import ExplainQueries
from tests.library.collection import zoo


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


def test_settings_are_those_of_the_last_run(folder: Path) -> None:
    with ExplainQueries.open(folder, write=False) as library:
        assert library.settings().topic.name == "otters"


@pytest.mark.parametrize("recorded", ["{}", '{"crawl": {"a setting of the future": 1}}', "not json"])
def test_settings_fall_back_to_the_file(tmp_path: Path, recorded: str) -> None:
    (tmp_path / "topic.toml").write_text('[topic]\nname = "owls"\n')
    with ExplainQueries.open(tmp_path, create=True) as library:
        assert library.settings().topic.name == "owls"
        library.start_run(recorded)
        assert library.settings().topic.name == ("" if recorded == "{}" else "owls")


def test_settings_of_a_bare_library(tmp_path: Path) -> None:
    with ExplainQueries.open(tmp_path, create=True) as library:
        assert library.settings().topic.language == "en"


@pytest.mark.parametrize(
    ("url", "ahead"),
    [
        ("https://far.example/", (0, 0)),
        ("https://www.zoo.example/map", (1, 0)),
        ("https://www.zoo.example/tickets", (2, 1)),
    ],
)
def test_how_many_wait_ahead(folder: Path, url: str, ahead: tuple[int, int]) -> None:
    with ExplainQueries.open(folder, write=False) as library:
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
    with ExplainQueries.open(folder, write=False) as library:
        assert (library.near(url) or [None])[0] == nearest
