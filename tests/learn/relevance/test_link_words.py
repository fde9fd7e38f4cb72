from __future__ import annotations

from scenthound.learn.relevance.link_words import ADDRESSES, ANCHORS, CONTEXTS, WIDTH, link_words
from scenthound.learn.relevance.word_places import place, places_of, word_hashes


def test_words_stand_in_the_columns_of_their_kind() -> None:
    rows = link_words([("fern", "moss"), ()], [("fern",), ("a", "b")], [(), ("fern",)])
    fern, moss, a, b = word_hashes(["fern", "moss", "a", "b"]).tolist()
    assert rows.shape == (2, WIDTH)
    assert rows[0, ANCHORS].tolist() == [fern, moss, 0, 0, 0, 0, 0, 0]
    assert rows[0, CONTEXTS].tolist()[:2] == [fern, 0]
    assert rows[1, CONTEXTS].tolist()[:3] == [a, b, 0]
    assert rows[1, ADDRESSES].tolist() == [fern, 0, 0, 0, 0, 0]


def test_what_does_not_fit_is_left_out() -> None:
    many = tuple(f"w{number}" for number in range(50))
    rows = link_words([many, ()], [many, ()], [many, ("x",)])
    assert (rows[0] != 0).all()
    assert rows[0, ANCHORS].tolist() == word_hashes(many[:8]).tolist()
    assert (rows[1] != 0).sum() == 1


def test_no_links_are_no_rows() -> None:
    assert link_words([], [], []).shape == (0, WIDTH)


def test_a_hash_has_the_place_of_its_word_in_every_field() -> None:
    words = ["fern", "moss", "überwald", "a" * 80]
    for field in (0, 3, 9):
        assert places_of(field, word_hashes(words)).tolist() == place(field, words).tolist()
