import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import ConfigError
from scenthound.model import Page
from scenthound.text import idf
from scenthound.text.topics import MOST_KEYWORDS, from_category, from_pages, from_texts, without_boilerplate
from scenthound.text.web_directory import Category, ListedPage

RARITY = idf.background("en")
ABOUT = (
    "Dengue fever is carried by mosquitoes. Dengue fever begins with a rash. Whoever has dengue fever should rest. "
    "The mosquito bites by day; mosquitoes breed in water. A rash is common."
)


def test_keywords_worked_by_hand() -> None:
    # Counts: wolf 3, den 2, cub 1; rarity 1 each, so tf 1, 2/3, 1/3, and shares of their sum, 2.
    got = from_texts(["Wolf den. A wolf, cub! The wolf's dens"], idf.none(), n=3)
    assert [(keyword.term, keyword.weight) for keyword in got] == [
        ("wolf", pytest.approx(1 / 2)),
        ("den", pytest.approx(1 / 3)),
        ("cub", pytest.approx(1 / 6)),
    ]


def test_phrases_are_found_and_spelt_as_people_spell_them() -> None:
    got = [keyword.term for keyword in from_pages([Page("http://a/", text=ABOUT)], RARITY, n=4)]
    assert got[0] == "dengue fever"
    assert "mosquitoes" in got or "mosquito" in got
    assert "dengue" not in got
    assert "fever" not in got


def test_rare_words_count_more_than_frequent_ones() -> None:
    terms = [keyword.term for keyword in from_texts(["time time year year tamarin"], RARITY, n=1)]
    assert terms == ["tamarin"]


def test_every_page_has_a_vote() -> None:
    texts = ["wombat " * 3 + "burrow", "wombat " * 2 + "marsupial", "unrelated " * 500]
    assert from_texts(texts, idf.none(), n=1)[0].term == "wombat"


def test_what_pages_share_word_for_word_is_left_out() -> None:
    footer = "privacy policy licence disclaimer imprint contact "
    texts = [footer + f"wombat burrow {other} " * 3 + footer for other in ("pouch", "grass", "night")]
    assert {keyword.term for keyword in from_texts(texts, idf.none(), n=9)} == {
        "wombat burrow",
        "pouch",
        "grass",
        "night",
    }
    assert without_boilerplate([list("abcdx"), list("abcdy")]) == [list("abcdx"), list("abcdy")], "two are no pattern"
    assert without_boilerplate([list("abcdx"), list("yabcd"), list("abcd")]) == [["x"], ["y"], []]


@pytest.mark.parametrize("n", [0, -1, MOST_KEYWORDS + 1])
def test_there_are_fewer_than_fifty(n: int) -> None:
    with pytest.raises(ConfigError, match="1 to 49"):
        from_texts(["x"], RARITY, n=n)


def test_no_text_no_keywords() -> None:
    assert from_texts([], RARITY) == from_texts(["", "the of and"], RARITY) == ()


@given(st.lists(st.text(max_size=200), max_size=4), st.integers(1, MOST_KEYWORDS), st.sampled_from(["en", "ru", "xx"]))
def test_any_text_gives_at_most_n_keywords_that_sum_to_one(texts: list[str], n: int, language: str) -> None:
    got = from_texts(texts, idf.none(), language, n)
    assert len(got) <= n
    assert len({keyword.term for keyword in got}) == len(got)
    assert all(keyword.weight > 0 and keyword.term for keyword in got)
    assert not got or sum(keyword.weight for keyword in got) == pytest.approx(1.0)


def test_a_directory_entry_gives_its_path_and_what_its_editors_say() -> None:
    entry = Category(
        "Top/Home/Gardening/House_Plants", "Plants kept indoors.", (ListedPage("http://a/", "Ferns", "Growing ferns"),)
    )
    got = {keyword.term: keyword.weight for keyword in from_category(entry, RARITY, n=6)}
    assert list(got)[:3] == ["Home", "Gardening", "House Plants"]
    assert [got["Home"], got["Gardening"], got["House Plants"]] == pytest.approx([0.5 / 6, 1.0 / 6, 1.5 / 6])
    assert "ferns" in got
    assert len(got) == 6
    assert sum(got.values()) == pytest.approx(1.0)


def test_a_directory_entry_without_descriptions_has_its_path() -> None:
    got = from_category(Category("Top/Home/Pets/Cats"), RARITY, n=2)
    assert [(keyword.term, keyword.weight) for keyword in got] == [
        ("Pets", pytest.approx(1 / 3)),
        ("Cats", pytest.approx(2 / 3)),
    ]
