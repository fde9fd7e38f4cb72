from scenthound.text import stopwords
from scenthound.text.analysis import analyzer


def test_function_words_are_stop_words() -> None:
    assert {"the", "of", "and", "is"} <= stopwords.of("en")
    assert {"der", "die", "und", "ist"} <= stopwords.of("de")
    assert {"le", "et", "que", "est"} <= stopwords.of("fr")


def test_what_apostrophes_leave_over() -> None:
    assert analyzer("en").terms("don't we'll they've isn’t I'm she'd") == []


def test_nothing_is_known_of_klingon() -> None:
    assert stopwords.of("tlh") == frozenset()
