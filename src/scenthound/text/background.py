"""How often words occur in a language at large: one small file a language, read when first asked for.

A file is xz-compressed text of three lines:

    stop words, separated by spaces
    stems, sorted, separated by spaces
    one character a stem: its frequency, as a level

A level is the frequency's logarithm in steps of a twentieth: `zipf = FLOOR + level * STEP`, where `zipf` is the
base-10 logarithm of occurrences in a billion words. `scripts/make_background.py` makes the files.
"""

from __future__ import annotations

import lzma
from functools import cache
from importlib.resources import files

from msgspec import Struct

from scenthound.text.languages import code

FLOOR = 1.0
STEP = 0.05
FIRST = 0x21  # levels are written as characters from "!" on


class Background(Struct, frozen=True):
    """Facts about a language: `frequency` is each stem's share of all words, 0..1."""

    stopwords: frozenset[str]
    frequency: dict[str, float]


def background(language: str) -> Background | None:
    """What is known of the language; None where that is nothing."""
    return _read(code(language))


@cache
def _read(language: str) -> Background | None:
    file = files("scenthound.text").joinpath("data", f"{language}.xz")
    if not file.is_file():
        return None
    return from_text(lzma.decompress(file.read_bytes()).decode())


def from_text(text: str) -> Background:
    """What `as_text` wrote."""
    stop, stems, levels = text.split("\n")
    shares = {level: 10 ** (FLOOR + (ord(level) - FIRST) * STEP - 9) for level in set(levels)}
    return Background(
        stopwords=frozenset(stop.split(" ")),
        frequency=dict(zip(stems.split(" "), map(shares.__getitem__, levels), strict=True)),
    )


def as_text(stopwords: list[str], frequency: dict[str, float]) -> str:
    """The three lines of a language. `frequency` gives each stem's zipf value."""
    stems = sorted(frequency)
    levels = "".join(chr(FIRST + max(0, round((frequency[stem] - FLOOR) / STEP))) for stem in stems)
    return "\n".join([" ".join(stopwords), " ".join(stems), levels])


def packed(stopwords: list[str], frequency: dict[str, float]) -> bytes:
    """The file of a language, for `background` to read."""
    return lzma.compress(as_text(stopwords, frequency).encode(), preset=9 | lzma.PRESET_EXTREME)
