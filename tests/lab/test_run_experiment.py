"""Experiments from plan to report, on a tiny made-up web."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from scenthound import registry
from scenthound.crawler.assemble import make_context, page_crawl_parts
from scenthound.lab.crawls import results, runner
from scenthound.lab.crawls.experiment import Cell, Experiment, StrategyEntry, cells_of, load_experiment, topics_of
from scenthound.lab.crawls.experiment import settings as plan_settings
from scenthound.lab.crawls.lab_crawl import LabCrawler
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.crawls.runner import grouped
from scenthound.lab.evaluator import FinishedCrawl, score
from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.run_experiment import run_experiment, write_reports
from scenthound.lab.webs import open_web
from scenthound.model import Ranked, Visit
from tests.lab.small import HOME, page, write_web


class Counting(ExperimentWatch):
    def __init__(self, stop_after: int = 1000) -> None:
        self.total = self.there = self.done = 0
        self.stop_after = stop_after

    def begin(self, total: int, there: int) -> None:
        self.total, self.there = total, there

    def ended(self, topic: str | None) -> None:
        self.done += 1
        if self.done == self.stop_after:
            raise KeyboardInterrupt


def orders(rows: list[ResultRow]) -> dict[tuple[str, str, int], str]:
    return {(row.strategy, row.topic, row.seed): row.order for row in rows}


def test_an_interrupted_experiment_goes_on_where_it_stopped(tiny: Experiment, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_experiment(tiny, tmp_path, watch=Counting(stop_after=2))
    watch = Counting()
    outcome = run_experiment(tiny, tmp_path, watch=watch)
    assert (watch.total, watch.there, watch.done) == (4, 2, 2)
    assert len(outcome.rows) == 4
    again = Counting()
    run_experiment(tiny, tmp_path, watch=again)
    assert (again.there, again.done) == (4, 0)
    afresh = Counting()
    fresh = run_experiment(tiny, tmp_path, fresh=True, watch=afresh)
    assert (afresh.there, afresh.done) == (0, 4)
    assert orders(fresh.rows) == orders(outcome.rows)


def test_two_processes_make_the_same_crawls_as_one(tmp_path: Path) -> None:
    numbers = range(30)
    pages = {f"{HOME}{n}": page(f"page {n} of hounds", *(f"{HOME}{n * k % 37}" for k in (2, 3, 5))) for n in numbers}
    web = write_web(tmp_path / "web.warc", pages)
    (tmp_path / "topics.jsonl").write_text(
        "\n".join(
            f'{{"name": "t{n}", "seeds": ["{HOME}{n}"], "targets": ["{HOME}{n + 7}"], "keywords": "hound", "pages": 9}}'
            for n in (1, 2)
        )
    )
    plan = Experiment(strategies=["breadth-first", "random"], web=[str(web)], topics=str(tmp_path / "topics.jsonl"))
    alone = run_experiment(plan, tmp_path / "one", jobs=1)
    together = run_experiment(plan, tmp_path / "two", jobs=2)
    assert len(alone.rows) == 6
    assert len(set(orders(alone.rows).values())) > 4
    assert orders(alone.rows) == orders(together.rows)
    for row, other in zip(alone.rows, together.rows, strict=True):
        same = {name: value for name, value in row.final.items() if not name.startswith("cpu")}
        assert same == {name: value for name, value in other.final.items() if not name.startswith("cpu")}


def test_seeds_change_what_depends_on_chance_alone(tiny: Experiment, tmp_path: Path) -> None:
    tiny.seeds = 2
    found = orders(run_experiment(tiny, tmp_path).rows)
    (topic,) = {topic for _, topic, _ in found}
    assert found["random", topic, 1] != found["random", topic, 2]
    assert found["best-first", topic, 1] == found["best-first", topic, 2]


def test_a_row_tells_all_that_is_needed_to_repeat_it(tiny: Experiment, tmp_path: Path) -> None:
    rows = run_experiment(tiny, tmp_path).rows
    row = next(row for row in rows if row.strategy == "best-first")
    assert {"scenthound", "python", "numpy"} <= set(row.software)
    assert row.machine["cores"]
    assert row.settings["crawl"]["random_seed"] == 1
    assert (row.budget, row.ending) == (30, "pages")
    assert row.web_identity.startswith("generated:1:300:")
    assert {"target-recall", "recall-area", "harvest-rate", "harvest-ratio", "requests", "bytes"} <= set(row.final)
    assert {"fetch", "parse", "judge", "rank"} == set(row.seconds)


def test_the_informed_classifier_has_learned_from_every_target(tmp_path: Path) -> None:
    """Several topics: what is relevant to one of them is not to the others."""
    several = Experiment(generated=600, strategies=["breadth-first"], pages=30)
    rows = run_experiment(several, tmp_path).rows
    assert len({row.topic for row in rows}) > 1
    means = {
        name: sum(row.number("informed-harvest-rate") for row in rows if row.strategy == name)
        for name in ("oracle", "random")
    }
    assert means["oracle"] > means["random"] >= 0.0


def test_harvest_ratio_is_the_same_in_evaluate(tiny: Experiment, tmp_path: Path) -> None:
    """One idf for both: the pages of a crawl of the lab, handed to the evaluator."""
    row = next(row for row in run_experiment(tiny, tmp_path).rows if row.strategy == "best-first")
    (topic,) = topics_of(tiny)
    crawler = LabCrawler(open_web(tiny.web_spec()))
    settings = plan_settings(tiny, Cell(StrategyEntry("best-first"), topic, 1))
    pages = [crawler.page(url, topic.language) for url in topic.relevant_examples]
    examples = tuple(page for page in pages if page is not None)
    context = make_context(settings, examples)
    trace, _ = crawler.crawl(settings, page_crawl_parts(settings, context))
    found = [crawler.page(request.url, topic.language) for request in trace.pages]
    crawl = FinishedCrawl("x", trace.pages, [page.terms for page in found if page is not None])
    scored = score(crawl, [page.terms for page in examples])
    for measure in ("harvest-ratio", "average-similarity"):
        assert scored.measured[measure].final == pytest.approx(row.number(measure))


def test_examples_are_not_counted_as_found(tiny: Experiment, tmp_path: Path) -> None:
    (topic,) = topics_of(tiny)
    assert set(topic.relevant_examples) <= set(topic.targets)
    bound = next(row for row in run_experiment(tiny, tmp_path).rows if row.strategy == "oracle")
    found = round(bound.number("target-recall") * len(topic.scored_targets()), 6)
    assert found == int(found)
    assert found <= len(topic.scored_targets())


def test_a_strategy_may_start_from_examples_and_they_cost_it_nothing_of_its_budget(
    tiny: Experiment, tmp_path: Path
) -> None:
    (topic,) = topics_of(tiny)
    crawler = LabCrawler(open_web(tiny.web_spec()))
    found = dict[bool, list[str]]()
    for budget in ("pages", "requests"):
        for starts in (False, True):
            entry = StrategyEntry("auto", {"from_examples": starts})
            settings = plan_settings(replace(tiny, budget=budget), Cell(entry, topic, 1))
            pages = [crawler.page(url, topic.language) for url in topic.relevant_examples]
            context = make_context(settings, tuple(page for page in pages if page is not None))
            parts = page_crawl_parts(settings, context)
            assert len(parts.examples) == (len(topic.relevant_examples) if starts else 0)
            trace, _ = crawler.crawl(settings, parts)
            found[starts] = [each.url for each in (trace.pages if budget == "pages" else trace.requests)]
        assert topic.relevant_examples
        assert not set(found[True]) & set(topic.relevant_examples)
        assert len(found[True]) == len(found[False]) == topic.pages


def test_a_budget_of_requests_is_shorter_where_pages_are_missing(tiny: Experiment, tmp_path: Path) -> None:
    by_pages = {row.strategy: row for row in run_experiment(tiny, tmp_path / "a").rows}
    tiny.budget = "requests"
    by_requests = {row.strategy: row for row in run_experiment(tiny, tmp_path / "b").rows}
    for strategy, row in by_requests.items():
        assert row.number("requests") <= 30
        assert row.number("recall-area") <= by_pages[strategy].number("recall-area") + 1e-9
    assert by_pages["random"].number("requests") > 30


@dataclass
class Faulty:
    def rank(self, visit: Visit) -> list[Ranked]:
        raise ZeroDivisionError("no luck")


@pytest.fixture
def faulty() -> Iterator[str]:
    registry.strategy.names()  # all others are loaded
    registry.strategy("faulty")(Faulty)
    yield "faulty"
    del registry.strategy._entries["faulty"]


def test_a_strategy_that_fails_costs_its_own_crawls_only(tiny: Experiment, tmp_path: Path, faulty: str) -> None:
    tiny.strategies.append(faulty)
    outcome = run_experiment(tiny, tmp_path)
    (failure,) = outcome.failures
    assert failure.strategy == faulty
    assert "ZeroDivisionError: no luck" in failure.reason
    assert len(outcome.rows) == 4


def test_the_report_needs_nothing_else_and_the_experiment_reads_back(tiny: Experiment, tmp_path: Path) -> None:
    outcome = run_experiment(tiny, tmp_path)
    assert write_reports(outcome, "scenthound lab <x>") is not None
    html = (tmp_path / "report.html").read_text()
    assert not re.search(r"(src|href)=|@import|url\(", html)
    assert "scenthound lab &lt;x&gt;" in html
    for row in outcome.rows:
        assert row.strategy in html
    assert load_experiment(tmp_path / "experiment.toml") == tiny
    assert "| best-first |" in (tmp_path / "report.md").read_text()


def test_an_experiment_has_a_folder_of_its_own(tiny: Experiment) -> None:
    here = tiny.folder()
    assert here == Experiment(strategies=["breadth-first", "best-first"], generated=300, pages=30).folder()
    tiny.pages = 31
    assert here != tiny.folder()
    assert here.parent.name == "lab"


def test_groups_hold_one_topic_each_and_none_is_forgotten() -> None:
    plan = Experiment(strategies=["random", "best-first", "breadth-first"], generated=1000)
    cells = cells_of(plan, topics_of(plan))
    for jobs in (1, 2, 16):
        groups = grouped(cells, jobs)
        assert [cell for group in groups for cell in group] == cells
        assert all(len({cell.topic.name for cell in group}) == 1 for group in groups)
    assert len(grouped(cells, 16)) == len(cells)


def test_a_worker_that_dies_is_reported(tiny: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = runner.keyed(tiny, cells_of(tiny, topics_of(tiny)), "w")
    tiny.web, tiny.generated = ["/nowhere/none.warc"], 0
    with pytest.raises(results.ConfigError.__mro__[2], match="goes on"):
        runner.run(tiny, cells, 2, lambda told: None)


def test_wrong_labels_make_other_results_where_somebody_learns(tiny: Experiment) -> None:
    def keys(strategy: str, noise: float) -> list[str]:
        plan = msgspec.structs.replace(tiny, strategies=[strategy], baseline="", bounds=False, label_noise=noise)
        return [cell.key for cell in runner.keyed(plan, cells_of(plan, topics_of(plan)), "w")]

    assert not set(keys("memm", 0.0)) & set(keys("memm", 0.2))
    assert not set(keys("memm", 0.1)) & set(keys("memm", 0.2))
    assert keys("breadth-first", 0.0) == keys("breadth-first", 0.2)
