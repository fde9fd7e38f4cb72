"""Runs the trials of an experiment with judges: as many at once as there are cores, each result told when it is there.

Trials are handed out topic by topic. A judge that goes wrong is named and left out; the rest goes on.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scenthound.errors import ConfigError
from scenthound.lab.crawls import results
from scenthound.lab.judges import judge_results
from scenthound.lab.judges.judge_experiment import JudgeExperiment, Trial, settings
from scenthound.lab.judges.judge_results import JudgeRow
from scenthound.lab.judges.judge_trial import try_judge
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.webs import open_web
from scenthound.lab.worker_pool import WorkerPool, leave_interrupts_to_the_parent, serve


class FailedTrial(Struct, frozen=True):
    """A trial that could not be made. `refused`: the judge cannot work from what is given, and says so."""

    judge: str
    topic: str
    given: str
    reason: str
    refused: bool = False


class TrialReport(Struct, frozen=True):
    """What is told: a result, or a failed trial."""

    row: JudgeRow | None = None
    failure: FailedTrial | None = None


Tell = Callable[[TrialReport], None]


class TrialRunner:
    """One web, opened; runs trials in this process."""

    def __init__(self, experiment: JudgeExperiment) -> None:
        spec = experiment.web_spec()
        self.experiment = experiment
        self.name = spec.name
        self.web = open_web(spec)
        self.pages = WebPages(self.web)

    def attempt(self, trial: Trial) -> TrialReport:
        """A result, or why there is none: a judge may have a bug, and the others shall not suffer for it."""
        refused = False
        try:
            return TrialReport(row=self._run(trial))
        except ConfigError as error:
            reason, refused = str(error), True
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"
        return TrialReport(
            failure=FailedTrial(trial.judge.label, trial.topic.name, trial.given, reason, refused=refused)
        )

    def _run(self, trial: Trial) -> JudgeRow:
        outcome = try_judge(self.experiment, trial, self.pages)
        known = {name: None if value != value else value for name, value in outcome.figures.items()}
        return JudgeRow(
            key=trial.key,
            web=self.name,
            topic=trial.topic.name,
            judge=trial.judge.label,
            name=trial.judge.name,
            params=trial.judge.params,
            given=trial.given,
            threshold=outcome.threshold,
            pages=outcome.pages,
            relevant=outcome.relevant,
            figures=known,
            reliability=outcome.reliability,
            answers=outcome.answers,
            settings=msgspec.to_builtins(settings(self.experiment, trial)),
            web_identity=self.web.identity,
            software=results.software(),
            machine=results.machine(),
            code=judge_results.code_of(trial.judge.name),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def close(self) -> None:
        self.web.close()


def keyed(experiment: JudgeExperiment, trials: Sequence[Trial], web_identity: str) -> list[Trial]:
    """The trials, each with what its result is filed under."""

    def key(trial: Trial) -> str:
        return judge_results.trial_key(trial, settings(experiment, trial), web_identity, experiment.answers)

    return [replace(trial, key=key(trial)) for trial in trials]


def run(experiment: JudgeExperiment, trials: Sequence[Trial], jobs: int, tell: Tell) -> None:
    """Runs the trials; `tell` hears of each as it ends."""
    groups = grouped(trials)
    if jobs <= 1 or len(groups) <= 1:
        _run_here(experiment, trials, tell)
        return
    decoder = msgspec.json.Decoder(TrialReport)
    pool = WorkerPool(min(jobs, len(groups)), _worker_main, (msgspec.json.encode(experiment),))
    try:
        pool.work((msgspec.json.encode(group) for group in groups), lambda said: tell(decoder.decode(said)))
    finally:
        pool.dismiss()


def _run_here(experiment: JudgeExperiment, trials: Sequence[Trial], tell: Tell) -> None:
    if not trials:
        return
    runner = TrialRunner(experiment)
    try:
        for trial in trials:
            tell(runner.attempt(trial))
    finally:
        runner.close()


def grouped(trials: Sequence[Trial]) -> list[list[Trial]]:
    """The trials of each topic, in the order of the topics."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.topic.name, []).append(trial)
    return list(groups.values())


def _worker_main(pipe: Connection, experiment: bytes) -> None:
    leave_interrupts_to_the_parent()
    runner = TrialRunner(msgspec.json.decode(experiment, type=JudgeExperiment))
    decoder = msgspec.json.Decoder(list[Trial])
    try:
        serve(pipe, lambda order: (msgspec.json.encode(runner.attempt(trial)) for trial in decoder.decode(order)))
    finally:
        runner.close()
