from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.revisit.detect import text_diff
from scenthound.revisit.detect.text_diff import (
    Piece,
    diff,
    hunks,
    sentences,
    summary,
    to_html,
    to_markdown,
    to_text,
    word_diff,
)
from tests.watchdog import no_hang

OLD = "First thing. Second thing. Third thing. Fourth thing."
NEW = "First thing. Another thing. Third thing. Fourth thing. Fifth thing."


def test_sentences_that_went_and_came() -> None:
    assert diff(OLD, NEW) == [
        Piece("same", "First thing."),
        Piece("gone", "Second thing."),
        Piece("new", "Another thing."),
        Piece("same", "Third thing."),
        Piece("same", "Fourth thing."),
        Piece("new", "Fifth thing."),
    ]


def test_nothing_changed_nothing_shown() -> None:
    pieces = diff(OLD, OLD)
    assert hunks(pieces) == []
    assert to_text(pieces) == to_markdown(pieces) == to_html(pieces) == ""
    assert summary(pieces) == "no words"


def test_words_within_a_sentence() -> None:
    assert word_diff("the old house stands", "the new house stands") == [
        Piece("same", "the"), Piece("gone", "old"), Piece("new", "new"), Piece("same", "house stands"),
    ]  # fmt: skip


def test_for_people() -> None:
    pieces = diff(OLD, NEW)
    assert summary(pieces) == "4 words new, 2 gone"
    assert to_text(pieces, 0) == "- Second thing.\n+ Another thing.\n…\n+ Fifth thing."
    assert to_markdown(pieces) == "- ~~Second thing.~~\n- **Another thing.**\n\n- **Fifth thing.**"
    assert "<del>Second thing.</del> <ins>Another thing.</ins>" in to_html(pieces)


def test_nothing_in_a_page_becomes_markup_or_reaches_the_terminal() -> None:
    pieces = diff("", "<script>x</script> **b** [l](u) \x1b[31mred")
    assert "<script" not in to_html(pieces)
    assert "\x1b" not in to_text(pieces) + to_markdown(pieces)
    assert r"\*\*b\*\* \[l\](u)" in to_markdown(pieces)


@given(st.lists(st.sampled_from("abcdef"), max_size=30), st.lists(st.sampled_from("abcdef"), max_size=30))
def test_both_texts_can_be_had_back(old: list[str], new: list[str]) -> None:
    before, after = (". ".join(letters) for letters in (old, new))
    pieces = diff(before, after)
    assert [piece.text for piece in pieces if piece.op != "new"] == sentences(before)
    assert [piece.text for piece in pieces if piece.op != "gone"] == sentences(after)


def test_long_texts_are_compared_by_anchors() -> None:
    old = [f"Sentence number {number}." for number in range(3000)]
    new = [*old[:1000], "Something new.", *old[1000:2000], *old[2100:]]
    pieces = diff(" ".join(["Start old.", *old, "End old."]), " ".join(["Start new.", *new, "End new."]))
    changed = [piece for piece in pieces if piece.op != "same"]
    assert Piece("new", "Something new.") in changed
    assert len(changed) == 2 + 1 + 100 + 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a. " * 200_000, "b. " * 200_000),
        ("a. b. " * 100_000, "b. a. " * 100_000),
        ("x" * 2_000_000, "y" * 2_000_000),
        ("".join(f"{n}. " for n in range(100_000)), "".join(f"{n}. " for n in range(100_000, 0, -1))),
    ],
    ids=["all other", "repeated", "no spaces", "turned around"],
)
def test_hostile_texts_cost_no_more_than_others(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compared each with each are small gaps, and together no more than sentences times the side of one."""
    compared: list[int] = []

    class Counting(text_diff.SequenceMatcher[str]):
        def __init__(self, isjunk: None, a: Sequence[str], b: Sequence[str], autojunk: bool) -> None:
            compared.append(len(a) * len(b))
            super().__init__(isjunk, a, b, autojunk)

    monkeypatch.setattr(text_diff, "SequenceMatcher", Counting)
    with no_hang():
        diff(old, new)
    assert max(compared, default=0) <= text_diff._CLOSE
    assert sum(compared) <= 100 * text_diff._CLOSE
