"""Floors under the quality of strategies: what a change must not make worse without anybody noticing.

The web is made up and small, and the same for everybody: 500 pages, 2 topics, 100 pages a crawl. Crawls are
deterministic, so the floors stand a little (about a tenth) below what was measured: room for a better tokeniser or
parser that costs a page here and there, none for a broken idea. Raise them when a strategy gets better. The same on
real webs: benchmarks/quality.py.
"""

import pytest

from scenthound import registry
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.report.summary import ExperimentSummary, summarise
from scenthound.lab.run_experiment import run_experiment

FLOORS = {
    "oracle": 0.46,  # measured 0.518
    "best-first-anchor": 0.19,  # 0.220
    "best-first": 0.18,  # 0.208
    "best-n-first": 0.15,  # 0.164
    "best-first-targets": 0.13,  # 0.147
    "best-first-page": 0.10,  # 0.112
    "breadth-first": 0.03,  # 0.042: a matter of where the seeds are
}
"""Mean area under the recall curve."""


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> ExperimentSummary:
    strategies = [name for name in FLOORS if name not in ("oracle", "random")]
    plan = Experiment(strategies=list(strategies), generated=500)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
        outcome = run_experiment(plan, tmp_path_factory.mktemp("quality"))
    assert not outcome.failures
    return summarise(outcome.rows, "breadth-first")


@pytest.mark.parametrize("strategy", FLOORS)
def test_recall_area_stays_above_its_floor(summary: ExperimentSummary, strategy: str) -> None:
    assert summary.of("recall-area", strategy).mean >= FLOORS[strategy]


def test_bounds_are_bounds(summary: ExperimentSummary) -> None:
    area = {strategy: summary.of("recall-area", strategy).mean for strategy in summary.strategies}
    assert max(area, key=area.__getitem__) == "oracle"
    assert area["best-first"] > 2 * max(area["random"], area["breadth-first"])


def test_floors_are_of_strategies_that_exist() -> None:
    assert set(FLOORS) - {"oracle"} <= set(registry.strategy.names())
