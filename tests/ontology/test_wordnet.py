"""A tiny WordNet made here, and the whole one that comes with Scenthound, against an independent reader's figures."""

from __future__ import annotations

import csv
import gzip
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from scenthound.ontology.similarity import ConceptSimilarity, ehrig, li
from scenthound.ontology.wordnet import WordNet, key, wordnet
from tests.ontology import tiny

TABLE = Path(__file__).parent / "data" / "similarities.tsv"
SHIPPED = files("scenthound.ontology").joinpath("data", "wordnet.facts")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    folder = tiny.files(tmp_path_factory.mktemp("wordnet"))
    said = tiny.script("make_wordnet").make(folder, folder / "tiny.facts", "Tiny 1.0")
    assert said.startswith("22 lemmas, 15 synsets, 23 senses, 10 hypernyms")
    return WordNet(folder / "tiny.facts")


def labels(net: WordNet, *words: str) -> list[str]:
    return [net.labels(sense)[0] for sense in net.senses(words)]


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    make = tiny.script("make_wordnet").make
    folder = tiny.files(tmp_path)
    for name in ("a", "b"):
        make(folder, tmp_path / name, "Tiny")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_senses_in_the_order_of_the_index(small: WordNet) -> None:
    assert [small.labels(sense) for sense in small.senses(["mouse"])] == [("mouse", "computer mouse"), ("mouse",)]
    assert [small.part_of_speech(sense) for sense in small.senses(["bite"])] == ["verb"]
    assert small.name == "Tiny 1.0"
    assert len(small) == 15


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["mosquitos"], ["mosquito"]),
        (["mice"], ["mouse", "mouse"]),
        (["bitten"], ["bite"]),
        (["dengue", "fever"], ["dengue"]),
        (["dengue", "fevers"], []),  # "fever" alone is no word here, so nothing says that it is a plural
        (["computer", "mice"], ["mouse"]),
        (["aedes", "aegypti"], ["yellow-fever mosquito"]),
        (["yellow", "fever", "mosquitos"], ["yellow-fever mosquito"]),
        (["mickey"], ["Mickey"]),
        (["galore"], ["galore"]),
        (["fever"], []),
        (["entity"], ["entity"]),
        (["unheard"], []),
        (["dengue", "mosquito"], []),
        ([""], []),
        ([], []),
        (["蚊"], []),
    ],
    ids=str,
)
def test_words_are_found(small: WordNet, words: list[str], found: list[str]) -> None:
    assert labels(small, *words) == found


def test_broader_and_narrower_are_each_other(small: WordNet) -> None:
    edges = {(concept, above) for concept in range(len(small)) for above in small.broader(concept)}
    assert len(edges) == 10
    assert {(below, concept) for concept in range(len(small)) for below in small.narrower(concept)} == edges
    (mickey,) = small.senses(["mickey"])
    assert [small.labels(above)[0] for above in small.broader(mickey)] == ["mouse"], "instances have a kind"
    assert small.related(mickey) == ()


@pytest.mark.parametrize(
    ("word", "depth"), [("entity", 0), ("organism", 1), ("mosquito", 4), ("bite", 1), ("nip", 2), ("quickly", 1)]
)
def test_depth(small: WordNet, word: str, depth: int) -> None:
    assert [small.depth(sense) for sense in small.senses([word])] == [depth]


def test_a_lemma_without_words_is_left_out_and_keys_are_as_texts_are_cut() -> None:
    assert key("E-mail") == "e mail"
    assert key("Aedes_aegypti") == "aedes aegypti"
    assert key("'s_Gravenhage") == "s gravenhage"


# The one that is shipped


def rows() -> list[dict[str, str]]:
    with TABLE.open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_the_table_has_enough_pairs_of_every_kind() -> None:
    assert len(rows()) >= 200
    assert sum(row["path"] != "-" for row in rows()) >= 200
    assert {"0", "1", "2", "5", "12", "-"} <= {row["path"] for row in rows()}


def test_similarities_are_those_of_an_independent_reader() -> None:
    net = wordnet()
    similarities = ConceptSimilarity(net)
    for row in rows():
        some, others = net.senses([row["first"]]), net.senses([row["second"]])
        ways = [way for one in some for other in others for way in similarities.ways(one, other)]
        assert (not ways) == (row["path"] == "-"), row
        assert similarities.best(some, others, ehrig) == float(row["ehrig"]), row
        assert similarities.best(some, others, li) == pytest.approx(float(row["li"]), abs=1e-12), row
        if ways:
            best = max(ways, key=lambda way: (li(*way), -way[0]))
            assert min(length for length, _ in ways) == int(row["path"]), row
            assert best == (int(row["li_path"]), int(row["li_depth"])), row


def test_the_whole_of_it_is_there() -> None:
    net = wordnet()
    assert net.name == "WordNet 3.0"
    assert len(net) == 117_659  # as Princeton's statistics have it
    assert sum(len(net.broader(concept)) for concept in range(len(net))) == 97_666
    roots = [concept for concept in range(len(net)) if not net.broader(concept)]
    assert sum(net.part_of_speech(root) == "noun" for root in roots) == 1
    assert [net.labels(root) for root in roots if net.depth(root) == 0] == [("entity",)]
    assert labels(net, "president", "of", "the", "united", "states")[0] == "President of the United States"


def test_it_is_small_and_brings_its_licence() -> None:
    assert len(gzip.compress(SHIPPED.read_bytes(), 6)) < 5_000_000
    notice = files("scenthound.ontology").joinpath("data", "LICENSE.wordnet").read_text()
    assert "Princeton University" in notice
    assert "Permission to use, copy, modify and distribute" in notice


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_opening_it_costs_little() -> None:
    program = """
import gc, resource, sys
from scenthound.ontology import wordnet, similarity
def memory():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
gc.collect()
before, blocks = memory(), sys.getallocatedblocks()
net = wordnet.wordnet()
made = sys.getallocatedblocks() - blocks
similarities = similarity.ConceptSimilarity(net)
for word in ("mosquito", "fever", "run", "good", "quickly"):
    similarities.best(net.senses([word]), net.senses(["disease"]), similarity.li)
    [net.narrower(sense) for sense in net.senses([word])]
print(made, memory() - before)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    made, grown = map(int, done.stdout.split())
    assert made < 60_000  # the file is looked into, not read: no object for each of 117,659 concepts
    assert grown < 60_000_000
