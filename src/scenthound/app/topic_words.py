"""What a topic in words means: its name, its keywords, its language.

Words as `dengue fever, mosquito` are keywords as they stand; a sentence is understood (`text/sentence.py`). The
language is the one that was said, or is recognised from the words; where they do not tell, English, until pages do.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from scenthound.config import Config, WeightedTerm, share_weights
from scenthound.errors import ConfigError
from scenthound.model import Keyword
from scenthound.text import sentence
from scenthound.text.language_recognition import recognize

DIGITS = 3  # of a weight
SURELY = 4
"""Words that a language must know of a topic to be believed against the pages it starts from."""


class TopicWords(Struct, frozen=True):
    """A topic as it was understood."""

    name: str
    keywords: list[str | WeightedTerm]
    language: str
    said: bool = False  # the language was given, and is not to be doubted
    sure: bool = False  # the language is clear from the words alone
    sentence: bool = False
    not_meant: tuple[str, ...] = ()

    def worth_telling(self) -> bool:
        """Was more made of the words than they say themselves?"""
        return self.sentence or self.language != Config().topic.language

    def weights(self) -> dict[str, float]:
        return {keyword.term: keyword.weight for keyword in share_weights(self.keywords)}


def read_words(text: str, language: str | None = None) -> TopicWords:
    text = " ".join(text.split())
    if not text:
        raise ConfigError('The topic is empty. Say what the crawl is about: scenthound crawl "dengue fever" --seed URL')
    found = None if language else recognize(text)
    spoken = language or (found.language if found else "en")
    said, sure = bool(language), found is not None and found.known >= SURELY
    if not sentence.is_sentence(text, spoken):
        keywords: list[str | WeightedTerm] = [words for part in text.split(",") if (words := part.strip())]
        return TopicWords(text, keywords or [text], spoken, said, sure)
    topic = sentence.understood(text, spoken)
    return TopicWords(topic.name, rounded(topic.keywords), spoken, said, sure, True, topic.not_meant)


def rounded(keywords: Sequence[Keyword]) -> list[str | WeightedTerm]:
    """Keywords as a topic.toml has them."""
    least = 10**-DIGITS
    return [WeightedTerm(keyword.term, max(least, round(keyword.weight, DIGITS))) for keyword in keywords]
