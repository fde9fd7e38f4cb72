"""Results of an experiment: a line for each crawl, written when it ends, so that nothing is lost and nothing is redone.

    FOLDER/experiment.toml     what was asked
    FOLDER/results.jsonl       a JSON object a crawl: its numbers, its curves, and all that is needed to repeat it
    FOLDER/results.parquet     the same without the curves, a row a crawl
    FOLDER/report.html, report.md

A line has a `key`, made of everything that could change its numbers: the web's content, the topic, the strategy with
its parameters, the seed, the settings, and the code. A crawl whose key is there is not made again.
"""

from __future__ import annotations

import importlib.metadata
import math
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field
from xxhash import xxh3_64_hexdigest

from scenthound import registry, version
from scenthound.config import Config, named
from scenthound.errors import ConfigError, UsageError
from scenthound.lab.code_digest import code_digest, modules_in
from scenthound.lab.crawls import oracle
from scenthound.lab.crawls.experiment import Cell
from scenthound.lab.measures.registry import Measured

LINES, TABLE = "results.jsonl", "results.parquet"
POINTS = 101
"""Of a curve that are kept."""

NEVER = "never"
"""An infinite number, in JSON."""

UNUSED = (
    "app/", "cli/", "lab/run_experiment.py", "lab/resumable_run.py", "lab/worker_pool.py", "lab/statistics.py",
    "lab/measures/freshness.py", "lab/measures/judgements.py", "lab/measures/sites.py", "sites/", "revisit/",
    "crawler/coverage/", "crawler/crawl_judgements.py", "crawler/crawl_snapshots.py", "crawler/examples.py",
    "crawler/fetch_pages.py", "crawler/judge_again.py", "crawler/labels_on_the_way.py", "crawler/present_judge.py",
    "crawler/rank_again.py", "crawler/read_back.py",
    "fetch/connections.py", "fetch/cookies.py", "fetch/guard.py", "fetch/http.py",
    "fetch/logins.py", "fetch/request_signer.py", "fetch/resolve.py", "fetch/robots.py", "fetch/robots_matching.py",
    "fetch/user_agent.py",
)  # fmt: skip
"""In reach of a lab's crawl, but never called: a change there leaves results as they are. A test sees to it."""

STORING = (
    "library/sqlite/", "library/archive/", "library/warc_output.py", "library/folder.py", "library/folder_lock.py",
    "library/label_file.py", "library/damage.py", "library/snapshot_format.py",
)  # fmt: skip
"""What has a share only where an experiment stores its pages."""

Row = TypeVar("Row", bound=Struct)

PACKAGES = ("numpy", "selectolax", "PyStemmer", "can-ada", "fastwarc", "scikit-learn")


class ResultRow(Struct, frozen=True):
    """One crawl."""

    key: str
    web: str
    topic: str
    strategy: str  # label: name and parameters
    name: str
    params: dict[str, Any]
    seed: int
    budget: int
    ending: str
    final: dict[str, float | str | None]
    positions: list[int]  # after how many pages (or requests) the points of the curves hold
    curves: dict[str, list[float | None]]
    likeness: list[float]  # of each page, the cosine to its nearest target
    order: str  # digest of the URLs in the order of their download: same digest, same crawl
    seconds: dict[str, float]
    parsed_before: int  # pages that had been parsed for another crawl; their cost is charged all the same
    settings: dict[str, Any]
    web_identity: str
    software: dict[str, str] = field(default_factory=dict)
    machine: dict[str, str | int | None] = field(default_factory=dict)
    code: str = ""
    at: str = ""

    def number(self, measure: str) -> float:
        """A final number; nan where it was not measured."""
        value = self.final.get(measure)
        if value == NEVER:
            return math.inf
        return math.nan if value is None or isinstance(value, str) else value


def cell_key(cell: Cell, settings: Config, web_identity: str, store: bool, taught: str = "") -> str:
    """The same for the same crawl, and for no other. `taught`: where the lessons come from, if there are any."""
    strategy = [cell.strategy.name, cell.strategy.params]
    code = code_of(cell.strategy.name, judge_name(settings), store)
    facts = [web_identity, strategy, whole(cell.topic), cell.seed, whole(settings), code, store, taught]
    return xxh3_64_hexdigest(msgspec.json.encode(facts, order="deterministic"))


def judge_name(settings: Config) -> str:
    return named(settings.crawl.judge, "judge")[0]


def whole(struct: Struct) -> dict[str, Any]:
    """Every field, also those at their default, which an encoder may leave out or not."""
    fields = msgspec.structs.asdict(struct)
    return {key: whole(value) if isinstance(value, Struct) else value for key, value in fields.items()}


@cache
def code_of(strategy: str, judge: str = "auto", store: bool = False) -> str:
    """A digest of the code that makes such a crawl and measures it: of no other strategy, and of no other judge."""
    return code_digest(crawl_roots(strategy, judge), UNUSED if store else UNUSED + STORING)


def crawl_roots(strategy: str, judge: str) -> tuple[str, ...]:
    """Where a crawl of the lab begins; what is found by name is named."""
    own = [registry.judge.get(judge).__module__]
    if strategy != oracle.NAME:
        own.append(registry.strategy.get(strategy).__module__)
    return ("scenthound.lab.crawls.runner", *modules_in("scenthound.lab.measures"), *own)


@cache
def software() -> dict[str, str]:
    found = {"scenthound": version.__version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


@cache
def machine() -> dict[str, str | int | None]:
    return {
        "system": platform.system(),
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
    }


def thin(measured: Mapping[str, Measured], length: int) -> tuple[list[int], dict[str, list[float | None]]]:
    """Curves at up to `POINTS` places; one that ended early keeps its last value, as the crawl kept its pages."""
    places = sorted({max(1, round(index * length / (POINTS - 1))) for index in range(1, POINTS)}) if length else []
    curves: dict[str, list[float | None]] = {}
    for name, each in measured.items():
        last = len(each.curve) - 1
        if last >= 0:
            curves[name] = [_rounded(each.curve[min(place - 1, last)]) for place in places]
    return places, curves


def finals(measured: Mapping[str, Measured]) -> dict[str, float | str | None]:
    return {name: plain(each.final) for name, each in measured.items()}


def plain(value: float) -> float | str | None:
    if math.isinf(value):
        return NEVER
    return None if math.isnan(value) else float(value)


def _rounded(value: float) -> float | None:
    return round(float(value), 5) if math.isfinite(value) else None


# Files


def append(path: Path, row: Struct) -> None:
    """One line, written whole."""
    with path.open("ab") as file:
        if file.tell() and not _ends_line(path):
            file.write(b"\n")  # somebody was interrupted in the middle of a line
        file.write(msgspec.json.encode(row) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _ends_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def read(path: Path) -> Iterator[ResultRow]:
    """The rows of a file. A line that was cut short, or that an older version wrote, is passed over."""
    return read_rows(path, ResultRow)


def read_rows(path: Path, kind: type[Row]) -> Iterator[Row]:
    """The same for rows of any kind."""
    if not path.is_file():
        return
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as file:
        for line in file:
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue


def write_parquet(path: Path, rows: Sequence[ResultRow]) -> None:
    """A row a crawl, a column a measure; parameters, versions and settings as JSON."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: install scenthound with its extra `parquet`.") from error
    names = list(dict.fromkeys(name for row in rows for name in row.final))
    pq.write_table(pa.Table.from_pylist([_flat(row, names) for row in rows]), path)


def _flat(row: ResultRow, names: Iterable[str]) -> dict[str, Any]:
    return {
        "key": row.key,
        "web": row.web,
        "topic": row.topic,
        "strategy": row.strategy,
        "name": row.name,
        "params": msgspec.json.encode(row.params).decode(),
        "seed": row.seed,
        "budget": row.budget,
        "ending": row.ending,
        **{name: row.number(name) for name in names},
        "order": row.order,
        "settings": msgspec.json.encode(row.settings).decode(),
        "web_identity": row.web_identity,
        "software": msgspec.json.encode(row.software).decode(),
        "machine": msgspec.json.encode(row.machine).decode(),
        "code": row.code,
        "at": row.at,
    }


def replaced(row: ResultRow, final: dict[str, float | str | None]) -> ResultRow:
    return msgspec.structs.replace(row, final=final)


def prepare_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder} cannot be made: {error.strerror}. Give another with --into.") from error
