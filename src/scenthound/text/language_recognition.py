"""Which language a text is in, told by its words: those of a topic, or better of a page.

    score(L) = sum over distinct words w of  log p_L(w)        p_L: how often the language at large uses the word

The languages are those with a background table. One file holds the most frequent stems of all of them
(`scripts/make_language_table.py` makes it), so that asking costs one small file and not twenty-six. A language is
said only where two of the words are its own and it is clearly ahead of the next: `coral` is Catalan as well, `ferns`
German, and whoever asks falls back on something better than a guess. Scripts that one language alone writes are told
by their letters.
"""

from __future__ import annotations

import lzma
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from heapq import nlargest
from importlib.resources import files
from math import log

from msgspec import Struct

from scenthound.model import Page
from scenthound.text.analysis import plain, stemmer
from scenthound.text.background import Background, from_text
from scenthound.text.languages import ALGORITHMS, UNKNOWN, code

FILE = "languages.xz"

STOP_SHARE = 0.45
"""Of a text, the part that stop words make up; the tables do not say how often each occurs."""

UNSEEN = log(1e-6)  # log p of a word that is not among a language's most frequent
CLEARLY = 2.5  # how far, in natural logarithms, the best must be ahead of the next
FEWEST, MOSTLY = 2, 0.5
"""Words of the text that the language must know, and which share: of Ukrainian Russian knows a sixth, and is not it."""

ON_A_PAGE = 8  # words it must know of a page to be believed: a page of a title and a picture says little
MOST_WORDS = 300  # distinct ones that are looked at

SCRIPTS = {
    "ja": "\u3040-\u30ff",
    "ko": "\uac00-\ud7ff",
    "zh": "\u3400-\u9fff",
    "th": "\u0e00-\u0e7f",
    "he": "\u0590-\u05ff",
    "ka": "\u10a0-\u10ff",
    "hy": "\u0530-\u058f",
    "bn": "\u0980-\u09ff",
}
"""Languages that are told by their letters. Japanese goes before Chinese, whose characters it uses, too."""

_any_script = re.compile(f"[{''.join(SCRIPTS.values())}]").search
_words = re.compile(r"[^\W\d_]{2,}").findall


class RecognizedLanguage(Struct, frozen=True):
    """A language, and how many different words of the text it knows."""

    language: str
    known: int


def recognize(text: str) -> RecognizedLanguage | None:
    """The language of a text; None where it cannot be told."""
    if script := by_script(text):
        return RecognizedLanguage(script, len(text))
    words = Counter(_words(plain(text)))
    looked_at = [word for word, _ in words.most_common(MOST_WORDS)]
    scores = {language: sum(map(table.log_share, looked_at)) for language, table in _tables().items()}
    (best, first), (_, second) = nlargest(2, scores.items(), key=lambda entry: entry[1])
    known = sum(_tables()[best].log_share(word) > UNSEEN for word in looked_at)
    enough = known >= FEWEST and known >= MOSTLY * len(looked_at)
    return RecognizedLanguage(best, known) if enough and first - second >= CLEARLY else None


def of_pages(pages: Iterable[Page]) -> str:
    """The language most of the pages are in, by their text, or where that does not tell by what they say; or none."""
    votes: Counter[str] = Counter()
    for page in pages:
        found = recognize(f"{page.title} {page.text}")
        said = code(page.language) if page.language else UNKNOWN
        if found is not None and found.known >= ON_A_PAGE:
            votes[found.language] += 1
        elif said != UNKNOWN:
            votes[said] += 1
    most = votes.most_common(1)
    return most[0][0] if most and 2 * most[0][1] > votes.total() else ""


def by_script(text: str) -> str:
    """A language whose script makes up half of the letters."""
    if text.isascii() or not _any_script(text):
        return ""
    letters = sum(map(str.isalpha, text)) or 1
    for language, script in SCRIPTS.items():
        share = len(re.findall(f"[{script}]", text)) / letters
        # Japanese mixes its own letters with Chinese characters; a fifth of them says that it is Japanese.
        if share >= (0.2 if language == "ja" else 0.5):
            return language
    return ""


class _WordTable:
    """How often a language uses words."""

    def __init__(self, language: str, table: Background) -> None:
        self._stems = {stem: log(share) for stem, share in table.frequency.items()}
        self._stops = dict.fromkeys(table.stopwords, log(STOP_SHARE / max(1, len(table.stopwords))))
        self._stem = stemmer(ALGORITHMS[language])

    def log_share(self, word: str) -> float:
        return self._stops.get(word) or self._stems.get(self._stem(word), UNSEEN)


@cache
def _tables() -> dict[str, _WordTable]:
    tables = unpacked(files("scenthound.text").joinpath("data", FILE).read_bytes())
    return {language: _WordTable(language, table) for language, table in tables.items()}


def packed(tables: dict[str, str]) -> bytes:
    """The file of all languages; each table as `background.as_text` writes it."""
    text = "\n".join(f"{language}\n{table}" for language, table in tables.items())
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def unpacked(file: bytes) -> dict[str, Background]:
    lines = lzma.decompress(file).decode().split("\n")
    return {lines[i]: from_text("\n".join(lines[i + 1 : i + 4])) for i in range(0, len(lines), 4)}
