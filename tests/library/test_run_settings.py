from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.library.run_settings import last_settings
from tests.library.collection import zoo


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return zoo(tmp_path / "zoo")


def test_settings_of_a_folder_are_those_of_the_last_run(folder: Path) -> None:
    with open_library(folder, write=False) as library:
        assert last_settings(library).topic.name == "otters"


@pytest.mark.parametrize("recorded", ["{}", '{"crawl": {"a setting of the future": 1}}', "not json"])
def test_settings_fall_back_to_the_file(tmp_path: Path, recorded: str) -> None:
    (tmp_path / "topic.toml").write_text('[topic]\nname = "owls"\n')
    with open_library(tmp_path, create=True) as library:
        assert last_settings(library).topic.name == "owls"
        library.start_run(recorded)
        assert last_settings(library).topic.name == ("" if recorded == "{}" else "owls")


def test_settings_of_a_bare_library(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        assert last_settings(library).topic.language == "en"
