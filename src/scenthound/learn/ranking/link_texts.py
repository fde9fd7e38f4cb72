"""What links say, as words, each text read once: menus repeat theirs, and what waits is scored again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from scenthound import urls
from scenthound.bounded_cache import Memo
from scenthound.learn.relevance.link_words import Words, link_words
from scenthound.learn.relevance.page_words import spelled_out
from scenthound.learn.relevance.word_places import Hashes
from scenthound.model import Link
from scenthound.text.analysis import analyzer

REMEMBERED = 10_000
"""Texts whose words are remembered, and addresses; together about 8 MB."""

LONGEST = 240
"""Characters of a text that are read: what stands around a link may be a page long."""


class LinkTexts(Struct, frozen=True):
    """Of some links the words in three places, each word once. They are read when they are asked for: of a link that
    was met before most are not."""

    links: Sequence[Link]
    words: Mapping[str, Words]
    address_words: Mapping[str, Words]

    def anchors(self, numbers: Iterable[int]) -> list[Words]:
        words, links = self.words, self.links
        return [words[links[number].anchor or links[number].title] for number in numbers]

    def contexts(self, numbers: Iterable[int]) -> list[Words]:
        words, links = self.words, self.links
        return [words[links[number].context] for number in numbers]

    def addresses(self, numbers: Iterable[int]) -> list[Words]:
        words, links = self.address_words, self.links
        return [words[links[number].url] for number in numbers]

    def rows(self, numbers: Iterable[int]) -> Hashes:
        """As numbers, a row for each of these links."""
        chosen = list(numbers)
        return link_words(self.anchors(chosen), self.contexts(chosen), self.addresses(chosen))


class LinkReader:
    def __init__(self, language: str) -> None:
        self.analyzer = analyzer(language)
        distinct = self.analyzer.distinct
        self._words = Memo[str, Words](lambda text: distinct(_beginning(text)), REMEMBERED)
        self._addresses = Memo[str, Words](lambda url: distinct(_beginning(spelled_out(urls.path(url)))), REMEMBERED)

    def __call__(self, links: Sequence[Link]) -> LinkTexts:
        return LinkTexts(links, self._words, self._addresses)

    def words(self, text: str) -> Words:
        return self._words[text]


class Coverage:
    """How much of a topic a text names: the share of its keywords that occur, each by its weight; 0..1."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        total = sum(weights.values())
        self._shares = {term: weight / total for term, weight in weights.items()} if total else {}

    def __call__(self, words: Words) -> float:
        shares = self._shares
        if shares.keys().isdisjoint(words):  # as with most texts
            return 0.0
        return sum([shares[word] for word in words if word in shares])

    def names_none(self, words: Iterable[str]) -> bool:
        return self._shares.keys().isdisjoint(words)

    def closeness(self, words: Words) -> float:
        """How much of a text is the topic: its coverage, and how few other words there are beside; 0..1."""
        named = self(words)
        return named / len(words) ** 0.5 if named else 0.0


def _beginning(text: str) -> str:
    """Up to the last whole word, where words have spaces between them."""
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rpartition(" ")[0] or text[:LONGEST]
