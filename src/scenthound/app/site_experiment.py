"""An experiment with crawlers for sites: from words to its figures, and the folder they are kept in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from scenthound.app.experiment import plain
from scenthound.errors import UsageError
from scenthound.lab.crawls import results
from scenthound.lab.entry_spelling import split_list
from scenthound.lab.report.share_intervals import share
from scenthound.lab.report.tables import markdown_table, with_interval
from scenthound.lab.sites.site_experiment import SHOWN, SiteExperiment, SiteRow, run_site_experiment, summary
from scenthound.lab.statistics import Estimate

ALL = "all"
SHARES = ("website-harvest-rate", "precision", "recall", "f")
LINES = "sites.jsonl"
ALSO = ("web", "generated", "web_seed", "labels", "only", "pages", "sites")
"""Options that make sense with `--sites`."""


def plan_site_experiment(given: dict[str, Any]) -> SiteExperiment:
    """The experiment that options describe; `all` stands for the website crawler and all it is compared with."""
    said = {key: value for key, value in given.items() if value is not None}
    for key in said:
        if key not in ALSO:
            option = {"budget": "budget-counts"}.get(key, key).replace("_", "-")
            raise UsageError(f"--{option} is about crawls for pages, and --sites about crawls for sites: leave it out.")
    crawlers = split_list(said.pop("sites"))
    if crawlers == [ALL]:
        return SiteExperiment(**said)
    return SiteExperiment(crawlers=crawlers, **said)


def run_and_keep(
    experiment: SiteExperiment, folder: Path | None, tell: Callable[[int, int, str], None]
) -> list[SiteRow]:
    """All crawls; with a folder, their results are kept there, a line each."""
    rows = run_site_experiment(experiment, tell)
    if folder is not None:
        results.prepare_folder(folder)
        (folder / LINES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
        (folder / "report.md").write_text(site_table(rows) + "\n", encoding="utf-8")
    return rows


def site_figures(rows: Sequence[SiteRow]) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "web": rows[0].web if rows else "",
        "tasks": list(dict.fromkeys(row.task for row in rows)),
        "crawlers": {
            crawler: {name: plain(msgspec.to_builtins(estimate)) for name, estimate in found.items()}
            for crawler, found in _estimates(rows).items()
        },
    }


def site_table(rows: Sequence[SiteRow]) -> str:
    """As Markdown: a row a crawler."""
    return "\n".join(markdown_table(["crawler", *SHOWN], site_cells(rows)))


def site_cells(rows: Sequence[SiteRow]) -> list[list[str]]:
    return [[crawler, *(with_interval(found[name]) for name in SHOWN)] for crawler, found in _estimates(rows).items()]


def _estimates(rows: Sequence[SiteRow]) -> dict[str, dict[str, Estimate]]:
    """Crawler -> measure -> its mean over tasks, with an interval."""
    return {
        crawler: {name: share(each) if name in SHARES else each for name, each in found.items()}
        for crawler, found in summary(rows).items()
    }
