"""An experiment with judges from its plan to its report: what `scenthound lab --judges` does.

outcome = run_judges(experiment, folder, jobs=2)
write_judge_reports(outcome, command="...")
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.judges import judge_experiment as plans
from scenthound.lab.judges import judge_results, judge_runner
from scenthound.lab.judges.judge_experiment import JudgeExperiment, Trial
from scenthound.lab.judges.judge_results import JudgeRow
from scenthound.lab.judges.judge_runner import FailedTrial
from scenthound.lab.judges.parsed_pages import keep_parsed
from scenthound.lab.report import judge_page, judge_tables
from scenthound.lab.report.judge_summary import JudgeSummary, summarise_judges
from scenthound.lab.resumable_run import ResumableRun


class JudgeExperimentOutcome(Struct):
    experiment: JudgeExperiment
    folder: Path
    rows: list[JudgeRow]
    failures: list[FailedTrial]
    refusals: list[FailedTrial]  # judges that cannot work from what was given, which is no fault
    made: int  # trials made now; the other results were there


def run_judges(
    experiment: JudgeExperiment,
    folder: Path,
    *,
    jobs: int = 1,
    fresh: bool = False,
    watch: ExperimentWatch | None = None,
) -> JudgeExperimentOutcome:
    """Makes every trial whose result is not in the folder yet. Interrupted, it goes on the next time."""
    watch = watch or ExperimentWatch()
    plans.check(experiment)
    trials = plans.trials_of(experiment, experiment.lab_topics())

    def prepare(left: Sequence[Trial]) -> None:
        for language in dict.fromkeys(trial.topic.language for trial in left):
            keep_parsed(experiment.web_spec(), language, jobs=jobs, tell=watch.read)

    found = ResumableRun[Trial, JudgeRow, FailedTrial](
        experiment,
        folder,
        judge_results.LINES,
        JudgeRow,
        keyed=lambda identity: judge_runner.keyed(experiment, trials, identity),
        prepare=prepare,
        work=lambda left, heard: judge_runner.run(experiment, left, jobs, heard),
        watch=watch,
    ).run(fresh=fresh)
    return JudgeExperimentOutcome(
        experiment,
        folder,
        found.rows,
        [failure for failure in found.failures if not failure.refused],
        [failure for failure in found.failures if failure.refused],
        found.tried - len(found.failures),
    )


def write_judge_reports(outcome: JudgeExperimentOutcome, command: str) -> JudgeSummary | None:
    """The report in all its forms, beside the results; None where there is nothing to report."""
    if not outcome.rows:
        return None
    summary = summarise_judges(outcome.rows, outcome.experiment.baseline_label())
    folder = outcome.folder
    html = judge_page.page(summary, outcome.experiment.as_toml(), command, folder.name)
    (folder / "report.html").write_text(html, encoding="utf-8")
    (folder / "report.md").write_text(judge_tables.markdown(summary), encoding="utf-8")
    return summary
