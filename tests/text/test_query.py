from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.model import Keyword, Link, Topic
from scenthound.protocols.crawl import Context
from scenthound.text import idf
from scenthound.text.query import Query
from scenthound.text.vectors import cosine, weigh

TOPIC = Topic("dengue", (Keyword("dengue fever", 0.6), Keyword("Mosquitoes", 0.2), Keyword("fever", 0.2)))


def weights(term: str) -> float:
    return {"dengu": 4.0, "fever": 2.0}.get(term, 3.0)


def test_a_phrase_is_its_terms_with_its_weight() -> None:
    assert Query(TOPIC, weights).vector == pytest.approx({"dengu": 2.4, "fever": 1.6, "mosquito": 0.6})


def test_cosine_by_hand() -> None:
    query = Query(Topic("x", (Keyword("dengue", 0.5), Keyword("fever", 0.5))), idf.none())
    # Page (dengue 3, rash 4), query (0.5, 0.5): 1.5 / (5 * sqrt 0.5)
    assert query.of_counts({"dengu": 3, "rash": 4}) == pytest.approx(1.5 / (5 * sqrt(0.5)))
    assert query.of_text("dengue fever") == pytest.approx(1.0)
    assert query.of_text("dengue") == pytest.approx(1 / sqrt(2))
    assert query.of_text("home page") == query.of_text("") == query.of_counts({}) == 0.0


def test_a_link_without_anchor_speaks_through_its_title() -> None:
    query = Query(TOPIC, idf.none())
    assert query.of_link(Link("http://a/", title="mosquito")) == query.of_text("mosquito") > 0
    assert query.of_link(Link("http://a/", anchor="home", title="mosquito")) == 0.0


def test_the_language_of_the_topic_counts() -> None:
    query = Query(Topic("x", (Keyword("Häuser", 1.0),), language="de"), idf.none())
    assert query.of_text("das Haus") == 1.0


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["dengu", "fever", "mosquito", "rash", "page"]), st.integers(1, 50)))
def test_it_is_the_cosine_of_tf_idf_vectors(counts: dict[str, int]) -> None:
    query = Query(TOPIC, weights)
    assert query.of_counts(counts) == pytest.approx(cosine(weigh(counts, weights), query.vector))
    assert sum(part for _, part in query.strongest(counts, 10)) == pytest.approx(query.of_counts(counts))


@settings(deadline=None)
@given(st.text())
def test_any_text(text: str) -> None:
    assert 0.0 <= Query(TOPIC, idf.background("en")).of_text(text) <= 1.0


def test_strongest_terms_first() -> None:
    query = Query(TOPIC, weights)
    found = query.strongest({"dengu": 1, "fever": 1, "mosquito": 1, "rash": 9}, 2)
    assert [term for term, _ in found] == ["dengu", "fever"]
    assert query.strongest({"rash": 1}, 3) == []


@pytest.mark.parametrize(("words", "hint"), [((), "no keywords"), (("the who",), "the who")])
def test_a_topic_without_words_is_refused_with_the_next_step(words: tuple[str, ...], hint: str) -> None:
    topic = Topic("x", tuple(Keyword(word, 1.0) for word in words))
    assert not Query(topic, idf.none())
    assert Query(topic, idf.none()).of_text("anything") == 0.0
    with pytest.raises(ConfigError, match=hint):
        Query.of(Context(topic=topic, idf=idf.none(), random=Random(0)))


def test_more_terms_leave_the_query_as_it_was() -> None:
    query = Query(TOPIC, weights)
    before = query.of_text("ague"), query.of_text("fever"), dict(query.vector)
    more = query.with_terms({"agu": 0.5, "fever": 9.0})
    assert more.vector == {**query.vector, "agu": 1.5}, "a term that is there keeps its weight"
    length = sqrt(sum(weight**2 for weight in more.vector.values()))
    assert more.of_text("ague") == pytest.approx(1.5 / length)
    assert more.of_link(Link("urn:x", anchor="ague")) == pytest.approx(1.5 / length)
    assert (query.of_text("ague"), query.of_text("fever"), query.vector) == before
    assert query.of_link(Link("urn:x", anchor="ague")) == 0.0
