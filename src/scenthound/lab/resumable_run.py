"""What all experiments of the lab have in common: work that is cut in pieces, of which some results are there already.

    the plan ──▶ pieces of work, each with a key ──▶ those without a result ──▶ workers ──▶ a line each, at once
                                                └──▶ results that are there ───────────────▶ all rows, in order

Interrupted, it goes on the next time with what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from scenthound.lab.crawls import results
from scenthound.lab.experiment_watch import ExperimentWatch
from scenthound.lab.web_plan import WebPlan
from scenthound.lab.webs import open_web


class KeyedWork(Protocol):
    """A crawl or a trial that is to be made."""

    @property
    def key(self) -> str: ...


Work = TypeVar("Work", bound=KeyedWork)
Row = TypeVar("Row", bound=Any)
Failure = TypeVar("Failure", bound=Struct)
Row_co = TypeVar("Row_co", covariant=True)
Failure_co = TypeVar("Failure_co", covariant=True)


class WorkReport(Protocol[Row_co, Failure_co]):
    """What is told of a piece of work that ended: a result, or why there is none."""

    @property
    def row(self) -> Row_co | None: ...

    @property
    def failure(self) -> Failure_co | None: ...


class RunResults(Struct, Generic[Row, Failure]):
    rows: list[Row]
    failures: list[Failure]
    tried: int  # pieces of work of this run; the other results were there


class ResumableRun(Struct, Generic[Work, Row, Failure]):
    """An experiment, as far as its results go.

    `keyed` gives the pieces of work on a web of this identity; `prepare` is called once if any of them is left;
    `work` does them, and tells of each as it ends.
    """

    plan: WebPlan
    folder: Path
    lines: str  # the name of the file of results
    kind: type[Row]
    keyed: Callable[[str], Sequence[Work]]
    prepare: Callable[[Sequence[Work]], None]
    work: Callable[[Sequence[Work], Callable[[Any], None]], None]
    watch: ExperimentWatch

    def run(self, *, fresh: bool = False) -> RunResults[Row, Failure]:
        """Does what is missing. `fresh` forgets the results that are there."""
        wanted = {piece.key: piece for piece in self.keyed(self._web_identity())}
        lines = self._prepared_folder(fresh)
        rows = {row.key: row for row in results.read_rows(lines, self.kind) if row.key in wanted}
        left = [piece for key, piece in wanted.items() if key not in rows]
        failures: list[Failure] = []
        if left:
            self.watch.reading()
            self.prepare(left)
        self.watch.begin(len(wanted), len(wanted) - len(left))

        def heard(told: WorkReport[Row, Failure]) -> None:
            if told.row is not None:
                results.append(lines, told.row)
                rows[told.row.key] = told.row
            if told.failure is not None:
                failures.append(told.failure)
            self.watch.ended(told.row.topic if told.row is not None else None)

        self.work(left, heard)
        return RunResults([rows[key] for key in wanted if key in rows], failures, len(left))

    def _web_identity(self) -> str:
        web = open_web(self.plan.web_spec())
        try:
            for damage in web.damaged:
                self.watch.say(damage)
            return web.identity
        finally:
            web.close()

    def _prepared_folder(self, fresh: bool) -> Path:
        results.prepare_folder(self.folder)
        lines = self.folder / self.lines
        if fresh:
            lines.unlink(missing_ok=True)
        (self.folder / "experiment.toml").write_text(self.plan.as_toml(), encoding="utf-8")
        return lines
