from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.site_experiment import (
    LINES,
    plan_site_experiment,
    run_and_keep,
    site_cells,
    site_figures,
    site_table,
)
from scenthound.errors import UsageError
from scenthound.lab.sites.site_experiment import SHOWN, SiteRow


def test_from_words_to_results(tmp_path: Path) -> None:
    plan = plan_site_experiment({"sites": "website,page", "generated": 80, "pages": 30, "only": ["orchids"]})
    heard: list[tuple[int, int]] = []
    rows = run_and_keep(plan, tmp_path / "lab", lambda done, whole, name: heard.append((done, whole)))
    assert heard == [(1, 2), (2, 2)]
    assert len((tmp_path / "lab" / LINES).read_bytes().splitlines()) == 2
    assert site_table(rows).splitlines()[0].startswith("| crawler | pprs-rate |")
    assert list(site_figures(rows)["crawlers"]) == ["website", "page"]


def test_options_that_make_no_sense_with_sites() -> None:
    with pytest.raises(UsageError, match="--judge is about crawls for pages"):
        plan_site_experiment({"sites": "all", "generated": 80, "judge": "keywords"})


def test_no_share_is_shown_to_lie_beyond_0_and_1() -> None:
    rows = [
        SiteRow("web", task, "page", dict.fromkeys(SHOWN, value), [], {}, 3)
        for task, value in (("ferns", 0.1), ("orchids", 0.9))
    ]
    (cells,) = site_cells(rows)
    told = dict(zip(("crawler", *SHOWN), cells, strict=True))
    assert told["recall"] == told["precision"] == told["f"] == told["website-harvest-rate"] == "0.500 [0.000, 1.000]"
    assert told["found"] == "0.500 [-4.582, 5.582]", "a number of sites is no share"
    recall = site_figures(rows)["crawlers"]["page"]["recall"]
    assert (recall["low"], recall["high"]) == (0.0, 1.0)
