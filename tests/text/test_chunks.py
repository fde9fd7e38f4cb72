from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.chunks import chunks_of


def test_pieces_are_cut_between_blocks() -> None:
    text = "# A\n\none two three\n\nfour five\n\n```\ncode with\n\na gap\n```\n\n## B\n\nsix\n"
    pieces = list(chunks_of("http://a.example/", text, 5))
    assert [piece.text for piece in pieces] == ["one two three\n\nfour five", "```\ncode with\n\na gap\n```", "six"]
    assert [piece.headings for piece in pieces] == [("A",), ("A",), ("A", "B")]
    assert [piece.position for piece in pieces] == [0, 1, 2]


def test_the_same_words_twice_have_two_ids() -> None:
    first, second = chunks_of("http://a.example/", "# A\n\nsame\n\n# A\n\nsame\n")
    assert second.id == f"{first.id}-1"


@given(st.lists(st.sampled_from(["word", "more", "\n\n", "\n", "# T\n\n", "```\n", "| a | b |\n"]), max_size=60))
def test_no_word_is_lost_and_no_piece_is_too_long(parts: list[str]) -> None:
    text = " ".join(parts)
    pieces = list(chunks_of("http://a.example/", text, 7))
    assert all(piece.words <= 7 for piece in pieces)
    assert sum(piece.text.count("word") for piece in pieces) == text.count("word")
    assert len({piece.id for piece in pieces}) == len(pieces)
