from hypothesis import given
from hypothesis import strategies as st

from scenthound.library.search_words import wanted
from scenthound.library.snippets import snippet
from scenthound.protocols.records import Snippet


def marked(made: Snippet) -> list[str]:
    return [made.text[start:end] for start, end in made.marks]


def of(text: str, *words: str, language: str = "en") -> Snippet:
    query = wanted(words, [language])
    return snippet(text, query.terms, query.words, language)


def test_every_form_of_a_word_is_marked() -> None:
    made = of("An Otter and two otters; the otter's river is no otterhound.", "otters", "river")
    assert marked(made) == ["Otter", "otters", "otter", "river"]
    assert made.text.startswith("An Otter")


def test_the_window_with_most_different_words_is_chosen() -> None:
    filler = "nothing to see here " * 40
    made = of(f"{filler} otter otter otter {filler} an otter in a river {filler}", "otter", "river")
    assert marked(made) == ["otter", "river"]
    assert made.text.startswith("… ")
    assert made.text.endswith(" …")
    assert len(made.text) < 260


def test_no_word_in_the_text() -> None:
    made = of("words " * 100, "otter")
    assert made.marks == ()
    assert made.text.startswith("words words")


def test_scripts_without_blanks() -> None:
    assert marked(of("今天天气很好我们去动物园看水獭吧", "动物园", language="zh")) == ["动物园"]


def test_other_scripts_and_languages() -> None:
    assert marked(of("ऊदबिलाव नदियों में रहते हैं।", "नदियों", language="hi")) == ["नदियों"]
    assert marked(of("Выдры живут в реках.", "выдра", language="ru")) == ["Выдры"]
    assert marked(of("Die Häuser am Fluss", "Haus", language="de")) == ["Häuser"]


@given(st.text(max_size=600), st.text(alphabet='abc otter-"é水', min_size=1, max_size=12))
def test_marks_lie_inside_and_nothing_raises(text: str, word: str) -> None:
    made = snippet(text, frozenset({word.lower(), "otter"}), (word,), "en", width=60)
    assert all(0 <= start < end <= len(made.text) for start, end in made.marks)
    assert "\n" not in made.text
