"""A page's text with the words marked that decided about it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from scenthound.text.analysis import analyzer

MOST_SHOWN = 60_000
"""Characters of a text that are marked; nobody reads more of one on a screen."""

_WORD = re.compile(r"\w+")


class MarkedPiece(Struct, frozen=True):
    text: str
    share: float = 0.0  # of the judgement: above 0 speaks for the page, below 0 against it


def marked(text: str, shares: Mapping[str, float], language: str) -> list[MarkedPiece]:
    """The text in pieces; those with a share are words whose term has one. Phrases are marked word by word."""
    text = text[:MOST_SHOWN]
    wanted = {part: share for term, share in shares.items() for part in term.split()}
    terms, pieces, done = analyzer(language).terms, [], 0
    known: dict[str, float] = {}
    for found in _WORD.finditer(text):
        word = found[0]
        if word not in known:
            known[word] = next((wanted[term] for term in terms(word) if term in wanted), 0.0)
        if known[word]:
            pieces += [MarkedPiece(text[done : found.start()]), MarkedPiece(word, known[word])]
            done = found.end()
    return [piece for piece in [*pieces, MarkedPiece(text[done:])] if piece.text]
