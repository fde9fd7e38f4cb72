import pytest

from scenthound.errors import UsageError
from scenthound.library.search_words import QueryPart, parts, wanted


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["dengue", "fever"], [QueryPart("dengue"), QueryPart("fever")]),
        (["dengue fever"], [QueryPart("dengue fever")]),
        (['"dengue fever" mosquito'], [QueryPart("dengue fever"), QueryPart("mosquito")]),
        (["dengue -vaccine"], [QueryPart("dengue"), QueryPart("vaccine", False)]),
        (["dengue", "-yellow fever"], [QueryPart("dengue"), QueryPart("yellow fever", False)]),
        (['-"yellow fever"'], [QueryPart("yellow fever", False)]),
        (['"unclosed phrase'], [QueryPart("unclosed phrase")]),
        (["-", "--", '""', "  "], []),
        (["covid-19"], [QueryPart("covid-19")]),
    ],
)
def test_parts(arguments: list[str], expected: list[QueryPart]) -> None:
    assert parts(arguments) == expected


def test_words_are_stemmed_and_all_of_them_wanted() -> None:
    query = wanted(["running", "dogs", "-cats"], ["en"])
    assert query.sought == ((("run",),), (("dog",),))
    assert query.unwanted == ((("cat",),),)
    assert query.terms == {"run", "dog"}
    assert not query.is_foreign


def test_each_part_in_every_language() -> None:
    query = wanted(["otter", "Häuser"], ["en", "de"])
    assert query.sought == ((("otter",), ("ott",)), (("häuser",), ("haus",)))
    assert query.own == ((("otter",),), (("häuser",),))
    assert query.is_foreign
    assert not wanted(["zoo"], ["en", "de"]).is_foreign


def test_stop_words_of_the_topic_are_left_out() -> None:
    assert wanted(["the", "zoo"], ["en", "de"]).sought == ((("zoo",),),)
    assert wanted(["state of the art"], ["en"]).sought == ((("state", "art"),),)


@pytest.mark.parametrize(
    ("arguments", "message"), [(["-otter"], "at least one word"), (["the", "of"], "on every page")]
)
def test_nothing_to_search_for(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        wanted(arguments, ["en"])
