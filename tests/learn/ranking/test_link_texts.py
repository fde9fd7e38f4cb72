from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.ranking.link_texts import LONGEST, Coverage, LinkReader
from scenthound.model import Link


def test_words_of_a_link_are_told_by_their_place() -> None:
    link = Link("http://a.test/~smith/GraduateStudents.html", anchor="her students", context="see her students here")
    texts = LinkReader("en")([link])
    assert texts.anchors([0]) == [("student",)]
    assert texts.contexts([0]) == [("see", "student")]
    assert texts.addresses([0]) == [("smith", "graduat", "student")]


def test_a_link_without_text_speaks_by_its_title() -> None:
    assert LinkReader("en")([Link("http://a.test/", title="News")]).anchors([0]) == [("new",)]


def test_a_word_said_twice_is_one_word_and_a_text_is_read_to_a_bound() -> None:
    reader = LinkReader("en")
    assert reader.words("dengue fever dengue") == ("dengu", "fever")
    assert reader.words("dengue " * LONGEST + "fever") == ("dengu",)


@pytest.mark.parametrize(("words", "share"), [((), 0.0), (("a",), 0.25), (("b", "other"), 0.75), (("a", "b"), 1.0)])
def test_coverage_is_the_share_of_the_topic_that_is_named(words: tuple[str, ...], share: float) -> None:
    assert Coverage({"a": 1.0, "b": 3.0})(words) == share


@given(st.lists(st.text()), st.text())
def test_any_text_can_be_read(anchors: list[str], url: str) -> None:
    links = [Link(url, anchor=anchor, context=anchor * 2) for anchor in anchors]
    texts = LinkReader("en")(links)
    assert len(texts.rows(range(len(anchors)))) == len(anchors)


def test_a_topic_without_words_is_named_by_nothing() -> None:
    assert Coverage({})(("a",)) == 0.0
