"""Terms are stems; people are shown the words they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scenthound.text.analysis import analyzer


def as_written(terms: Iterable[str], text: str, language: str) -> dict[str, str]:
    """Term -> how the text mostly spells it. A term of several words gets each; one that is not there stays."""
    terms = list(terms)
    wanted = {part for term in terms for part in term.split()}
    spoken = analyzer(language)
    spellings: dict[str, str] = {}
    for word, _ in sorted(Counter(spoken.words(text)).items(), key=lambda counted: (-counted[1], counted[0])):
        term = spoken.term(word)
        if term in wanted:
            spellings.setdefault(term, word)
    return {term: " ".join(spellings.get(part, part) for part in term.split()) for term in terms}
