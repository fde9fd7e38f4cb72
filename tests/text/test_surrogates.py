import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.surrogates import encodable

TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)  # no halves of surrogate pairs


@given(TEXTS | st.lists(TEXTS) | st.tuples(TEXTS, st.integers()) | st.dictionaries(TEXTS, TEXTS) | st.none())
def test_what_can_be_encoded_stays_as_it_is(value: object) -> None:
    assert encodable(value) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("half \ud800", "half ?"),
        (["\udcff", 1, b"\xff"], ["?", 1, b"\xff"]),
        (("é", ("\ud800",)), ("é", ("?",))),
        ({"\ud800": ["\udc00"]}, {"?": ["?"]}),
    ],
)
def test_halves_become_question_marks(value: object, expected: object) -> None:
    assert encodable(value) == expected
