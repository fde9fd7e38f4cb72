from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.analysis import analyzer
from scenthound.text.as_written import as_written


def test_the_spelling_there_is_most_of() -> None:
    text = "Libraries and libraries; a library has Librarians."
    assert as_written(["librari", "librarian"], text, "en") == {"librari": "libraries", "librarian": "librarians"}


def test_of_equals_the_first_in_the_alphabet() -> None:
    assert as_written(["run"], "runs running", "en") == {"run": "running"}


def test_several_words_and_words_that_are_not_there() -> None:
    text = "Dengue is spread by mosquitoes."
    assert as_written(["dengu mosquito", "fever"], text, "en") == {
        "dengu mosquito": "dengue mosquitoes",
        "fever": "fever",
    }


def test_other_languages() -> None:
    assert as_written(["bibliothek"], "Die Bibliotheken", "de") == {"bibliothek": "bibliotheken"}


@given(st.text(max_size=200), st.sampled_from(["en", "de", "zh", "xx"]))
def test_what_is_shown_leads_back_to_the_term(text: str, language: str) -> None:
    spoken = analyzer(language)
    shown = as_written(spoken.counts(text), text, language)
    assert all(spoken.term(word) == term for term, word in shown.items() if " " not in term)
