from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.strategies.best_first import BestFirst
from scenthound.strategies.synset import Synset
from tests.strategies.semantic import TURTLE, priorities, ranks


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "x.ttl").write_text(TURTLE)
    return str(tmp_path / "x.ttl")


def test_equation_10_by_hand(file: str) -> None:
    """query+ = mosquito 2/3 and fever, ague, high, temperature 1/3 each; the page has ague once and a word besides."""
    length = sqrt(4 / 9 + 4 / 9)
    page = (1 / 3) / (sqrt(2) * length)
    fever = (4 / 3) / (2 * length)  # "fever" becomes fever, ague, high, temperature: four words of 1 each
    wanted = {
        "mosquito": (page + (2 / 3) / length) / 2,
        "ague": (page + fever) / 2,
        "fever": (page + fever) / 2,
        "mosquito ague": (page + 2 / (sqrt(5) * length)) / 2,
        "high temperatures": (page + fever) / 2,
        "dengue": page / 2,
        "": page / 2,
    }
    for given, expected in priorities(Synset(ontology=file), wanted, "ague unheard"):
        assert given == pytest.approx(expected)


def test_a_share_of_nothing_is_best_first(file: str) -> None:
    anchors = ["mosquito", "ague", "fever and more", "", "mosquito mosquito fever"]
    text = "A fever that mosquitoes carry, and an ague."
    assert ranks(Synset(ontology=file, share=0.0), anchors, text) == pytest.approx(ranks(BestFirst(), anchors, text))


def test_half_a_share(file: str) -> None:
    (found,) = ranks(Synset(ontology=file, share=0.5), ["ague"])
    length = sqrt(4 / 9 + 1 / 9 + 3 / 36)
    anchor = 1 / 6 + 0.5 * (1 / 3 + 1 / 6 + 1 / 6)  # ague itself, and half of fever, high, temperature
    assert found == pytest.approx(anchor / (sqrt(1 + 3 / 4) * length) / 2)


def test_farther_words_where_asked_for(file: str) -> None:
    assert ranks(Synset(ontology=file), ["dengue", "insect"]) == [0.0, 0.0]
    dengue, insect = ranks(Synset(ontology=file, distance=1), ["dengue", "insect"])
    length = sqrt(4 / 9 + 4 / 9 + 1 / 36 + 1 / 9)
    assert dengue == pytest.approx((1 / 6) / length / 2)
    assert insect == pytest.approx((1 / 3) / length / 2)


def test_wordnet_by_default() -> None:
    strategy = registry.strategy.build("synset", {"share": 0.5})
    pyrexia, museum = ranks(strategy, ["pyrexia", "museum"])
    assert pyrexia > 0.0 == museum


@pytest.mark.parametrize("params", [{"share": 1.5}, {"share": -1}, {"distance": 9}])
def test_parameters_out_of_range(params: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="must be"):
        registry.strategy.build("synset", params)
