"""What an ontology adds to a topic: synonyms of its words, and words near them in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from scenthound import config
from scenthound.app.crawl_plan import SETTINGS
from scenthound.errors import ConfigError
from scenthound.model import Keyword
from scenthound.ontology.expansion import Addition, expand
from scenthound.ontology.open_ontology import beside, ontologies
from scenthound.ontology.vocabulary import Vocabulary


class WordsToExpand(Struct, frozen=True):
    """Keywords, and where to look them up."""

    keywords: Sequence[Keyword]
    ontology: str
    language: str


class TopicExpansion(Struct, frozen=True):
    keywords: Sequence[Keyword]
    additions: Sequence[Addition]  # the heaviest first
    unknown_to: str = ""  # the ontologies, where they know no word of the topic


def expand_topic(asked: WordsToExpand, distance: int = 1) -> TopicExpansion:
    """Reads the ontology, which takes a moment where it is a large one."""
    vocabulary = Vocabulary(ontologies(asked.ontology, asked.language), asked.language)
    known = any(any(term.senses) for keyword in asked.keywords for term in vocabulary.named(keyword.term))
    names = " and ".join(each.name for each in vocabulary.ontologies)
    return TopicExpansion(asked.keywords, expand(asked.keywords, vocabulary, distance), "" if known else names)


def words_to_expand(words: list[str], ontology: str = "", language: str = "") -> WordsToExpand:
    """The words as they are; or, where they name a folder, the keywords of its topic.toml."""
    folder = Path(words[0])
    if len(words) == 1 and (folder / SETTINGS).is_file():
        settings = config.load(folder / SETTINGS)
        keywords = settings.make_topic().keywords
        if not keywords:
            raise ConfigError(f"The topic in {folder} has no keywords. Give it some: scenthound topic {folder} -k WORD")
        given = ontology or beside(settings.topic.ontology, folder)
        return WordsToExpand(keywords, given, language or settings.topic.language)
    if not any(word.strip() for word in words):
        raise ConfigError('Give the words of a topic, as in: scenthound topic expand "dengue fever"')
    keywords = config.share_weights([word.strip() for word in words if word.strip()])
    return WordsToExpand(keywords, ontology, language or "en")
