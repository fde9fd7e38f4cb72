from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenthound.errors import OntologyError
from scenthound.ontology.open_ontology import beside, names, ontologies

TURTLE = '@prefix skos: <http://www.w3.org/2004/02/skos/core#> . <urn:a> skos:prefLabel "{}"@en, "Hund"@de .'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("dogs.ttl").write_text(TURTLE.format("dog"))
    Path("a+b.ttl").write_text(TURTLE.format("cat"))
    return tmp_path


def test_names() -> None:
    assert names("") == names(" ") == ["wordnet"]
    assert names("dogs.ttl") == ["dogs.ttl"]
    assert names("dogs.ttl + wordnet") == names("dogs.ttl+wordnet") == ["dogs.ttl", "wordnet"]
    assert names("a+b.ttl") == ["a+b.ttl"], "there is such a file"
    assert names("c+d.ttl") == ["c", "d.ttl"]


def test_what_they_stand_for() -> None:
    assert [ontology.name for ontology in ontologies("", "en")] == ["WordNet 3.0"]
    assert [ontology.name for ontology in ontologies("dogs.ttl + WordNet", "en-GB")] == ["dogs.ttl", "WordNet 3.0"]
    (dogs,) = ontologies("dogs.ttl", "de")
    assert dogs.labels(0) == ("Hund",)


def test_files_beside_topic_toml(here: Path) -> None:
    folder = here / "crawls"
    folder.mkdir()
    (folder / "cats.ttl").write_text(TURTLE.format("cat"))
    assert beside("", folder) == ""
    assert beside("cats.ttl", folder) == str(folder / "cats.ttl")
    assert beside("cats.ttl + wordnet", folder) == f"{folder / 'cats.ttl'} + wordnet"
    assert beside("dogs.ttl", folder) == "dogs.ttl"


def test_a_changed_file_is_read_again(here: Path) -> None:
    (before,) = ontologies("dogs.ttl", "en")
    assert ontologies("dogs.ttl", "en")[0] is before
    Path("dogs.ttl").write_text(TURTLE.format("wolf"))
    os.utime("dogs.ttl", ns=(1, 1))
    assert ontologies("dogs.ttl", "en")[0].labels(0) == ("wolf",)


@pytest.mark.parametrize(
    ("given", "language", "message"),
    [
        ("none.ttl", "en", "There is no ontology file none.ttl"),
        ("wordnet", "de", "WordNet is English"),
        ("", "fr", "ontology = "),
        ("dogs.ttl + none.ttl", "en", "none.ttl"),
    ],
)
def test_mistakes(given: str, language: str, message: str) -> None:
    with pytest.raises(OntologyError, match=message):
        ontologies(given, language)
