"""Make tests/ontology/data/similarities.tsv: word pairs and how alike they are, as an independent reader has it.

    python scripts/make_similarity_table.py /usr/share/wordnet

Needs `pip install nltk`, and the files that `make_wordnet.py` was given. NLTK reads them by itself: what it is asked
for are synsets, shortest ways and common hypernyms; the formulas are those of Batsakis (eq. 3 and 4).

| column | what |
|---|---|
| path | edges on the shortest way between any two senses; - where there is none |
| ehrig | 0.5 ** path |
| li_path, li_depth, li | L, H and similarity of the pair of senses for which exp(-0.2 L) * tanh(0.6 H) is largest |

Depth is `min_depth`, plus 1 where NLTK says that a synset needs a root (all but nouns); ways over a root that is not in
WordNet do not count (`simulate_root=False`). "Identical words are 1" is not applied, so that pairs of a word with
itself check depths.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from math import exp, tanh
from pathlib import Path
from random import Random
from typing import Any

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader

OUT = Path(__file__).parents[1] / "tests" / "ontology" / "data" / "similarities.tsv"
HEAD = ("first", "second", "path", "ehrig", "li_path", "li_depth", "li")

CHOSEN = """
car automobile; car bicycle; car train; mosquito fly; mosquito disease; dengue malaria
dengue fever; fever disease; bird plumage; bird dinosaur; bird nest; hurricane storm
hurricane cyclone; cyclone wind; star planet; planet galaxy; computer software; computer internet
film movie; film director; cinema film; election president; food cuisine; crop agriculture
bridge tower; building architecture; railway train; railway station; locomotive engine; element isotope
professor faculty; professor teacher; lecture homework; homework assignment; syllabus course; student graduate
research project; research inquiry; laboratory group; page home; dog cat; dog bitch
dog chase; boy lad; coast shore; gem jewel; journey voyage; magician wizard
midday noon; furnace stove; food fruit; bird cock; bird crane; tool implement
brother monk; crane implement; lad brother; journey car; monk oracle; cemetery woodland
food rooster; coast hill; forest graveyard; shore woodland; monk slave; coast forest
lad wizard; chord smile; glass magician; noon string; rooster voyage; run walk
run move; run cat; think believe; buy sell; give take; eat drink
breathe live; go travel; die decease; die perish; big large; big small
good well; quickly rapidly; quickly slowly; beautiful ugly; red scarlet; Paris London
Paris France; Einstein physicist; mice rats; children adults; leaves branches; studies researches
geese birds; treated healing; diseases illnesses; viruses bacteria; teeth mouth; men women
oxen cattle; running walks; went go; entity thing; entity entity; mosquito mosquito
run run; big big; quickly quickly; zzyzx mosquito; xyzzy plugh
""".replace("\n", ";")


def depth(synset: Any) -> int:
    return int(synset.min_depth() + synset._needs_root())


def pairs_of_senses(reader: Any, first: str, second: str) -> Iterator[tuple[int, int]]:
    for one in reader.synsets(first):
        for other in reader.synsets(second):
            length = one.shortest_path_distance(other, simulate_root=False)
            if length is None:
                continue
            common = one.common_hypernyms(other)
            yield length, max(map(depth, common))


def row(reader: Any, first: str, second: str) -> list[str]:
    found = list(pairs_of_senses(reader, first, second))
    if not found:
        return [first, second, "-", "0", "-", "-", "0"]
    path = min(length for length, _ in found)
    best = max(found, key=lambda pair: (exp(-0.2 * pair[0]) * tanh(0.6 * pair[1]), -pair[0]))
    return [first, second, str(path), repr(0.5**path), *map(str, best), repr(exp(-0.2 * best[0]) * tanh(0.6 * best[1]))]


def some_words(reader: Any, count: int) -> list[str]:
    """Words with several senses, and others, of all parts of speech; drawn, but the same ones each time."""
    draw = Random(1)
    lemmas = sorted(lemma for lemma in reader.all_lemma_names() if lemma.isalpha() and lemma.islower())
    usual = [lemma for lemma in lemmas if len(reader.synsets(lemma)) >= 4]
    return draw.sample(lemmas, count // 2) + draw.sample(usual, count - count // 2)


def opened(folder: Path) -> Any:
    """NLTK wants two files that Debian leaves out; they have no bearing on anything here."""
    data = Path(tempfile.mkdtemp())
    copy = data / "corpora" / "wordnet"
    shutil.copytree(folder, copy)
    if not (copy / "lexnames").exists():
        (copy / "lexnames").write_text("".join(f"{number:02}\tx.{number}\t1\n" for number in range(45)))
    (copy / "index.sense").touch()
    nltk.data.path.append(str(data))  # it reads nothing elsewhere
    return WordNetCorpusReader(str(copy), None)


def main(folder: Path) -> None:
    reader = opened(folder)
    chosen = [tuple(pair.split()) for pair in CHOSEN.split(";") if pair.strip()]
    drawn = some_words(reader, 400)
    draw = Random(2)
    wanted = [*chosen, *zip(drawn[:200], drawn[200:], strict=True), *(draw.sample(drawn, 2) for _ in range(100))]
    rows = [row(reader, first.lower(), second.lower()) for first, second in wanted]
    OUT.write_text("".join("\t".join(line) + "\n" for line in [HEAD, *rows]))
    print(f"{len(rows)} pairs, {sum(line[2] != '-' for line in rows)} of them connected; in {OUT}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
