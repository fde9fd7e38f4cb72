import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import UsageError
from scenthound.library.search_words import wanted
from scenthound.library.sqlite.fts_query import FtsQuery, fts_query


def asked(words: list[str], languages: list[str]) -> FtsQuery:
    return fts_query(wanted(words, languages))


def test_words_are_stemmed_and_all_of_them_asked() -> None:
    query = asked(["running", "dogs", "-cats"], ["en"])
    assert query.every == '("run" AND "dog") NOT ("cat")'
    assert query.some == '("run" OR "dog") NOT ("cat")'


def test_each_part_in_every_language() -> None:
    query = asked(["otter", "Häuser", "-rivers"], ["en", "de"])
    assert query.every == '("otter" AND "häuser") NOT (("river" OR "riv"))'
    assert query.foreign == (
        '(("otter" OR "ott") AND ("häuser" OR "haus")) NOT ("otter" AND "häuser") NOT (("river" OR "riv"))'
    )
    assert asked(["zoo"], ["en", "de"]).foreign == ""


def test_stop_words_of_the_topic_are_left_out() -> None:
    assert asked(["the", "zoo"], ["en", "de"]).every == '("zoo")'
    assert asked(["state of the art"], ["en"]).every == '("state art")'


@given(st.lists(st.text(max_size=30) | st.sampled_from(["OR", "NEAR(", "title:", "^a*", "NOT", "a\0b"]), max_size=5))
def test_whatever_is_typed_makes_a_valid_query(arguments: list[str]) -> None:
    try:
        query = asked(arguments, ["en", "de", "und"])
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
