"""The features of links that stay, worked out by hand."""

from __future__ import annotations

from math import exp

import pytest

from scenthound.learn.ranking.own_features import COLUMNS, DENSE, STEEPNESS, OwnFeatures
from scenthound.learn.ranking.waiting_features import PRIOR
from scenthound.model import Block, Link, Page
from scenthound.ontology.kinds import Kinds
from scenthound.text.analysis import analyzer

KEYWORDS = {"graduat": 0.75, "student": 0.25}
HERE = "http://a.test/cs/people.html"


def features(page: Page, links: tuple[Link, ...], depth: int = 1, led: float = 0.0) -> list[dict[str, float]]:
    own = OwnFeatures("en", KEYWORDS)
    rows = own(page, links, own.read(links), depth, led).tolist()
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def test_the_strategy_weighs_the_columns_in_their_order() -> None:
    assert tuple(PRIOR)[: len(COLUMNS)] == COLUMNS


def test_each_place_is_read_for_itself() -> None:
    link = Link("http://a.test/students/ada", source=HERE, anchor="Ada", context="Ada, a graduate student", block=0)
    page = Page(HERE, title="People", links=(link,), blocks=(Block("Students", 2, "Ada, a graduate student of logic"),))
    (found,) = features(page, (link,), depth=5)
    assert found["anchor"] == 0.0
    assert found["context"] == 1.0
    assert found["heading"] == found["address"] == 0.25
    assert found["address alone"] == pytest.approx(0.25 / 2**0.5)
    assert (found["short address"], found["another folder"], found["near"]) == (-2.0, 1.0, -3.0)


@pytest.mark.parametrize(("text", "density"), [("Ada Grace", 1.0), ("Ada Grace" + " and" * 18, 0.1)])
def test_what_links_inherit_depends_on_how_much_of_a_list_their_block_is(text: str, density: float) -> None:
    links = tuple(Link(f"http://a.test/{name}", source=HERE, anchor=name) for name in ("Ada", "Grace"))
    page = Page(HERE, title="Students", links=links, blocks=(Block("Graduates", 2, text),))
    ada, grace = features(page, links, led=0.25)
    likeness = 1 / (1 + exp(-STEEPNESS * (density - DENSE)))
    assert ada["inherited"] == grace["inherited"] == pytest.approx((0.25 + 0.25 + 0.75) / 3 * likeness, rel=1e-5)


def test_an_anchor_may_name_a_kind_of_the_topic_on_whatever_page_it_stands() -> None:
    links = tuple(Link(f"http://a.test/{name}", source=HERE, anchor=name) for name in ("Freshmen", "Ada"))
    own = OwnFeatures("en", KEYWORDS, Kinds({("freshmen",): 0.5}))
    rows = own(Page(HERE, links=links, terms={"nothing": 1}), links, own.read(links), 1, 0.0)
    assert rows[:, COLUMNS.index("kind")].tolist() == [0.5, 0.0]


@pytest.mark.parametrize(("of_people", "expected"), [(True, [1.0, 1.0, 0.0]), (False, [0.0, 0.0, 0.0])])
def test_where_people_are_wanted_neither_they_nor_a_list_of_them_are_parts_of_a_page(
    of_people: bool, expected: list[float]
) -> None:
    links = tuple(Link(f"http://a.test/cs/{n}", anchor=name) for n, name in enumerate(("Students", "Hai Zhou", "News")))
    own = OwnFeatures("en", KEYWORDS, of_people=of_people)
    rows = own(Page(HERE, links=links, terms={"student": 1}), links, own.read(links), 1, 0.0)
    assert rows[:, COLUMNS.index("another folder")].tolist() == expected


def test_where_people_are_wanted_names_count_like_kinds_and_the_better_of_both() -> None:
    links = tuple(Link(f"http://a.test/{name}", anchor=name) for name in ("Freshmen", "Hai Zhou", "Ada"))
    page = Page(HERE, links=links, terms={"nothing": 1})
    for of_people, expected in ((True, [0.25, 0.5, 0.0]), (False, [0.25, 0.0, 0.0])):
        own = OwnFeatures("en", KEYWORDS, Kinds({("freshmen",): 0.25}), of_people=of_people)
        rows = own(page, links, own.read(links), 1, 0.0)
        assert rows[:, COLUMNS.index("kind")].tolist() == expected


def test_it_is_said_what_a_link_has_its_kind_from() -> None:
    own = OwnFeatures("en", KEYWORDS, Kinds({("freshmen",): 0.25}), of_people=True)
    assert own.kind_in_words("Freshmen", 0.25) == "its text names a kind of what the topic is about"
    assert own.kind_in_words("Hai Zhou", 0.5) == "its text is somebody's name"
    assert own.kind_in_words("People", 0.5) == "its text says where people are listed"
    assert own.kind_in_words("Mark Hill", 1.0) == "it stands in a list of people's names"
    plain = OwnFeatures("en", KEYWORDS, Kinds({}))
    assert plain.kind_in_words("Hai Zhou", 0.0) == "its text names a kind of what the topic is about"


def test_blocks_beyond_the_last_count_as_the_last_and_a_page_may_have_none() -> None:
    link = Link("http://a.test/x", source=HERE, anchor="student", block=7)
    one = Page(HERE, links=(link,), blocks=(Block("Students", 2, "student"),))
    assert features(one, (link,))[0]["heading"] == 0.25
    assert features(Page(HERE, links=(link,), text="student"), (link,))[0]["heading"] == 0.0
    assert features(one, ()) == []


def test_of_a_link_met_before_only_what_the_page_says_is_told_anew() -> None:
    links = tuple(Link(f"http://a.test/student/{name}", source=HERE, anchor=name, context=name) for name in "ab")
    own = OwnFeatures("en", KEYWORDS)
    page = Page(HERE, title="Students", links=links)
    whole, some = (own(page, links, own.read(links), 1, 0.0, met) for met in (frozenset[int](), frozenset({1})))
    columns = [COLUMNS.index(name) for name in ("address", "address alone", "short address")]
    assert some[1, columns].tolist() == [-float("inf")] * 3
    some[1, columns] = whole[1, columns]
    assert some.tolist() == whole.tolist()


@pytest.mark.parametrize("text", ["Ada, a graduate student", "Ada, a logician"])
def test_a_page_that_never_names_the_topic_is_known_by_its_terms(text: str) -> None:
    links = (
        Link("http://a.test/ada", source=HERE, anchor="Ada", context=text),
        Link("http://a.test/student.gif", source=HERE, title="a student"),  # not to be seen on the page
    )
    parts = {"title": "People", "links": links, "blocks": (Block("People", 2, text),), "language": "en"}
    terms = analyzer("en").counts(f"People {text}")
    assert features(Page(HERE, terms=terms, **parts), links, led=0.5) == features(Page(HERE, **parts), links, led=0.5)
