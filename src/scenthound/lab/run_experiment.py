"""An experiment from its plan to its report: what `scenthound lab` does, without the command line.

outcome = run_experiment(experiment, folder, jobs=2)
write_reports(outcome, command="...")
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from scenthound.errors import UsageError
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls import results, runner
from scenthound.lab.crawls.experiment import Cell, Experiment
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.crawls.runner import FailedCrawl
from scenthound.lab.crawls.web_statistics import web_statistics
from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.report import page, tables
from scenthound.lab.report.paper_figures import write_figures
from scenthound.lab.report.paper_tables import write_tables
from scenthound.lab.report.summary import ExperimentSummary, summarise
from scenthound.lab.resumable_run import ResumableRun

NO_SKLEARN = (
    "No harvest rate: it is told by a classifier that needs scikit-learn, which comes with the extra `learn`: "
    "pip install 'scenthound[learn]'"
)


class ExperimentOutcome(Struct):
    experiment: Experiment
    folder: Path
    rows: list[ResultRow]
    failures: list[FailedCrawl]
    made: int  # crawls made now; the other results were there
    notices: list[str] = []


def run_experiment(
    experiment: Experiment, folder: Path, *, jobs: int = 1, fresh: bool = False, watch: ExperimentWatch | None = None
) -> ExperimentOutcome:
    """Makes every crawl whose result is not in the folder yet. Interrupted, it goes on the next time."""
    watch = watch or ExperimentWatch()
    plans.check(experiment)
    topics = plans.topics_of(experiment)
    cells = plans.cells_of(experiment, topics)

    def prepare(left: Sequence[Cell]) -> None:
        web_statistics(experiment.web_spec(), topics[0].language, jobs=jobs, tell=watch.read)

    found = ResumableRun[Cell, ResultRow, FailedCrawl](
        experiment,
        folder,
        results.LINES,
        ResultRow,
        keyed=lambda identity: runner.keyed(experiment, cells, identity),
        prepare=prepare,
        work=lambda left, heard: runner.run(experiment, left, jobs, heard),
        watch=watch,
    ).run(fresh=fresh)
    return ExperimentOutcome(experiment, folder, found.rows, found.failures, found.tried)


def write_reports(outcome: ExperimentOutcome, command: str) -> ExperimentSummary | None:
    """The report in all its forms, beside the results; None where there is nothing to report."""
    if not outcome.rows:
        return None
    summary = summarise(outcome.rows, outcome.experiment.baseline_label())
    folder = outcome.folder
    html = page.page(summary, outcome.experiment.as_toml(), command, folder.name)
    (folder / "report.html").write_text(html, encoding="utf-8")
    write_tables(summary, folder)
    write_figures(summary, folder)
    if find_spec("sklearn") is None:
        outcome.notices.append(NO_SKLEARN)
    (folder / "report.md").write_text(tables.markdown(summary), encoding="utf-8")
    try:
        results.write_parquet(folder / results.TABLE, summary.rows)
    except UsageError as error:
        outcome.notices.append(f"No {results.TABLE}: {error}")
    return summary
