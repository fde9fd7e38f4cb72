from __future__ import annotations

import pytest

from scenthound.ontology.thesaurus import Thesaurus
from scenthound.text.analysis import analyzer


def senses(thesaurus: Thesaurus, text: str, language: str = "en") -> list[int]:
    return list(thesaurus.senses(analyzer(language).words(text)))


def test_labels_are_found_inflected_and_without_their_qualifier() -> None:
    made = Thesaurus("x", [["Mercury (planet)"], ["mercury", "quicksilver"], ["point of view"], ["Vitamin C"]])
    assert senses(made, "mercury") == [0, 1]
    assert senses(made, "Mercury planet") == [0]
    assert senses(made, "points of views") == [2]
    assert senses(made, "point view") == []
    assert senses(made, "vitamin c") == [3]
    assert senses(made, "vitamin") == []
    assert senses(made, "") == []
    assert made.longest == 3


def test_other_scripts_and_languages() -> None:
    chinese = Thesaurus("zh", [["登革热"], ["蚊子"]], language="zh")
    assert senses(chinese, "登革热", "zh") == [0]
    german = Thesaurus("de", [["Krankheit"]], language="de")
    assert senses(german, "Krankheiten", "de") == [0]


def test_edges_have_two_ends() -> None:
    made = Thesaurus("x", [["a"], ["b"], ["c"]], [(1, 0), (1, 0), (2, 0), (0, 0)], [(1, 2)])
    assert made.broader(1) == (0,)
    assert made.narrower(0) == (1, 2)
    assert made.related(1) == (2,)
    assert made.related(2) == (1,)
    assert made.broader(0) == ()
    assert len(made) == 3


@pytest.mark.parametrize(
    ("edges", "anything", "depths"),
    [
        ([], None, [1, 1, 1, 1]),
        ([(1, 0), (2, 1), (3, 2)], None, [1, 2, 3, 4]),
        ([(1, 0), (2, 1), (3, 2), (3, 0)], None, [1, 2, 3, 2]),  # by the shortest way
        ([(1, 0), (2, 1)], 0, [0, 1, 2, 1]),  # "Thing" means nothing
        ([(0, 1), (1, 0), (2, 1)], None, [1, 2, 3, 1]),  # a cycle begins somewhere
        ([(0, 1), (1, 2), (2, 3), (3, 0)], None, [1, 4, 3, 2]),
    ],
    ids=str,
)
def test_depths(edges: list[tuple[int, int]], anything: int | None, depths: list[int]) -> None:
    made = Thesaurus("x", [["a"], ["b"], ["c"], ["d"]], edges, anything=anything)
    assert [made.depth(concept) for concept in range(4)] == depths
