from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.lab.sites.site_crawls import SiteTask
from scenthound.lab.sites.site_experiment import (
    SiteExperiment,
    contestants,
    labelled_classes,
    row_of,
    run_site_experiment,
    summary,
)
from scenthound.sites.measures import SiteLook

NOBODY = SiteTask("x", ("http://known.test/",), frozenset({"a", "d"}), 8, None, None, None)  # type: ignore[arg-type]


def test_figures_of_a_crawl_by_hand() -> None:
    """Eight pages of four sites; a and d are relevant and found at pages 2 and 7, c is held relevant and is not."""
    log = [SiteLook(word[:-1], word.endswith("+")) for word in ["a-", "a+", "b-", "c+", "c+", "b-", "d+", "c+"]]
    row = row_of("web", NOBODY, "website", log)
    assert row.final["pprs-rate"] == row.final["pprs-rate-window"] == pytest.approx(8 / 2)
    assert row.final["website-harvest-rate"] == pytest.approx(2 / 4)
    assert row.final["precision"] == pytest.approx(2 / 3)
    assert row.final["recall"] == 1.0
    assert row.final["f"] == pytest.approx(0.8)
    assert (row.final["pages-a-site"], row.final["found"], row.sites) == (2.0, 2.0, 4)


def test_every_measure_of_the_document_is_within_reach() -> None:
    rows = run_site_experiment(SiteExperiment(generated=80, pages=40, only=["orchids"]))
    found = summary(rows)
    assert list(found) == ["website(p_threshold=0.9)", "website(p_threshold=0.7)", "homepage", "page"]
    for figures in found.values():
        assert {"pprs-rate", "pprs-rate-window", "website-harvest-rate", "f"} <= figures.keys()
    assert all(row.code and len(row.positions) for row in rows)


def test_contestants_are_spelt_like_strategies() -> None:
    [site, page] = contestants(["website(weight=local, p_threshold=0.8)", "page(site_pages=7)"])
    assert (site.kind, site.sites.weight, site.sites.p_threshold, site.sites.active) == ("website", "local", 0.8, 1)
    assert (page.kind, page.sites.site_pages) == ("page", 7)
    with pytest.raises(ConfigError, match="no crawler for sites called 'host'"):
        contestants(["host"])
    with pytest.raises(ConfigError, match="no setting 'patience'"):
        contestants(["page(patience=3)"])


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Say on which web"):
        run_site_experiment(SiteExperiment())
    with pytest.raises(ConfigError, match="Say which sites are which"):
        list(labelled_classes(SiteExperiment(web=[str(tmp_path)])))
    with pytest.raises(ConfigError, match="no class of sites called 'ships'"):
        list(labelled_classes(SiteExperiment(generated=80, only=["ships"])))
