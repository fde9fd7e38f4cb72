from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.relevance.word_places import PLACES, place, word_places

words = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=50), max_size=20)


@given(st.lists(words, min_size=1, max_size=7))
def test_a_word_has_its_place_in_whatever_company(fields: list[list[str]]) -> None:
    together = word_places(fields)
    assert [len(places) for places in together] == [len(field) for field in fields]
    for number, field in enumerate(fields):
        for word, found in zip(field, together[number], strict=True):
            assert 0 <= found < PLACES
            assert place(number, [word])[0] == found


def test_words_are_spread_out() -> None:
    """As many share a place as chance has it: of 20,000 among 2^18, about 750 pairs."""
    many = place(0, [f"word{number}" for number in range(20_000)])
    assert 18_900 < len(set(many.tolist())) < 19_600


def test_fields_and_orders_are_told_apart() -> None:
    assert place(0, ["fern"])[0] != place(1, ["fern"])[0]
    assert place(0, ["ab"])[0] != place(0, ["ba"])[0]
    assert place(3, []).tolist() == []
