from __future__ import annotations

from math import exp, tanh
from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.strategies.mihalcea import Mihalcea
from tests.strategies.semantic import TURTLE, priorities, ranks


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "x.ttl").write_text(TURTLE)
    return str(tmp_path / "x.ttl")


def test_both_directions_by_hand(file: str) -> None:
    """Query: mosquito with 2/3 of the weight, fever with 1/3."""
    louse, ague = exp(-0.4) * tanh(0.6), tanh(0.6)
    wanted = {
        "mosquito": (1 + 2 / 3) / 2,
        "mosquito fever": 1.0,
        "fever": (1 + 1 / 3) / 2,
        "louse": (louse + louse * 2 / 3) / 2,
        "mosquito unheard": (1 / 2 + 2 / 3) / 2,
        "louse ague": ((louse + ague) / 2 + (louse * 2 / 3 + ague / 3)) / 2,
        "louse mosquito": ((louse + 1) / 2 + 2 / 3) / 2,  # only the best counterpart counts
        "mosquito mosquito louse": ((2 + louse) / 3 + 2 / 3) / 2,
        "unheard": 0.0,
        "": 0.0,
    }
    for given, expected in priorities(Mihalcea(ontology=file), wanted):
        assert given == pytest.approx(expected)


def test_rare_words_count_more(file: str) -> None:
    def rarity(term: str) -> float:
        return 3.0 if term == "unheard" else 1.0

    (found,) = ranks(Mihalcea(ontology=file), ["mosquito unheard"], weights=rarity)
    assert found == pytest.approx((1 / 4 + 2 / 3) / 2)


def test_the_measure_is_a_parameter(file: str) -> None:
    (found,) = ranks(Mihalcea(ontology=file, measure="ehrig"), ["louse"])
    assert found == pytest.approx((0.25 + 0.25 * 2 / 3) / 2)
    with pytest.raises(ConfigError, match="one of: ehrig, ehrig-a, ehrig-b, li"):
        ranks(Mihalcea(ontology=file, measure="lin"), ["louse"])
