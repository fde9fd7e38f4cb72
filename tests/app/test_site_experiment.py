from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.site_experiment import LINES, plan_site_experiment, run_and_keep, site_figures, site_table
from scenthound.errors import UsageError


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
