import pytest

from scenthound.ontology.morphy import PARTS_OF_SPEECH, RULES, base_forms

KNOWN = {"mosquito", "box", "church", "leaf", "leave", "baby", "man", "bus", "run", "make", "big", "fine", "axis", "ax"}
EXCEPTIONS = {"axes": ["ax", "axis"], "ran": ["run"]}


@pytest.mark.parametrize(
    ("word", "part", "bases"),
    [
        ("mosquito", "noun", ["mosquito"]),
        ("mosquitos", "noun", ["mosquito"]),
        ("boxes", "noun", ["box"]),
        ("churches", "noun", ["church"]),
        ("leaves", "noun", ["leave", "leaf"]),
        ("babies", "noun", ["baby"]),
        ("firemen", "noun", []),
        ("men", "noun", ["man"]),
        ("axes", "noun", ["ax", "axis"]),
        ("ran", "verb", ["run"]),
        ("runs", "verb", ["run"]),
        ("making", "verb", ["make"]),
        ("finest", "adj", ["fine"]),
        ("finely", "adv", []),
        ("", "noun", []),
        ("s", "noun", []),
    ],
)
def test_base_forms(word: str, part: str, bases: list[str]) -> None:
    assert base_forms(word, EXCEPTIONS, KNOWN.__contains__, part) == bases


def test_endings_are_taken_off_again_where_once_leads_nowhere() -> None:
    assert base_forms("runsing", {}, KNOWN.__contains__, "verb") == ["run"]


def test_every_part_of_speech_has_rules() -> None:
    assert set(RULES) == set(PARTS_OF_SPEECH)
