"""WordNet, as facts in one file that is mapped into memory: lemmas, synsets, what is broader, how deep.

A concept is a synset; its number is its place among all synsets, nouns first, then verbs, adjectives and adverbs, each
in the order of WordNet's own files. Broader are hypernyms, of instances ("Paris" is a capital) as well as of kinds.
Adjectives and adverbs have none, so they are alike only within a synset.

Lemmas are sorted by a hash of their words, and a word is found by halving the list of hashes. Words are looked
up as they stand in the text, not as stems: "organization" is not "organ". What is not there as such is looked for by
its base forms (`morphy.py`), all of them, and all senses count; of a phrase, the last word may be inflected.

`scripts/make_wordnet.py` makes the file, and tells where WordNet's own files are to be had.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from weakref import WeakValueDictionary

import numpy as np
from xxhash import xxh32_intdigest

from scenthound.ontology import mapped_arrays
from scenthound.ontology.morphy import PARTS_OF_SPEECH, base_forms
from scenthound.text.analysis import analyzer

LONGEST_PHRASE = 5
"""Of 1,000 phrases in WordNet, 997 have no more words than this."""

REMEMBERED = 20_000  # words, about 5 MB

FILE = "wordnet.facts"


def key(lemma: str) -> str:
    """A lemma as its words are cut from a text: "E-mail" -> "e mail"."""
    return " ".join(analyzer("en").words(lemma))


def hashed(words: str) -> int:
    return xxh32_intdigest(words.encode())


_open: WeakValueDictionary[str, WordNet] = WeakValueDictionary()


def wordnet() -> WordNet:
    """The one that comes with Scenthound. All who use it share one, of some MB, which goes with the last of them."""
    if (found := _open.get(FILE)) is None:
        found = _open[FILE] = WordNet(files("scenthound.ontology").joinpath("data", FILE))
    return found


class WordNet:
    """An `Ontology`; see `ontology_protocol.py`."""

    longest = LONGEST_PHRASE

    def __init__(self, file: Traversable) -> None:
        facts, arrays = mapped_arrays.read(file)
        self.name: str = facts["name"]
        self._ends: list[int] = facts["ends"]  # of nouns, verbs, adjectives, adverbs among all concepts
        self._hashes = arrays["hashes"].data
        self._lemmas = _Rows(arrays["lemma_sizes"], arrays["lemma_letters"])
        self._senses = _Rows(arrays["sense_counts"], arrays["senses"])
        self._labels = _Rows(arrays["label_counts"], arrays["labels"])
        self._broader = _Rows(arrays["broader_counts"], arrays["broader"])
        self._depths = arrays["depths"].data
        self._exceptions = _exceptions(arrays["exceptions"].tobytes().decode())
        # Of what they need, not of `self`: a circle would keep all of it until Python looks for garbage.
        self._found = lru_cache(REMEMBERED)(partial(_find, self._hashes, self._lemmas, self._senses))
        self._word = lru_cache(REMEMBERED)(partial(_read, self._found, self._ends, self._exceptions))

    def __len__(self) -> int:
        return len(self._depths)

    def senses(self, words: Sequence[str]) -> Sequence[int]:
        if not words:
            return ()
        *first, last = words
        if not first:
            return self._word(last)[1]
        begun = " ".join(first)
        ways = (self._found(f"{begun} {base}") for base in dict.fromkeys([last, *self._word(last)[0]]))
        return next(filter(None, ways), ())

    def labels(self, concept: int) -> Sequence[str]:
        return tuple(self._lemma(lemma).replace("_", " ") for lemma in self._labels[concept])

    def broader(self, concept: int) -> Sequence[int]:
        return self._broader[concept]

    def narrower(self, concept: int) -> Sequence[int]:
        return self._narrower[concept]

    def related(self, concept: int) -> Sequence[int]:
        return ()

    def depth(self, concept: int) -> int:
        return self._depths[concept]

    def part_of_speech(self, concept: int) -> str:
        return PARTS_OF_SPEECH[next(part for part, end in enumerate(self._ends) if concept < end)]

    def _lemma(self, number: int) -> str:
        return bytes(self._lemmas[number]).decode()

    @cached_property
    def _narrower(self) -> _Rows:
        broader = self._broader
        counts = np.bincount(broader.content, minlength=len(self))
        below = np.repeat(np.arange(len(self), dtype=np.uint32), broader.counts)
        return _Rows(counts, below[np.argsort(broader.content, kind="stable")])


class _Rows:
    """Rows of numbers of various lengths, one after the other in one array."""

    def __init__(self, counts: mapped_arrays.Array, content: mapped_arrays.Array) -> None:
        self.counts, self.content = counts, content
        ends = np.zeros(len(counts) + 1, dtype=np.uint32)
        np.cumsum(counts, out=ends[1:])
        self._ends, self._content = ends.data, content.data

    def __getitem__(self, row: int) -> tuple[int, ...]:
        return tuple(self._content[self._ends[row] : self._ends[row + 1]])


def _find(hashes: Sequence[int], lemmas: _Rows, senses: _Rows, words: str) -> tuple[int, ...]:
    """The concepts with just these words as a label, whatever its capitals and hyphens."""
    wanted = hashed(words)
    place = bisect_left(hashes, wanted)
    found: list[tuple[int, ...]] = []
    while place < len(hashes) and hashes[place] == wanted:
        if key(bytes(lemmas[place]).decode()) == words:
            found.append(senses[place])
        place += 1
    return tuple(chain.from_iterable(found))


def _read(
    found: Callable[[str], tuple[int, ...]],
    ends: Sequence[int],
    exceptions: Mapping[str, dict[str, list[str]]],
    word: str,
) -> tuple[list[str], tuple[int, ...]]:
    """The base forms of a word, and their concepts, part of speech by part of speech."""
    bases: dict[str, None] = {}
    senses: dict[int, None] = {}
    begin = 0
    for part, end in zip(PARTS_OF_SPEECH, ends, strict=True):
        of_part = partial(_between, found, begin, end)
        for base in base_forms(word, exceptions[part], of_part, part):
            bases[base] = None
            senses.update(dict.fromkeys(of_part(base)))
        begin = end
    return list(bases), tuple(senses)


def _between(found: Callable[[str], tuple[int, ...]], begin: int, end: int, words: str) -> list[int]:
    return [concept for concept in found(words) if begin <= concept < end]


def _exceptions(text: str) -> dict[str, dict[str, list[str]]]:
    """Lines of a part of speech, an irregular form, and its base forms."""
    tables: dict[str, dict[str, list[str]]] = {part: {} for part in PARTS_OF_SPEECH}
    for line in text.splitlines():
        part, form, *bases = line.split(" ")
        tables[part][form] = bases
    return tables
