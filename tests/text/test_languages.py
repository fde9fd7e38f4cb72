from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.languages import ALGORITHMS, UNKNOWN, code, name


def test_codes() -> None:
    assert code("pt-BR") == code("por") == "pt"
    assert code("nb") == code("nn_NO") == "no"
    assert code("hr") == "sr"
    assert code("ja") == UNKNOWN


@given(st.text())
def test_there_are_only_so_many(language: str) -> None:
    assert code(language) in {*ALGORITHMS, UNKNOWN}


def test_languages_have_names() -> None:
    assert [name(language) for language in ("en", "de-AT", "nb", "ja")] == ["English", "German", "Norwegian", "ja"]
