"""Tables of results in docs/, written from result files that carry the digest of the code they ran.

    ./run lab --web WEB.warc.gz --topics topics.jsonl --strategies ... --into lab/NAME
    ./run python scripts/doc_tables.py keep lab/NAME NAME    its figures, a line a crawl, into docs/results/NAME.jsonl
    ./run python scripts/doc_tables.py                       writes every table of docs/ anew
    ./run python scripts/doc_tables.py stale                 names those whose code has changed since

A table stands between marks that name its file. A test fails where a table is not what its file gives, so no figure
can be changed by hand; and it names the tables that were measured with other code than there is now.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from scenthound.errors import ScenthoundError
from scenthound.lab.crawls import results
from scenthound.lab.report.tables import markdown_table, number, p_value, signed, with_interval
from scenthound.lab.statistics import compare, mean_with_interval

DOCS = Path(__file__).parents[1] / "docs"
RESULTS = DOCS / "results"
BEGIN, END = "<!-- Table {name}: made by scripts/doc_tables.py; do not edit. -->", "<!-- End of table {name}. -->"
TABLE = re.compile(
    r"<!-- Table ([\w-]+): made by scripts/doc_tables\.py; do not edit\. -->\n(.*?)<!-- End of table \1\. -->", re.S
)
KEPT = ("recall-area", "target-recall", "harvest-rate", "informed-harvest-rate", "apr")
LEADING = "recall-area"


class KeptResult(Struct, frozen=True, omit_defaults=True):
    """One crawl of the lab: what a table says of it, and which code made it."""

    web: str
    topic: str
    strategy: str
    name: str
    baseline: bool
    budget: int
    code: str
    at: str
    final: dict[str, float]


def keep(folder: Path, name: str) -> Path:
    """The figures of a finished run, small enough to stay with the documents."""
    plan = msgspec.toml.decode((folder / "experiment.toml").read_bytes())
    baseline = plan.get("baseline") or plan["strategies"][0]
    rows = [
        KeptResult(
            row.web, row.topic, row.strategy, row.name, row.strategy == baseline, row.budget, row.code, row.at,
            {each: round(row.number(each), 5) for each in KEPT if row.number(each) == row.number(each)},
        )
        for row in results.read(folder / results.LINES)
    ]  # fmt: skip
    path = RESULTS / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return path


def read_kept(name: str) -> list[KeptResult]:
    return list(results.read_rows(RESULTS / f"{name}.jsonl", KeptResult))


def table(rows: Sequence[KeptResult]) -> str:
    """Recall area of every strategy, best first, and its difference to the baseline, paired by topic."""
    values: dict[str, dict[str, float]] = {}
    for row in rows:
        values.setdefault(row.strategy, {})[row.topic] = row.final.get(LEADING, float("nan"))
    baseline = next(row.strategy for row in rows if row.baseline)
    estimates = {strategy: mean_with_interval(list(topics.values())) for strategy, topics in values.items()}
    against = compare(values, baseline)
    lines = []
    for strategy in sorted(values, key=lambda each: -estimates[each].mean):
        found = against.get(strategy)
        cells = ["(baseline)", "", ""] if found is None else [
            f"{signed(found.difference.mean)} [{signed(found.difference.low)}, {signed(found.difference.high)}]",
            p_value(found.p_holm), "yes" if found.clear else "no",
        ]  # fmt: skip
        lines.append([f"`{strategy}`", with_interval(estimates[strategy]), _harvest(rows, strategy), *cells])
    head = ["strategy", "recall area", "harvest rate", "difference", "p (Holm)", "clear"]
    topics = len(dict.fromkeys(row.topic for row in rows))
    told = (
        f"{rows[0].web}, {topics} topics, {rows[0].budget} pages; means with 95 % intervals (t). Code: {_codes(rows)}."
    )
    return "\n".join([told, "", *markdown_table(head, lines)]) + "\n"


def _harvest(rows: Iterable[KeptResult], strategy: str) -> str:
    return number(
        mean_with_interval(
            [row.final.get("harvest-rate", float("nan")) for row in rows if row.strategy == strategy]
        ).mean
    )


def _codes(rows: Iterable[KeptResult]) -> str:
    found = sorted({row.code for row in rows})
    return found[0] if len(found) == 1 else f"{len(found)} digests, one a strategy, in the result file"


def stale(name: str) -> list[str]:
    """The strategies of a table whose code is not what it was."""
    return sorted({row.strategy for row in read_kept(name) if row.code != results.code_of(row.name)})


def tables_of(page: str) -> Iterator[tuple[str, str]]:
    """Name and content of each table that stands in a page."""
    for match in TABLE.finditer(page):
        yield match[1], match[2]


def rewritten(page: str) -> str:
    """The page with every table as its result file gives it now."""

    def anew(match: re.Match[str]) -> str:
        name = match[1]
        return f"{BEGIN.format(name=name)}\n{table(read_kept(name))}{END.format(name=name)}"

    return TABLE.sub(anew, page)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["keep"] and len(arguments) == 3:
        print(f"kept {keep(Path(arguments[1]), arguments[2])}")
        return 0
    if arguments == ["stale"]:
        old = {path.stem: changed for path in sorted(RESULTS.glob("*.jsonl")) if (changed := stale(path.stem))}
        for name, changed in old.items():
            print(f"{name}: {', '.join(changed)}")
        return int(bool(old))
    if arguments:
        print(__doc__)
        return 2
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (new := rewritten(text)) != text:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.name}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ScenthoundError, OSError) as error:
        sys.exit(str(error))
