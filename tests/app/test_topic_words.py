import pytest

from scenthound.app.topic_words import read_words
from scenthound.config import WeightedTerm
from scenthound.errors import ConfigError


def test_short_topics_stay_as_they_are() -> None:
    words = read_words("Dengue  fever, mosquito")
    assert (words.name, words.keywords) == ("Dengue fever, mosquito", ["Dengue fever", "mosquito"])
    assert (words.language, words.worth_telling()) == ("en", False)


def test_a_sentence_is_understood_in_its_language() -> None:
    words = read_words("Ich suche Seiten über Korallenbleiche und was warmes Wasser mit Riffen macht")
    assert (words.language, words.sure, words.sentence) == ("de", True, True)
    assert next(entry.term for entry in words.keywords if isinstance(entry, WeightedTerm)) == "Korallenbleiche"
    assert words.worth_telling()
    assert sum(words.weights().values()) == pytest.approx(1.0)


def test_a_language_that_is_said_is_not_doubted() -> None:
    words = read_words("Vogelstimmen im Wald", "en")
    assert (words.language, words.said, words.sure) == ("en", True, False)


def test_nothing_is_no_topic() -> None:
    with pytest.raises(ConfigError, match="empty"):
        read_words("  ")
