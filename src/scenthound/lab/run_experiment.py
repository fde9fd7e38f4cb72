"""An experiment from its plan to its report: what `scenthound lab` does, without the command line.

outcome = run_experiment(experiment, folder, jobs=2)
write_reports(outcome, command="...")
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from scenthound.errors import UsageError
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls import results, runner
from scenthound.lab.crawls.experiment import Experiment
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.crawls.runner import FailedCrawl, WorkerReport
from scenthound.lab.crawls.web_statistics import web_statistics
from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.report import page, tables
from scenthound.lab.report.paper_tables import write_tables
from scenthound.lab.report.summary import ExperimentSummary, summarise
from scenthound.lab.webs import open_web

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
    web = open_web(experiment.web_spec())
    identity = web.identity
    for damage in web.damaged:
        watch.say(damage)
    web.close()
    results.prepare_folder(folder)
    lines = folder / results.LINES
    if fresh:
        lines.unlink(missing_ok=True)
    (folder / "experiment.toml").write_text(experiment.as_toml(), encoding="utf-8")
    wanted = {cell.key: cell for cell in runner.keyed(experiment, cells, identity)}
    rows = {row.key: row for row in results.read(lines) if row.key in wanted}
    left = [cell for key, cell in wanted.items() if key not in rows]
    failures: list[FailedCrawl] = []
    if left:
        watch.reading()
        web_statistics(experiment.web_spec(), topics[0].language, jobs=jobs, tell=watch.read)
    watch.begin(len(cells), len(cells) - len(left))

    def ended(told: WorkerReport) -> None:
        if told.row is not None:
            results.append(lines, told.row)
            rows[told.row.key] = told.row
        if told.failure is not None:
            failures.append(told.failure)
        watch.ended(told.row.topic if told.row is not None else None)

    runner.run(experiment, left, jobs, ended)
    return ExperimentOutcome(experiment, folder, [rows[key] for key in wanted if key in rows], failures, len(left))


def write_reports(outcome: ExperimentOutcome, command: str) -> ExperimentSummary | None:
    """The report in all its forms, beside the results; None where there is nothing to report."""
    if not outcome.rows:
        return None
    summary = summarise(outcome.rows, outcome.experiment.baseline_label())
    folder = outcome.folder
    html = page.page(summary, outcome.experiment.as_toml(), command, folder.name)
    (folder / "report.html").write_text(html, encoding="utf-8")
    write_tables(summary, folder)
    if find_spec("sklearn") is None:
        outcome.notices.append(NO_SKLEARN)
    (folder / "report.md").write_text(tables.markdown(summary), encoding="utf-8")
    try:
        results.write_parquet(folder / results.TABLE, summary.rows)
    except UsageError as error:
        outcome.notices.append(f"No {results.TABLE}: {error}")
    return summary
