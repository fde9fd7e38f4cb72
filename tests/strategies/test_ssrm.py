from __future__ import annotations

from math import exp, sqrt, tanh
from pathlib import Path

import pytest

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
