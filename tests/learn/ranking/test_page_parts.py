"""Which links lead to parts of a page."""

from __future__ import annotations

import pytest

from scenthound.learn.ranking.page_parts import lead_out

SITE = "http://a.test"


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/cs110/home.html", "/cs110/week1.html"),
        ("/cs110/home.html", "/cs110/"),
        ("/courses/cs110.html", "/courses/cs110/week1.html"),
        ("/courses/cs110.html", "/courses/cs110/notes/week1.html"),
        ("/cs110/", "/cs110/notes/week1.html"),
        ("/people/ada", "/people/ada/papers.html"),
        ("/cs110/home.html", "/cs110/week1.html?print=/yes"),
    ],
)
def test_a_part(page: str, link: str) -> None:
    assert lead_out(SITE + page, [SITE + link]) == [False]


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/", "/about.html"),
        ("/about.html", "/cs110/home.html"),
        ("/cs110.html", "/cs110/week1.html"),  # at the root of a site nothing is told by folders
        ("/people/students.html", "/people/ada/home.html"),
        ("/people/ada/home.html", "/people/"),
        ("/people/ada/home.html", "/people/students.html"),
        ("/people/ada", "/people/adam/home.html"),
    ],
)
def test_a_page_of_its_own(page: str, link: str) -> None:
    assert lead_out(SITE + page, [SITE + link]) == [True]


def test_other_hosts_and_schemes() -> None:
    links = ["http://b.test/cs110/week1.html", "https://a.test/cs110/week1.html", "http://b.test/"]
    assert lead_out("http://a.test/cs110/home.html", links) == [True, False, True]


def test_a_page_with_few_links_to_its_folder_has_no_parts() -> None:
    page, other, own = "http://a.test/b/birds.html", "http://a.test/c/cats.html", "http://a.test/b/bees.html"
    assert lead_out(page, [own, other, other, other]) == [False, True, True, True]
    assert lead_out(page, [own, other, other, other, other]) == [True] * 5


def test_no_links() -> None:
    assert lead_out("http://a.test/cs110/home.html", []) == lead_out("http://a.test", []) == []


def test_a_part_may_be_linked_to_by_the_other_scheme() -> None:
    assert lead_out("http://a.test/cs110/home.html", ["https://a.test/cs110/week1.html"]) == [False]
