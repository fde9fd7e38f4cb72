from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.model import Block, Keyword, Page, Topic
from scenthound.text import idf, weight_table
from scenthound.text.vectors import cosine
from scenthound.text.weight_table import TermStatistics, WeightTable

COUNTS = st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.integers(1, 50), max_size=12)


TOPIC = Topic("x", (Keyword("dengue fever", 0.75), Keyword("mosquito", 0.25)))


def test_weights_are_occurrences_over_those_of_the_most_frequent_term() -> None:
    statistics = TermStatistics(idf.none())
    statistics.add({"dengu": 8, "fever": 4, "rash": 2, "home": 1})
    assert statistics.table(3).weights == {"dengu": 1.0, "fever": 0.5, "rash": 0.25}


def test_a_table_has_ten_terms_chosen_by_tf_idf() -> None:
    statistics = TermStatistics(lambda term: 0.1 if term == "common" else 1.0)
    statistics.add({"common": 100, **{f"t{n:02}": 20 - n for n in range(12)}})
    weights = statistics.table().weights
    assert list(weights) == [f"t{n:02}" for n in range(10)]
    assert weights["t01"] == pytest.approx(19 / 20)


def test_every_page_has_one_vote_however_long() -> None:
    statistics = TermStatistics(idf.none())
    statistics.add({"long": 1000, "both": 500})
    statistics.add({"short": 2, "both": 1})
    assert statistics.table().weights == {"both": 1.0, "long": 1.0, "short": 1.0}
    assert statistics.best(2) == [("both", 0.5), ("long", 0.25)], "mean tf is 1/2 each, but only one is on both pages"


def test_relevance_worked_by_hand() -> None:
    table = WeightTable({"dengu": 4, "fever": 3})  # 1 and 0.75, length 1.25
    assert table.of_counts({"dengu": 2, "museum": 1}) == pytest.approx(1 * 2 / (1.25 * sqrt(5)))
    assert table.of_counts({"dengu": 4, "fever": 3}) == pytest.approx(1.0)
    assert table.of_counts({"museum": 9}) == 0.0
    assert table.of_text("Dengue! The museum, and dengue.") == pytest.approx(2 / (1.25 * sqrt(5)))
    assert table.of_text("") == 0.0


def test_relevance_with_the_norm_over_the_table_s_terms() -> None:
    """Aastha 4.5.2 to the letter: a block that has one term of the table once is as relevant as nothing but that."""
    table = WeightTable({"fern": 2, "moss": 1}, norm_over="table")
    assert table.weights == {"fern": 1.0, "moss": 0.5}
    assert table.of_counts({"fern": 3, "moss": 4, "museum": 12}) == pytest.approx(5 / (1.25**0.5 * 5))
    assert table.of_counts({"fern": 1, "museum": 500}) == pytest.approx(1 / 1.25**0.5) == table.of_counts({"fern": 1})
    assert WeightTable(table.weights).of_counts({"fern": 3, "moss": 4, "museum": 12}) == pytest.approx(
        5 / (1.25**0.5 * 13)
    )


def test_blocks_of_a_page() -> None:
    table = WeightTable({"dengu": 1})
    blocks = (Block("", 0, "dengue"), Block("", 0, ""), Block("", 0, "museum"))
    terms = {"dengu": 1, "museum": 1}
    assert table.of_blocks(Page("http://a/", blocks=blocks, terms=terms)) == [1.0, 0.0, 0.0]
    assert table.of_blocks(Page("http://a/", blocks=blocks[1:], terms={"museum": 1})) == [0.0, 0.0]
    french = Page("http://a/", blocks=blocks, terms={"dengue": 1}, language="fr")
    assert table.of_blocks(french) == [1.0, 0.0, 0.0], "other stems than the table's say nothing about it"


@given(COUNTS, COUNTS)
def test_relevance_is_the_cosine(table: dict[str, int], block: dict[str, int]) -> None:
    weights = WeightTable({term: float(n) for term, n in table.items()})
    got = weights.of_counts(block)
    assert 0.0 <= got <= 1.0
    assert got == pytest.approx(cosine(table, block))


def test_keywords_come_first_and_example_pages_fill_the_table() -> None:
    statistics = TermStatistics(
        idf.none(), [Page("http://a/"), Page("http://b/", terms={"rash": 4, "mosquito": 3, "tick": 1})]
    )
    assert WeightTable.of(TOPIC, statistics, 4).weights == {"dengu": 1.0, "fever": 1.0, "mosquito": 0.75, "rash": 1.0}
    assert WeightTable.of(TOPIC, statistics, 2).weights == {"dengu": 1.0, "fever": 1.0}
    assert WeightTable.of(Topic(""), statistics, 2).weights == {"rash": 1.0, "mosquito": 0.75}
    assert WeightTable.of(TOPIC, TermStatistics(idf.none())).weights["mosquito"] == pytest.approx(1 / 3)
    assert not WeightTable.of(Topic(""), TermStatistics(idf.none()))


def test_what_says_nothing_is_not_in_the_table() -> None:
    statistics = TermStatistics(idf.trained([{"a": 1, "b": 1}, {"a": 1}]))
    statistics.add({"a": 9, "b": 1})
    assert statistics.table().weights == {"b": 1.0}
    assert statistics.best(5) == [("b", pytest.approx(log(2) / 9))]


def test_memory_is_bounded_and_the_strong_terms_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weight_table, "MOST_KEPT", 100)
    statistics = TermStatistics(idf.none())
    for n in range(200):
        statistics.add({"topic": 10, **{f"w{n}-{k}": 1 for k in range(20)}})
        assert len(statistics._sums) <= 100
    assert statistics.best(1) == [("topic", 1.0)]
