"""Links to people, for topics that are about people: "Hai Zhou" where students are wanted.

No ontology knows the name of a student, and neither the name nor the page behind it need say "student". But a name is
easily told from other texts, and a list of names from other lists:

    people(link) = 1     in a list of names: `FEWEST` links or more, of which `SHARE` are names
                   1/2   where its own text is a name, or says where people are listed ("People", "Staff")
                   0     else

A name: two to five words, each with a capital letter but for particles ("van"), at least one of them so rare in the
language at large that it is probably no word of it, and no abbreviation. So "Mark Hill" alone is not taken for a name,
and is one in a list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from scenthound.bounded_cache import Memo
from scenthound.model import Link
from scenthound.text import idf
from scenthound.text.analysis import analyzer

FEWEST, SHARE = 5, 0.4
ALONE = 0.5

RARE = 6.0
"""The idf from which on a word with a capital is probably a name: "zhou" has 6.7 in English, "directory" 5.2."""

LONGEST = 60
"""Characters of a text that may be a name, or say where people are: more is a sentence."""

REMEMBERED = 10_000

PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "la", "le", "di", "da", "del", "bin", "al", "el", "ten", "ter"}
)
TITLES = frozenset({"prof", "professor", "dr", "mr", "mrs", "ms", "sir", "phd", "jr", "sr", "md"})
SIGNS = frozenset({
    "people", "person", "persons", "personal", "member", "members", "staff", "directory", "directories", "who",
})  # fmt: skip
"""What links say that lead to where people are listed, in English."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class PeopleLinks:
    def __init__(self, language: str) -> None:
        self._term, self._idf = analyzer(language).term, idf.background(language)
        self._alone = Memo[str, float](self._of_text, REMEMBERED, _is_short)
        self._names = Memo[str, bool](self.is_name, REMEMBERED, _is_short)

    def __call__(self, shown: Sequence[Link], links: Sequence[Link]) -> list[float]:
        """Of some of the links that a page shows."""
        names, alone = self._names, self._alone
        whole = Counter(link.block for link in shown if link.anchor)
        named = Counter(link.block for link in shown if names[link.anchor])
        lists = {block for block, number in whole.items() if number >= FEWEST and named[block] >= SHARE * number}
        return [1.0 if link.block in lists and link.anchor[:1].isupper() else alone[link.anchor] for link in links]

    def in_words(self, text: str, people: float) -> str:
        """Why a link with this text counts so much."""
        if people > ALONE:
            return "it stands in a list of people's names"
        return "its text is somebody's name" if self.is_name(text) else "its text says where people are listed"

    def _of_text(self, text: str) -> float:
        if not _is_short(text):
            return 0.0
        return ALONE if self.is_name(text) or not SIGNS.isdisjoint(_WORD.findall(text.lower())) else 0.0

    def is_name(self, text: str) -> bool:
        if not _is_short(text) or any(map(str.isdigit, text)):
            return False
        words = [word for word in _WORD.findall(text) if word.lower() not in TITLES]
        parts = [word for word in words if word.lower() not in PARTICLES]
        if not 2 <= len(words) <= 5 or len(parts) < 2 or not all(word[0].isupper() for word in parts):
            return False
        shouted = all(map(str.isupper, parts))  # else capitals alone are an abbreviation
        return any(self._is_rare(word) for word in parts if len(word) > 1 and (shouted or not word.isupper()))

    def _is_rare(self, word: str) -> bool:
        term = self._term(word.lower())
        return bool(term) and self._idf(term) >= RARE


def _is_short(text: str) -> bool:
    return len(text) <= LONGEST
