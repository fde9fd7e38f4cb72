from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.revisit.detect.text_code import code_of, difference, sketch, text_code, text_digest

BEFORE = (
    'March 26, 2007 issue - The stereotype of the "dumb{gap}jock" has never sounded right to Charles Hillman. A jock '
    "himself, he {plays} times a week, but when he isn't body-checking his opponents on the ice, he's giving his mind "
    "a comparable workout in his neuroscience and kinesiology lab at the University of {place}. Nearly every semester "
    "in his classroom, he says, students on the women's cross-country team set the curve on his exams. So recently he "
    "started wondering if there was a vital and overlooked link between brawn and brains—if long hours at the gym "
    "could somehow build up not just muscles, but minds."
)
FIRST = BEFORE.format(gap=" ", plays="plays hockey four", place="Illinois")
SECOND = BEFORE.format(gap=" ", plays="used to play hockey five", place="Florida")


def as_the_document_read_it(text: str) -> tuple[int, int, int]:
    """Sum, count and distinct symbols: bytes of Windows-1252 as signed numbers, and -1 for the end of the file."""
    symbols = [*np.frombuffer(text.encode("cp1252"), dtype=np.int8).tolist(), -1]
    return sum(symbols), len(symbols), len({symbol for symbol in symbols if symbol >= 0})


@pytest.mark.parametrize(
    ("text", "total", "count", "printed"),
    [(FIRST, 56652, 619, "1317.488403"), (SECOND, 57113, 625, "1328.209351")],
    ids=["before", "after"],
)
def test_the_published_examples(text: str, total: int, count: int, printed: str) -> None:
    assert as_the_document_read_it(text) == (total, count, 43)
    symbols = Counter([*np.frombuffer(text.encode("cp1252"), dtype=np.int8).tolist(), -1])
    code = code_of(symbols, 43)
    assert code == total / 43
    assert f"{np.float32(code):.6f}" == printed  # it counted in single precision


def test_the_two_versions_have_codes_apart_as_code_points_too() -> None:
    assert text_code(FIRST) != text_code(SECOND)


def test_by_hand() -> None:
    assert text_code("aab") == (97 + 97 + 98) / 2
    assert text_code("") == 0.0


@given(st.text(max_size=60), st.randoms(use_true_random=False))
def test_a_permutation_keeps_its_code_and_loses_its_digest(text: str, random: Random) -> None:
    letters = list(text)
    random.shuffle(letters)
    shuffled = "".join(letters)
    assert text_code(shuffled) == text_code(text)
    assert (text_digest(shuffled) == text_digest(text)) == (shuffled == text)


def test_one_blank_changes_the_code() -> None:
    assert text_code("two words") != text_code("two  words")


def test_sketches_tell_how_much_is_shared() -> None:
    words = [f"word{number}" for number in range(2000)]
    half = words[:1000] + [f"other{number}" for number in range(1000)]
    assert difference(sketch(" ".join(words)), sketch(" ".join(reversed(words)))) == 0
    assert difference(sketch(" ".join(words)), sketch(" ".join(half))) == pytest.approx(2 / 3, abs=0.17)
    assert difference(sketch("a b c"), sketch("a b d")) == pytest.approx(1 - 2 / 4)
    assert difference(sketch("the the"), sketch("the")) == 0.5
    assert difference(sketch(""), sketch("")) == 0
    assert difference(sketch(""), sketch("a")) == 1


@given(st.text(max_size=40), st.text(max_size=40))
def test_differences_are_symmetric_and_between_0_and_1(one: str, other: str) -> None:
    there, back = difference(sketch(one), sketch(other)), difference(sketch(other), sketch(one))
    assert there == back
    assert 0 <= there <= 1
