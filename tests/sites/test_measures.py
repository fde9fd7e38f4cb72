from __future__ import annotations

from math import inf

import pytest

from scenthound.sites.measures import (
    SiteFinds,
    SiteLook,
    accuracy,
    found_at,
    found_curve,
    harvest,
    pages_per_site,
    pprs,
    pprs_curve,
)


def log(text: str) -> list[SiteLook]:
    """`a+ b- a-`: a page of each site, and what is then thought of it."""
    return [SiteLook(word[:-1], word.endswith("+")) for word in text.split()]


CRAWL = log("a- a+ b- c+ c- b- d+ c+")


def test_a_site_is_found_where_it_stays_found() -> None:
    assert found_at(CRAWL) == {"a": 2, "d": 7, "c": 8}
    assert found_at(CRAWL, truth={"a", "c"}) == {"a": 2, "c": 8}
    assert found_curve(CRAWL) == [0, 0, 1, 1, 1, 1, 1, 2, 3]


def test_pages_per_relevant_site() -> None:
    assert pprs(CRAWL) == pytest.approx(8 / 3)
    assert pprs(log("a- b-")) == inf
    assert pprs_curve(CRAWL, window=2) == [2.0, 2.0, 2.0, 4.0, 4.0, 4.0, 2.0, 1.0]


def test_the_rate_while_a_crawl_goes_on() -> None:
    """The last window of three pages: a find, none, a find taken back."""
    finds, rates = SiteFinds(window=3), []
    for look in log("a- a+ b- c+ c- b- d+ c+"):
        finds.add(look.site, look.relevant)
        rates.append(finds.rate())
    assert rates == [0.0, 0.0, 3.0, 1.5, 6.0, 6.0, 6.0, 1.5]
    assert finds.relevant == {"a", "c", "d"}


def test_shares() -> None:
    assert harvest(CRAWL) == pytest.approx(3 / 4)
    assert pages_per_site(CRAWL) == 2.0
    assert (harvest([]), pages_per_site([]), found_curve([])) == (0.0, 0.0, [0])


def test_accuracy_against_the_truth() -> None:
    told = accuracy(CRAWL, truth={"a", "b", "c", "never-seen"})
    assert told.precision == pytest.approx(2 / 3)
    assert told.recall == pytest.approx(2 / 3)
    assert told.reach == pytest.approx(2 / 4)
    assert told.f == pytest.approx(2 / 3)
