from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.site_evaluation import evaluate_folder, evaluate_web, evaluation_figures, evaluation_table
from scenthound.app.sites import SiteOptions, plan_sites
from scenthound.config import save
from scenthound.errors import UsageError
from scenthound.lab.sites.site_experiment import SiteExperiment
from scenthound.sites.cross_validation import CrossValidationSettings

QUICK = CrossValidationSettings(thresholds=(0.9,), clusters=2, training_pages=4, site_pages=4)


def test_classes_of_a_web_in_ten_folds() -> None:
    found = evaluate_web(SiteExperiment(generated=90, only=["orchids"]), QUICK)
    [trial] = found.trials
    assert (trial.name, len(trial.verdicts["0.9"])) == ("orchids", trial.sites)
    assert {"homepage", "0.9"} == set(trial.scores)
    figures = evaluation_figures(found)["orchids"]["methods"]["0.9"]
    assert 0.0 <= figures["f"]["mean"] <= 1.0
    assert "| orchids |" in evaluation_table(found)


async def test_a_folder_needs_ten_labelled_sites_of_each_kind(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("http://a.test/")
    bad.write_text("http://b.test/")
    options = CrawlOptions(seeds=["http://a.test/"], into=tmp_path / "crawl")
    plan = plan_sites("orchids", options, SiteOptions(relevant=good, other=bad))
    assert plan.keep is not None
    (tmp_path / "crawl").mkdir()
    save(plan.keep, tmp_path / "crawl" / "topic.toml")
    with pytest.raises(UsageError, match="there are 1 relevant and 1 others"):
        await evaluate_folder(tmp_path / "crawl", QUICK)
