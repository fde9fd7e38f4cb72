"""What similarity and strategies know of an ontology; WordNet, thesauri and wordnets of `wn` all have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Ontology(Protocol):
    """Concepts are numbers. Every answer is the same each time it is asked for.

    *Depth* says how specific a concept is: the fewest steps upwards to a concept with nothing above it. That one has
    depth 0 where it means "anything" (WordNet's `entity`, OWL's `Thing`), and depth 1 where it means something of its
    own, as the top of a thesaurus and of each tree of verbs does: as if all of these stood below an unspoken
    "anything". Nothing is connected through the unspoken one.
    """

    name: str  # as people call it
    longest: int  # words in its longest phrase

    def senses(self, words: Sequence[str]) -> Sequence[int]:
        """The concepts that a word, or a phrase, may stand for; words as `Analyzer.words` cuts them."""
        ...

    def labels(self, concept: int) -> Sequence[str]:
        """What the concept is called, its usual name first."""
        ...

    def broader(self, concept: int) -> Sequence[int]: ...

    def narrower(self, concept: int) -> Sequence[int]: ...

    def related(self, concept: int) -> Sequence[int]: ...  # in another way; symmetric

    def depth(self, concept: int) -> int: ...
