"""How little of each start site was seen."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from scenthound.learn.ranking.start_sites import StartSites

A, B, C = "http://a.test/1", "http://b.test/1", "http://c.test/1"


def little_seen(sites: StartSites, *urls: str) -> list[float]:
    found: list[float] = sites(np.array([sites.place(url) for url in urls], np.int32)).tolist()
    return found


def crawled() -> StartSites:
    """Two start sites, of which three pages and one; and three pages of a site that nobody named."""
    sites = StartSites()
    sites.add(A, start=True)
    sites.add(B, start=True)
    for url, pages in ((A, 2), (C, 3)):
        for _ in range(pages):
            sites.add(url, start=False)
    return sites


def test_by_hand() -> None:
    # Seven pages and two start sites: 3.5 pages are usual. One that nobody named counts as seen as much.
    assert little_seen(crawled(), A, B) == pytest.approx([log(4.5 / 4), log(4.5 / 2)])
    assert little_seen(crawled(), C, "http://d.test/") == [0.0, 0.0]


def test_a_site_nobody_named_that_was_seen_more_than_usual_counts_as_it_is() -> None:
    sites = StartSites()
    sites.add(A, start=True)
    for _ in range(5):
        sites.add(C, start=False)
        sites.add(B, start=True)
    assert little_seen(sites, C) == [0.0]  # 5.5 pages are usual
    for _ in range(20):
        sites.add(C, start=False)
    assert little_seen(sites, C) == pytest.approx([log(16.5 / 26)])


def test_where_there_is_one_site_it_is_seen_as_much_as_usual_all_the_time() -> None:
    sites = StartSites()
    for number in range(5):
        sites.add(A, start=not number)
        assert little_seen(sites, A) == [0.0]


def test_one_site_and_several_are_told_alike() -> None:
    sites = crawled()
    assert sites.places([A, B, A, C]) == [sites.place(url) for url in (A, B, A, C)]
    assert [sites.of_one(sites.place(url)) for url in (A, B, C)] == pytest.approx(little_seen(sites, A, B, C))


def test_it_comes_back_as_it_was() -> None:
    sites, back = crawled(), StartSites()
    back.take_back(sites.kept())
    for each in (sites, back):
        each.add(B, start=False)
    assert little_seen(back, A, B, C) == little_seen(sites, A, B, C)


def test_where_a_start_page_redirects_to_is_a_start_site_in_its_place() -> None:
    sites = StartSites()
    sites.add(A, start=True)
    sites.move(sites.place("http://c.example/"), sites.place("http://www.example/"), start=True)
    sites.move(sites.place("http://www.example/"), sites.place(B), start=False)  # and on from there
    for _ in range(3):
        sites.add(A, start=False)
    assert little_seen(sites, B) == pytest.approx([log(3)]), "two start sites and four pages: two are usual"
    sites.move(sites.place(A), sites.place(C), start=False)
    assert little_seen(sites, C) == [0.0], "any other link leads where it leads"
    again = StartSites()
    again.take_back(sites.kept())
    assert little_seen(again, A, B, C) == little_seen(sites, A, B, C)
