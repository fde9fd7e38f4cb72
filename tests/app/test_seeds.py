import tomllib
from pathlib import Path

import pytest

from scenthound.app import seeds
from scenthound.config import Config
from scenthound.errors import UsageError
from scenthound.fetch.seed_sources.choose_source import FoundSeeds
from tests.fetch.seed_sources.engines import engine, wiki_search


async def test_a_source_is_asked_without_a_screen() -> None:
    settings = Config()
    settings.fetch.private_addresses, settings.politeness.delay = True, 0.0
    told: list[tuple[int, int]] = []
    with engine({"/api.php": wiki_search(["Dengue", "Fever"])}) as wiki:
        found = await seeds.find_seeds(
            "dengue", settings, wiki.url("/api.php"), limit=2, progress=lambda done, whole: told.append((done, whole))
        )
    assert isinstance(found, FoundSeeds)
    assert [hit.title for hit in found.hits] == ["Dengue", "Fever"]
    assert told[-1] == (2, 2)


def test_words_are_those_given_or_the_topics() -> None:
    settings = Config()
    settings.topic.name = "dengue"
    assert seeds.words_of(None, settings) == "dengue"
    assert seeds.words_of(" malaria  fever ", settings) == "malaria fever"
    with pytest.raises(UsageError, match="Say what to search for"):
        seeds.words_of(None, Config())


def test_of_a_sentence_what_it_is_about_is_searched_for() -> None:
    said = "I am looking for pages about coral bleaching and what warm water does to reefs"
    assert seeds.words_of(said, Config()) == "coral bleaching, reefs, warm water"


def test_a_new_folder_gets_the_language_of_its_words(tmp_path: Path) -> None:
    seeds.write_into(tmp_path / "x", "Vogelstimmen im Wald", ["https://a.test/"], Config())
    assert tomllib.loads((tmp_path / "x/topic.toml").read_text())["topic"]["language"] == "de"


def test_a_new_folder_gets_a_topic_and_an_old_one_new_seeds_alone(tmp_path: Path) -> None:
    assert seeds.write_into(tmp_path / "x", "dengue, fever", ["https://a.test/"], Config()) == 1
    path = tmp_path / "x/topic.toml"
    assert tomllib.loads(path.read_text())["topic"] == {"name": "dengue, fever", "keywords": ["dengue", "fever"]}
    path.write_text("# Mine.\n" + path.read_text())
    assert seeds.write_into(tmp_path / "x", "other", ["https://a.test/", "https://b.test/"], Config()) == 1
    assert path.read_text().startswith("# Mine.\n")
    assert tomllib.loads(path.read_text())["crawl"]["seeds"] == ["https://a.test/", "https://b.test/"]
