from __future__ import annotations

from math import exp, sqrt, tanh
from pathlib import Path

import pytest

from scenthound import registry
from scenthound.strategies.ssrm import Ssrm
from tests.strategies.semantic import TURTLE, priorities, ranks


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "x.ttl").write_text(TURTLE)
    return str(tmp_path / "x.ttl")


def test_equation_9_by_hand(file: str) -> None:
    """The query is (mosquito 1, fever 0.5), its length sqrt(1.25); tops have depth 1."""
    query = sqrt(1.25)
    louse = exp(-0.4) * tanh(0.6)  # two edges, under the top "insect"
    ague = tanh(0.6)  # no edge, but another word, and its concept is a top
    wanted = {
        "mosquito": 1 / query,
        "fever": 0.5 / query,
        "mosquito fever": 1.5 / (sqrt(2) * query),
        "louse": louse / query,
        "ague": 0.5 * ague / query,
        "louse ague": (louse + 0.5 * ague) / (sqrt(2) * query),
        "mosquito mosquito unheard": 2 / (sqrt(5) * query),
        "dengue": 0.5 * exp(-0.2) * tanh(0.6) / query,
        "unheard": 0.0,
        "": 0.0,
    }
    for given, expected in priorities(Ssrm(ontology=file), wanted):
        assert given == pytest.approx(expected)


def test_rare_words_count_more(file: str) -> None:
    def rarity(term: str) -> float:
        return 3.0 if term == "fever" else 1.0

    mosquito, fever = ranks(Ssrm(ontology=file), ["mosquito", "fever"], weights=rarity)
    assert mosquito == pytest.approx(1 / sqrt(1 + 1.5**2))
    assert fever == pytest.approx(1.5 / sqrt(1 + 1.5**2))


def test_terms_that_say_nothing(file: str) -> None:
    assert ranks(Ssrm(ontology=file), ["mosquito"], weights=lambda term: 0.0) == [0.0]


def test_equation_4_as_typeset_by_hand(file: str) -> None:
    """With tanh in the exponent, exp(-0.2 * L * tanh(0.6 * H)): synonyms (L = 0) are identical."""
    query = sqrt(1.25)
    louse = exp(-0.2 * 2 * tanh(0.6))
    wanted = {
        "mosquito": 1 / query,
        "louse": louse / query,
        "ague": 0.5 / query,
        "dengue": 0.5 * exp(-0.2 * tanh(0.6)) / query,
        "louse ague": (louse + 0.5) / (sqrt(2) * query),
        "unheard": 0.0,
    }
    made = registry.strategy.build("ssrm", {"published": "as-printed", "ontology": file})
    for given, expected in priorities(made, wanted):
        assert given == pytest.approx(expected)


def test_a_way_through_what_is_below_both_is_one_of_the_graph_alone(tmp_path: Path) -> None:
    """The bite is an insect's and brings a fever, so mosquito and fever are two edges apart, with nothing above both to
    say how deep they meet: H = 0. Li's product makes that 0; eq. 4 as typeset would make it 1, and is taken for 0."""
    (tmp_path / "x.ttl").write_text(f'{TURTLE}:bite skos:prefLabel "bite"@en ; skos:broader :mosquito, :fever .\n')
    ontology, query = str(tmp_path / "x.ttl"), sqrt(1.25)
    for form in ("batsakis", "as-printed"):
        made = registry.strategy.build("ssrm", {"published": form, "ontology": ontology})
        for given, expected in priorities(made, {"mosquito": 1 / query, "fever": 0.5 / query}):
            assert given == pytest.approx(expected)
    by_edges = registry.strategy.build("ehrig", {"published": "batsakis", "ontology": ontology})
    for given, expected in priorities(by_edges, {"mosquito": 1 + 0.5 * 0.5**2, "fever": 0.5 + 0.5**2}):
        assert given == pytest.approx(expected)
