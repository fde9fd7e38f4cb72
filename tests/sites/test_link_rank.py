from __future__ import annotations

import pytest

from scenthound.sites.link_rank import link_rank, link_weight


def test_a_page_adds_its_links_by_its_confidence_and_a_constant() -> None:
    assert link_weight(0.8, 5, c=1.0) == pytest.approx(5.0)  # 0.8 * 5 + 1
    assert link_weight(0.3, 5, c=2.0) == pytest.approx(3.5)
    assert link_weight(0.9, 0) == 1.0


def test_the_rank_grows_faster_where_the_site_is_less_likely_relevant() -> None:
    weights = link_weight(0.8, 5) + link_weight(0.6, 10)  # 5 + 7
    assert link_rank(weights, 0.8) == pytest.approx(15.0)
    assert link_rank(weights, 0.1) == pytest.approx(120.0)


def test_a_posterior_of_nought_is_no_division_by_nought() -> None:
    assert link_rank(1.0, 0.0) > 1e6
