from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scenthound import registry
from scenthound.errors import ConfigError
from scenthound.model import Link, Page, Visit
from scenthound.protocols.crawl import Context
from scenthound.strategies.ehrig import Ehrig
from scenthound.text import idf
from tests.strategies.semantic import TOPIC, TURTLE, priorities


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "x.ttl").write_text(TURTLE)
    return str(tmp_path / "x.ttl")


def test_equation_8_by_hand(file: str) -> None:
    """mosquito 1, fever 0.5 after scaling; louse is two edges from mosquito, ague is the same concept as fever."""
    found = priorities(
        Ehrig(ontology=file),
        {
            "mosquito": 1.0,
            "fever": 0.5,
            "mosquito fever": 1.5,
            "louse": 0.25,
            "ague": 0.5,
            "louse ague": 0.25 + 0.5,
            "mosquito mosquito ague": 1.0 + 0.5 * 0.5,
            "insect": 0.5,
            "unheard": 0.0,
            "": 0.0,
        },
    )
    for given, wanted in found:
        assert given == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("batsakis", {"mosquito": 1.0, "insect": 0.5, "louse": 0.25, "dengue": 0.25, "ague": 0.5}),
        ("variant-a", {"mosquito": 1.0, "insect": 1.0, "louse": 0.0, "dengue": 0.5, "ague": 0.5}),
        ("variant-b", {"mosquito": 1.0, "insect": 1.0, "louse": 1.0, "dengue": 0.5, "ague": 0.5}),
    ],
)
def test_the_three_variants_by_hand(file: str, form: str, wanted: dict[str, float]) -> None:
    """Mosquito weighs 1, fever 0.5; louse is two edges from mosquito, dengue one edge from fever."""
    strategy = registry.strategy.build("ehrig", {"published": form, "ontology": file})
    for given, expected in priorities(strategy, wanted):
        assert given == pytest.approx(expected)


def test_wordnet_is_the_default_and_the_topic_may_name_another(file: str) -> None:
    louse = Page("urn:p", links=(Link("urn:l", anchor="louse"),))
    found = []
    for ontology in ("", file, "wordnet"):
        strategy = registry.strategy.build("ehrig")
        strategy.begin(Context(TOPIC, idf.none(), Random(1), ontology=ontology))
        found += [ranked.priority for ranked in strategy.rank(Visit(louse.links[0], louse, 0.0, False, 0))]
    assert found[1] == 0.25
    assert 0.0 < found[0] == found[2] < 0.25


def test_a_file_that_is_not_there_is_the_users_mistake() -> None:
    with pytest.raises(ConfigError, match=r"There is no ontology file gone\.ttl"):
        Ehrig(ontology="gone.ttl").begin(Context(TOPIC, idf.none(), Random(1)))
