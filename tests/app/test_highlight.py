"""Words that decided are marked, in whatever form they stand, and nothing of the text is lost."""

from hypothesis import given
from hypothesis import strategies as st

from scenthound.app.highlight import MOST_SHOWN, marked


def test_words_are_marked_by_their_stem() -> None:
    pieces = marked("Otters swim. An otter is no owl.", {"otter": 0.4, "owl": -0.1}, "en")
    assert [(piece.text, piece.share) for piece in pieces if piece.share] == [
        ("Otters", 0.4),
        ("otter", 0.4),
        ("owl", -0.1),
    ]


@given(st.text(max_size=300), st.sampled_from(["en", "de", "", "zz"]))
def test_nothing_is_lost(text: str, language: str) -> None:
    assert "".join(piece.text for piece in marked(text, {"otter": 1.0, "a": 0.5}, language)) == text


def test_a_text_without_end_is_cut() -> None:
    assert sum(len(piece.text) for piece in marked("otter " * 100_000, {"otter": 1.0}, "en")) == MOST_SHOWN
