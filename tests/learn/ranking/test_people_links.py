"""Names of people among the texts of links, and lists of them; values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.ranking.people_links import FEWEST, PeopleLinks
from scenthound.model import Link

PEOPLE = PeopleLinks("en")


def links(*anchors: str, block: int = 0) -> list[Link]:
    return [Link(f"http://a.test/{number}", anchor=anchor, block=block) for number, anchor in enumerate(anchors)]


@pytest.mark.parametrize(
    "text",
    ["Hai Zhou", "Posnak, Ed", "Prof. Raymond J. Mooney", "Ludwig van der Rohe-Kuipers", "ZHU QING", "Babak Falsafi"],
)
def test_names_are_words_with_capitals_of_which_one_is_rare(text: str) -> None:
    assert PEOPLE.is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "Graduate Students",
        "UTCS Faculty",  # an abbreviation, and a word
        "Zhou",  # one word may be anything
        "Mark Hill",  # both are words
        "hai zhou",
        "Hai Zhou 1996",
        "Hai Zhou wrote this",
        "Hai Zhou Ed Posnak Babak Falsafi",  # more than one
        "Hai Zhou" + " " * 60,
        "",
    ],
)
def test_other_texts_are_none(text: str) -> None:
    assert not PEOPLE.is_name(text)


def test_a_name_alone_counts_half_and_so_does_where_people_are_listed() -> None:
    shown = links("Hai Zhou", "People in the department", "Who's who", "Research", "")
    assert PEOPLE(shown, shown) == [0.5, 0.5, 0.5, 0.0, 0.0]


def test_in_a_list_of_names_all_count_that_might_be_some() -> None:
    names = links("Hai Zhou", "Ed Posnak", "Mark Hill", "Jim Wood", "zhou@a.test", block=1)
    others = links("Ed Posnak", "Mark Hill", "Teaching", "Papers", "Courses", block=2)
    assert len(names) == len(others) == FEWEST
    assert PEOPLE([*names, *others], [*names, *others]) == [1.0, 1.0, 1.0, 1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]
    assert PEOPLE(names[:4], names[:4]) == [0.5, 0.5, 0.0, 0.0]  # too few to be a list


def test_of_some_links_the_whole_list_decides() -> None:
    names = links("Hai Zhou", "Ed Posnak", "Mark Hill", "Jim Wood", "Ann Lee")
    assert PEOPLE(names, names[2:3]) == [1.0]
    assert PEOPLE([], names[2:3]) == [0.0]


def test_where_nothing_is_known_of_a_language_no_name_is_found() -> None:
    unknown = PeopleLinks("xx")
    assert not unknown.is_name("Hai Zhou")


@given(st.text())
def test_any_text_is_answered(text: str) -> None:
    assert PEOPLE(links(text), links(text))[0] in {0.0, 0.5}
