import random
import re
import unicodedata
from collections.abc import Iterable
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.text import analysis
from scenthound.text.analysis import Analyzer, analyzer
from scenthound.text.languages import ALGORITHMS
from tests.counting import calls_of


def test_english_words_are_lower_case_without_stop_words_and_stemmed() -> None:
    text = "The mosquitoes are spreading; Mosquito-borne relational diseases, however, don't."
    assert analyzer("en").terms(text) == ["mosquito", "spread", "mosquito", "born", "relat", "diseas"]


@pytest.mark.parametrize(("word", "stem"), [("caresses", "caress"), ("ponies", "poni"), ("generalizations", "gener")])
def test_english_is_porter_proper(word: str, stem: str) -> None:
    assert analyzer("en").terms(word) == [stem]


def test_porter_not_its_successor() -> None:
    # Snowball's "english" makes "news" of it, Porter's of 1980 "new".
    assert analyzer("en").terms("news") == ["new"]


def test_counts() -> None:
    assert analyzer("en").counts("Fever, fevers and FEVER: a cold") == {"fever": 3, "cold": 1}


@pytest.mark.parametrize("language", ["en", "en-GB", "EN", "en_us", "eng", "", " en "])
def test_ways_to_say_english(language: str) -> None:
    assert analyzer(language) is analyzer("en")


def test_unknown_languages_share_one_analyzer_without_stems_and_stop_words() -> None:
    assert analyzer("xx").terms("The Running of") == ["the", "running", "of"]
    assert analyzer("tlh-Latn") is analyzer("xx")


def test_other_languages_have_their_own_stems_and_stop_words() -> None:
    assert analyzer("de").terms("Die Häuser und das Haus") == ["haus", "haus"]
    assert analyzer("fr").terms("l'homme et les chevaux") == ["homm", "cheval"]


@pytest.mark.parametrize("language", sorted(ALGORITHMS))
def test_every_listed_language_has_a_stemmer(language: str) -> None:
    assert analyzer(language).language == language
    assert analyzer(language).counts("zebra zebra") != {}


def test_numbers() -> None:
    assert analyzer("en").terms("5 747 1997 27001 123456 x86") == ["747", "1997", "27001", "x86"]


def test_long_words_are_dropped() -> None:
    assert analyzer("xx").terms("a" * 40 + " " + "b" * 41) == ["a" * 40]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("STRASSE", "straße"),
        ("re\u0301sume\u0301", "résumé"),
        ("\ufb01sh", "fish"),  # the ligature fi
        ("\uff26\uff49\uff53\uff48", "fish"),  # full width
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("hy\xadphen", "hyphen"),
        ("İzmir", "izmir"),
    ],
)
def test_spellings_that_only_look_different(one: str, other: str) -> None:
    assert analyzer("xx").terms(one) == analyzer("xx").terms(other) != []


def test_turkish_has_two_letters_i() -> None:
    assert analyzer("tr").terms("IŞIK") == analyzer("tr").terms("ışık") != analyzer("tr").terms("işik")


def test_vowel_signs_do_not_cut_words() -> None:
    assert analyzer("xx").terms("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


def test_scripts_without_spaces_give_pieces() -> None:
    assert analyzer("ja").terms("東京都 Python入門 東") == ["東京", "京都", "python", "入門", "東"]
    assert analyzer("zh").counts("人人人") == {"人人": 2}
    assert analyzer("th").terms("กขคง") == ["กขค", "ขคง"]


def test_underscores_part_words() -> None:
    assert analyzer("en").terms("dengue_fever d\xe9ngue_fever") == ["dengu", "fever", "déngue", "fever"]


@given(
    st.text(
        st.one_of(st.characters(codec="latin-1", exclude_characters="\xad"), st.sampled_from("—“”’…¶·Šžαβ Ωжя")),
        max_size=60,
    )
)
def test_words_are_runs_of_letters_and_digits(text: str) -> None:
    words = re.findall(r"[^\W_]+", text.lower())
    made = Analyzer("xx", None, frozenset())
    assert made.terms(text) == [term for term in map(made._term_of, words) if term]


def test_many_kinds_of_separators() -> None:
    arrows = [chr(code) for code in range(0x2190, 0x2200)]
    assert analyzer("xx").terms("".join(f"Word{arrow}" for arrow in arrows)) == ["word"] * len(arrows)


def test_memory_is_bounded_and_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "REMEMBERED", 50)
    made = Analyzer("en", analysis.stemmer("porter"), frozenset({"the"}))
    remembered = made._term_of.__self__  # type: ignore[attr-defined]
    for i in range(1000):
        assert made.terms(f"the runners{i}x running {'y' * 60}") == [f"runners{i}x", "run"]
        assert len(remembered) <= 50


@settings(deadline=None)
@given(st.text())
def test_any_text_in_any_language(text: str) -> None:
    for language in ("en", "de", "ar", "tr", "zh", ""):
        made = analyzer(language)
        terms = made.terms(text)
        counts = made.counts(text)
        assert all(terms)
        assert sum(counts.values()) == len(terms)
        assert set(counts) == set(terms)
        assert list(counts) == list(dict.fromkeys(terms))


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="ascii")))
def test_case_makes_no_difference(text: str) -> None:
    assert analyzer("en").terms(text.upper()) == analyzer("en").terms(text.lower())


def test_lone_surrogates() -> None:
    assert analyzer("en").terms("\ud800 fever \udfff") == ["fever"]


def test_words_as_they_stand() -> None:
    english = analyzer("en")
    assert english.words("The Mosquitoes of São-Tomé, vitamin C") == [
        "the",
        "mosquitoes",
        "of",
        "são",
        "tomé",
        "vitamin",
        "c",
    ]
    assert [english.term(word) for word in ("mosquitoes", "the", "c", "123456")] == ["mosquito", "", "", ""]
    assert analyzer("zh").words("登革热") == ["登革", "革热"]


WORDS = [
    "Plain",
    " words,",
    " x_y ",
    "'s",
    " ",
    "\t",
    "\x1f",
    "\x85",
    "\xa0",
    "\xad",
    "\xb4",
    "\xbd",
    "\u0130",
    "\u0301",
]
WORDS += [
    "e\u0301",
    "\u03a3",
    "\u0e44\u0e17",
    "\u1e9e",
    "\u200d",
    "\u2028",
    "\u3000",
    "\u4e2d\u6587",
    "\ud800",
    "\ufb01",
    "\uff21",
]


@settings(deadline=None)
@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=5)), max_size=12).map("".join))
def test_ascii_among_intricate_words_goes_the_short_way_to_the_same_end(text: str) -> None:
    short_way, long_way = analysis._intricate_words(text), analysis._words_and_pieces(analysis.plain(text))
    assert flat(short_way) == flat(long_way)


def flat(found: Iterable[tuple[Iterable[str], bool]]) -> list[tuple[str, bool]]:
    return [(word, pieces) for words, pieces in found for word in words]


# Long texts


ALPHABETS = {
    "chinese": [chr(0x4E00 + number) for number in range(20_000)],
    "korean": [chr(0xAC00 + number) for number in range(11_000)],
    "thai": [chr(0x0E01 + number) for number in range(46)],
    "marks": ["\u0301", "\u0327", "\u0323", "\uff9e", "\u200d"],
}


def unspaced(script: str, length: int) -> str:
    """Text without a space in it, whose characters follow each other in no order."""
    letters = ALPHABETS[script]
    return "".join(random.Random(length).choices(letters, k=length))


@pytest.mark.parametrize("script", ["chinese", "korean", "thai"])
def test_a_text_without_spaces_costs_no_work_by_its_length(script: str) -> None:
    """Each piece was looked up, made plain and remembered: fourteen calls a character where none repeats."""
    made = Analyzer("zh", None, frozenset())
    text = unspaced(script, 30_000)
    assert calls_of(lambda: made.counts(text)) < 100
    assert len(made._term_of.__self__) == 0  # type: ignore[attr-defined]


@given(st.text(st.sampled_from("漢字かな\u3099กขค한국ｶﾞab5๑ "), max_size=30), st.sampled_from(["en", "zh", "tr", "ar"]))
def test_pieces_are_terms_as_they_stand(text: str, language: str) -> None:
    made = analyzer(language)
    assert made.terms(text) == [term for word in made.words(text) if (term := made.term(word))]


def test_marks_in_a_row_are_cut_before_they_are_evened_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Putting n marks in order takes n * n steps: a page of them hung the parser for good."""
    longest = 0

    def normalize(form: str, text: str) -> str:
        nonlocal longest
        longest = max([longest, *map(len, re.findall(r"(?:[^\w\s]|[\uff9e\uff9f])+", text))])
        return unicodedata.normalize(form, text)

    monkeypatch.setattr(analysis, "unicodedata", SimpleNamespace(normalize=normalize))
    made = Analyzer("xx", None, frozenset())
    terms = made.terms(f"before a{unspaced('marks', 100_000)} after")
    assert (terms[0], terms[-1]) == ("before", "after")
    assert longest <= analysis.MARKS_IN_A_ROW
