"""Which pages a graph is collected from."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.config import Config
from scenthound.errors import ConfigError
from scenthound.library import open_library
from scenthound.library.label_file import LabelFile
from scenthound.model import Label
from scenthound.training.graph_collection import find_targets
from tests.library.collection import zoo

HOME, OTTERS = "https://www.zoo.example/", "https://www.zoo.example/otters"
OWL, DUCK = "https://birds.example/owl", "https://birds.example/duck"


def targets(folder: Path, *given: str, examples: tuple[str, ...] = (), threshold: float | None = None) -> list[str]:
    config = Config()
    config.topic.examples = list(examples)
    with open_library(folder, write=False) as library:
        return find_targets(given, folder, config, library, threshold)


def test_what_the_library_found_as_labels_correct_it(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert targets(folder, threshold=0.85) == [OTTERS]
    LabelFile(folder).add_labels([Label(OTTERS, False), Label(OWL, True)])
    assert targets(folder, threshold=0.85) == [OWL]
    found = targets(folder)
    assert OTTERS not in found
    assert {HOME, DUCK, OWL} <= set(found)


def test_examples_and_labels(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    assert targets(folder, examples=(DUCK, HOME)) == [DUCK, HOME]
    LabelFile(folder).add_labels([Label(DUCK, False), Label(OWL, True)])
    assert targets(folder, examples=(DUCK, HOME)) == [HOME, OWL]


def test_who_names_targets_is_taken_at_their_word(tmp_path: Path) -> None:
    folder = zoo(tmp_path / "zoo")
    LabelFile(folder).add_labels([Label(DUCK, False), Label(OWL, True)])
    assert targets(folder, DUCK) == [DUCK]


def test_none_at_all(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no targets to collect from"):
        find_targets([], tmp_path, Config(), None)
    LabelFile(tmp_path).add_labels([Label(OWL, True)])
    assert find_targets([], tmp_path, Config(), None) == [OWL]
