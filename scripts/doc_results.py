"""Result files behind the tables of docs/: docs/results/NAME.jsonl, a line for each strategy or judge of a run.

A line has the figures topic by topic, and the digest of the code that made them. `benchmarks/doc_figures.py` makes the
files, `scripts/doc_tables.py` makes tables of them, and says which were made with other code than there is now. What
another benchmark prints is kept as it is, as docs/results/NAME.json, with the digest of that benchmark's code.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace
from xxhash import xxh3_64

from scenthound.config import named
from scenthound.errors import ConfigError, UnknownName
from scenthound.lab.code_digest import code_digest, modules_in, read_source
from scenthound.lab.crawls import results
from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.judges import judge_results
from scenthound.lab.judges.judge_results import JudgeRow
from scenthound.lab.report.summary import with_apr
from scenthound.lab.report.tables import signed
from scenthound.lab.statistics import Comparison, Estimate, compare, holm, mean_with_interval

Question = TypeVar("Question")
ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
LEADING = "recall-area"
LIUS_BASELINE = "best-first-targets"
CRAWL_FIGURES = (
    LEADING, "target-recall", "harvest-rate", "informed-harvest-rate", "requests",
    "precision-0.5", "precision-0.6", "precision-0.7", "precision-0.8", "maximum-average-similarity",
    "mean-maximum-similarity", "average-similarity", "harvest-ratio", "apr",
)  # fmt: skip
"""No times: such runs are made beside other work; what learners cost is measured on a quiet machine, by a benchmark."""
JUDGE_FIGURES = ("f1", "precision", "recall", "average-precision", "auc", "calibration-error")
NEVER_TWICE = ("apr", "cpu", "training-seconds")  # needs the baseline's crawl beside it; files of before have times
DIGITS = 4
SHOWING = ("report/", "lab/report/")
"""Places in the program where figures are shown, and none is made."""
REGISTRY = "scenthound.registry"
FOUND_BY_NAME = (*modules_in("scenthound.strategies"), *modules_in("scenthound.judges"))


class KeptResult(Struct, frozen=True, omit_defaults=True):
    """A strategy or judge on all topics of a run. `given`: how much help it had."""

    kind: Literal["crawl", "judge"]
    web: str
    label: str
    name: str
    given: str
    code: str
    at: str
    topics: list[str]
    figures: dict[str, list[float | str | None]]  # a value a topic, in the order of the topics
    budget: int = 0
    judge: str = ""  # of a crawl
    noise: float = 0.0
    params: dict[str, Any] = field(default_factory=dict)
    orders: list[str] = field(default_factory=list)  # of a crawl, a digest of its pages in their order, a topic each
    checked: str = ""  # code under which a crawl was repeated, and was the same

    def values(self, figure: str) -> dict[str, float]:
        """By topic; what was not measured is left out, and `never` is infinite."""
        found = zip(self.topics, self.figures.get(figure, []), strict=False)
        return {
            topic: float("inf") if value == results.NEVER else float(value)
            for topic, value in found
            if value is not None
        }

    def estimate(self, figure: str = LEADING) -> Estimate:
        return mean_with_interval(list(self.values(figure).values()))

    def code_now(self) -> str:
        """Empty where there is no such strategy or judge any more."""
        try:
            return self._code_now()
        except UnknownName:
            return ""

    def _code_now(self) -> str:
        return judge_results.code_of(self.name) if self.kind == "judge" else results.code_of(self.name, self.judge)

    def is_stale(self) -> bool:
        """Whether the code is another than that which made it, and than that under which it was repeated."""
        now = self.code_now()
        return not now or now not in (self.code, self.checked)

    def repeats(self, earlier: KeptResult) -> bool:
        """Whether these crawls, of some topics, are those that were made before: page by page, and in figures."""
        for place, topic in enumerate(self.topics):
            if topic not in earlier.topics:
                return False
            then = earlier.topics.index(topic)
            if self.orders and (not earlier.orders or self.orders[place] != earlier.orders[then]):
                return False
            for name, values in earlier.figures.items():
                if name not in NEVER_TWICE and self.figures.get(name, [None] * len(self.topics))[place] != values[then]:
                    return False
        return bool(self.topics)


def of_crawls(rows: Iterable[ResultRow], given: str, noise: float = 0.0) -> list[KeptResult]:
    """A line for each strategy. APR is Liu's: against his own best-first, where that was run, too."""
    found: dict[str, list[ResultRow]] = {}
    for row in with_apr(list(rows), LIUS_BASELINE):
        found.setdefault(row.strategy, []).append(row)
    return [
        KeptResult(
            "crawl", some[0].web, label, some[0].name, given, _one_code(label, some), max(row.at for row in some),
            [row.topic for row in some],
            {name: [_kept(row.final.get(name)) for row in some] for name in CRAWL_FIGURES if name in some[0].final},
            some[0].budget, named(some[0].settings["crawl"].get("judge", "auto"), "judge")[0], noise,
            some[0].params, [row.order for row in some],
        )
        for label, some in found.items()
    ]  # fmt: skip


def of_trials(rows: Iterable[JudgeRow]) -> list[KeptResult]:
    """A line for each judge and each kind of help."""
    found: dict[tuple[str, str], list[JudgeRow]] = {}
    for row in rows:
        found.setdefault((row.judge, row.given), []).append(row)
    return [
        KeptResult(
            "judge", some[0].web, label, some[0].name, given, _one_code(label, some), max(row.at for row in some),
            [row.topic for row in some],
            {name: [_kept(row.figures.get(name)) for row in some] for name in JUDGE_FIGURES},
            params=some[0].params,
        )
        for (label, given), some in found.items()
    ]  # fmt: skip


def _one_code(label: str, rows: Sequence[ResultRow] | Sequence[JudgeRow]) -> str:
    codes = {row.code for row in rows}
    if len(codes) > 1:
        raise ConfigError(f"Crawls of {label} were made with {len(codes)} states of the code: run it again.")
    return codes.pop()


def _kept(value: float | str | None) -> float | str | None:
    return round(value, DIGITS) if isinstance(value, float) else value


def write(name: str, rows: Sequence[KeptResult]) -> Path:
    """The file, with these lines for those of the same name, help and noise; others stay."""
    lines = {(row.label, row.given, row.noise): row for row in [*read(name), *rows]}
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in lines.values()))
    return path


def read(name: str) -> list[KeptResult]:
    return list(results.read_rows(RESULTS / f"{name}.jsonl", KeptResult))


def by_label(rows: Iterable[KeptResult]) -> dict[str, KeptResult]:
    return {row.label: row for row in rows}


def against(rows: Mapping[str, KeptResult], baseline: str, figure: str = LEADING) -> dict[str, Comparison]:
    """Each of them against one, topic by topic; the bounds are no contestants."""
    values = {label: row.values(figure) for label, row in rows.items() if label not in ("oracle", "random")}
    return compare(values, baseline) if baseline in values else {}


def one_to_one(rows: Mapping[str, KeptResult], ours: str, theirs: str, figure: str = LEADING) -> Comparison | None:
    """One of them against another, a question of its own; None where one of the two was not measured."""
    if ours not in rows or theirs not in rows:
        return None
    return compare({label: rows[label].values(figure) for label in (ours, theirs)}, theirs)[ours]


def corrected(found: Mapping[Question, Comparison]) -> dict[Question, Comparison]:
    """With p corrected (Holm) for all of them: whoever asks many questions gets some answers by chance."""
    together = holm([one.p for one in found.values()])
    return {question: replace(one, p_holm=p) for (question, one), p in zip(found.items(), together, strict=True)}


def difference_text(found: Comparison) -> str:
    gap = found.difference
    return f"{signed(gap.mean)} [{signed(gap.low)}, {signed(gap.high)}]"


# --- what benchmarks print --------------------------------------------------------------------------------------------


class PrintedResult(Struct, frozen=True):
    """The output of a benchmark, in Markdown."""

    name: str
    command: str
    code: str
    at: str
    text: str

    def is_stale(self) -> bool:
        """Of earlier files the digest has a share of what only shows figures, too."""
        script = ROOT / self.command.split()[0]
        return self.code not in (script_digest(script, SHOWING), script_digest(script))


def keep_printed(name: str, script: str, *arguments: str) -> Path:
    """Runs a benchmark, and keeps what it prints with the digest of its code."""
    code = script_digest(ROOT / script, SHOWING)
    found = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])  # one may import another
    done = subprocess.run(
        [sys.executable, script, *arguments],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": found}, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if not printed_in(done.stdout):
        raise ConfigError(f"{script} printed no table (exit status {done.returncode}): nothing is kept.")
    made = PrintedResult(
        name, " ".join([script, *arguments]), code, datetime.now(UTC).isoformat(timespec="seconds"), done.stdout
    )
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(made)) + b"\n")
    return path


def is_missing_or_stale(name: str) -> bool:
    """Whether what a benchmark prints is to be kept anew."""
    return not any(each.name == name and not each.is_stale() for each in all_printed())


def all_printed() -> list[PrintedResult]:
    return [msgspec.json.decode(path.read_bytes(), type=PrintedResult) for path in sorted(RESULTS.glob("*.json"))]


def printed_tables(name: str) -> list[list[str]]:
    return printed_in(msgspec.json.decode((RESULTS / f"{name}.json").read_bytes(), type=PrintedResult).text)


def printed_in(text: str) -> list[list[str]]:
    """The Markdown tables of a text, each as its lines."""
    return [found.strip().splitlines() for found in re.findall(r"(?:^\|.*(?:\n|\Z))+", text, re.MULTILINE)]


def script_digest(script: Path, without: tuple[str, ...] = ()) -> str:
    """Of a script, of its own modules beside it, and of all code of the program that they need. `without`: places in
    the program that have no share.

    Whoever asks the registry may find any strategy and any judge there: all of them have a share then.
    """
    waiting, own, roots = [script], dict[Path, str](), set[str]()
    while waiting:
        path = waiting.pop()
        if path in own:
            continue
        source = read_source(path)
        own[path] = source.digest
        roots.update(name for name in source.imports if name.startswith("scenthound."))
        if REGISTRY in source.imports:
            roots.update(FOUND_BY_NAME)
        waiting += (beside for name in source.imports if (beside := _beside(script, name)) is not None)
    digest = xxh3_64(code_digest(sorted(roots), without).encode())
    for path in sorted(own):
        digest.update(path.name.encode() + own[path].encode())
    return digest.hexdigest()


def _beside(script: Path, name: str) -> Path | None:
    """A module that is imported from the script's own folder, or by the name of that folder."""
    parts = name.removeprefix(f"{script.parent.name}.").split(".")
    for length in range(len(parts), 0, -1):
        path = script.parent.joinpath(*parts[:length]).with_suffix(".py")
        if path.is_file():
            return path
    return None
