import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import UsageError
from scenthound.library.sqlite.search_words import QueryPart, parts, wanted


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
    assert query.every == '("run" AND "dog") NOT ("cat")'
    assert query.some == '("run" OR "dog") NOT ("cat")'
    assert query.terms == {"run", "dog"}


def test_each_part_in_every_language() -> None:
    query = wanted(["otter", "Häuser", "-rivers"], ["en", "de"])
    assert query.every == '("otter" AND "häuser") NOT (("river" OR "riv"))'
    assert query.foreign == (
        '(("otter" OR "ott") AND ("häuser" OR "haus")) NOT ("otter" AND "häuser") NOT (("river" OR "riv"))'
    )
    assert wanted(["zoo"], ["en", "de"]).foreign == ""


def test_stop_words_of_the_topic_are_left_out() -> None:
    assert wanted(["the", "zoo"], ["en", "de"]).every == '("zoo")'
    assert wanted(["state of the art"], ["en"]).every == '("state art")'


@pytest.mark.parametrize(
    ("arguments", "message"), [(["-otter"], "at least one word"), (["the", "of"], "on every page")]
)
def test_nothing_to_search_for(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        wanted(arguments, ["en"])


@given(st.lists(st.text(max_size=30) | st.sampled_from(["OR", "NEAR(", "title:", "^a*", "NOT", "a\0b"]), max_size=5))
def test_whatever_is_typed_makes_a_valid_query(arguments: list[str]) -> None:
    try:
        query = wanted(arguments, ["en", "de", "und"])
    except UsageError:
        return
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(title, body, content='', tokenize='ascii')")
        for expression in filter(None, (query.every, query.foreign, query.some)):
            assert connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (expression,)).fetchone() == (
                0,
            )
    finally:
        connection.close()
