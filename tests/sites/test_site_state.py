from __future__ import annotations

import pytest

from scenthound.config import SitesSection
from scenthound.sites.posterior import Posterior
from scenthound.sites.site_state import SiteState, clarity


def site(p_err: float = 0.0, prior: float = 0.5) -> SiteState:
    return SiteState("a.test", 0, Posterior(prior, p_err))


def left(looked_at: SiteState, rules: SitesSection, starving: bool = False) -> str:
    looked_at.leave(rules, starving)
    return looked_at.left


def test_clarity_is_the_variance_of_both_confidences() -> None:
    assert clarity(0.5) == 0.0
    assert clarity(0.9) == pytest.approx(0.16)
    assert clarity(0.1) == pytest.approx(0.16)


def test_a_site_is_decided_by_the_page_that_reaches_the_threshold() -> None:
    rules = SitesSection(p_threshold=0.9)
    looked_at = site()
    assert not looked_at.visit("u", 0.8, 0, rules)  # odds 4: 0.8
    assert looked_at.visit("v", 0.8, 0, rules)  # odds 16: 0.94
    assert looked_at.decided_after == 2
    assert looked_at.probability == pytest.approx(16 / 17)


def test_pages_after_the_decision_change_nothing() -> None:
    rules = SitesSection(p_threshold=0.7)
    looked_at = site()
    looked_at.visit("u", 0.8, 0, rules)
    assert not looked_at.visit("v", 0.01, 0, rules)
    assert looked_at.probability == pytest.approx(0.8)
    assert len(looked_at.pages) == 2


def test_a_decided_site_is_over_when_its_link_rank_is_reached() -> None:
    rules = SitesSection(p_threshold=0.7, l_threshold=10.0, c=1.0)
    looked_at = site()
    looked_at.visit("u", 0.8, 4, rules)  # (0.8 * 4 + 1) / 0.8 = 5.25
    assert looked_at.link_rank == pytest.approx(5.25)
    assert left(looked_at, rules) == ""
    looked_at.visit("v", 0.5, 6, rules)  # + (0.5 * 6 + 1) / 0.8 = 5
    assert left(looked_at, rules) == "site done: relevant by 1 page, 2 seen"


def test_without_another_site_to_go_on_to_a_site_is_not_left() -> None:
    rules = SitesSection(p_threshold=0.7, l_threshold=1.0, site_pages=2)
    looked_at = site()
    looked_at.visit("u", 0.8, 4, rules)
    assert left(looked_at, rules, starving=True) == ""
    looked_at.visit("v", 0.8, 4, rules)
    assert left(looked_at, rules, starving=True).startswith("site limit")


def test_a_site_is_left_once() -> None:
    rules = SitesSection(p_threshold=0.7, l_threshold=1.0)
    looked_at = site()
    looked_at.visit("u", 0.8, 4, rules)
    reason = left(looked_at, rules)
    looked_at.visit("v", 0.8, 4, rules)
    assert left(looked_at, rules, starving=True) == reason != ""


def test_an_irrelevant_site_is_over_at_once() -> None:
    rules = SitesSection(p_threshold=0.9, l_threshold=20.0)
    looked_at = site()
    looked_at.visit("u", 0.04, 0, rules)  # 1 / 0.04 = 25
    assert left(looked_at, rules).startswith("site done: not relevant")


def test_an_undecided_site_is_not_over_however_many_links_it_has() -> None:
    rules = SitesSection(p_threshold=0.9, site_pages=3)
    looked_at = site(p_err=0.5)
    looked_at.visit("u", 1.0, 500, rules)
    assert looked_at.link_rank > rules.l_threshold
    assert left(looked_at, rules) == ""


def test_the_limit_counts_requests_that_brought_nothing_too() -> None:
    rules = SitesSection(site_pages=3)
    looked_at = site(p_err=0.5)
    looked_at.visit("u", 0.5, 0, rules)
    looked_at.missed = 2
    assert left(looked_at, rules) == "site limit: 3 requests to one site"


def test_a_site_without_a_page_is_not_relevant() -> None:
    bare = SiteState("a.test", 0)
    assert (bare.probability, bare.relevant, left(bare, SitesSection())) == (0.0, False, "")


def test_the_strongest_pages_speak_for_the_verdict() -> None:
    rules, good, bad = SitesSection(p_threshold=1.0), site(), site()
    for name, value in (("a", 0.6), ("b", 0.9), ("c", 0.7)):
        good.visit(name, value, 0, rules)
        bad.visit(name, value - 0.55, 0, rules)
    assert [seen.url for seen in good.strongest(2)] == ["b", "c"]
    assert [seen.url for seen in bad.strongest(2)] == ["a", "c"]


def test_a_label_says_what_a_site_is_and_its_pages_how_long_it_is_looked_at() -> None:
    rules = SitesSection(p_threshold=0.8, l_threshold=0.0)
    labelled, plain = (SiteState("a.test", 0, Posterior(0.5, 0.1), label=label) for label in (False, None))
    for site in (labelled, plain):
        assert site.visit("http://a.test/", 0.99, 0, rules)
        site.leave(rules)
    assert (labelled.relevant, labelled.confidence, labelled.decided) == (False, 0.0, True)
    assert (plain.relevant, plain.confidence, plain.decided) == (True, plain.probability, True)
    assert (labelled.probability, labelled.link_rank, labelled.left) == (plain.probability, plain.link_rank, plain.left)
    assert SiteState("b.test", 1, label=True).relevant
    assert not SiteState("b.test", 1).decided
