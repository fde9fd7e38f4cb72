"""The results as plain tables: for the terminal, and as Markdown for papers and READMEs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from scenthound.lab.report.summary import ExperimentSummary
from scenthound.lab.statistics import Comparison, Estimate
from scenthound.report.formatting import plural

TITLES = {
    "recall-area": "recall area",
    "target-recall": "final recall",
    "harvest-rate": "harvest rate",
    "harvest-ratio": "harvest ratio",
    "average-similarity": "similarity",
}
LEVEL = 0.05


def number(value: float, digits: int = 3) -> str:
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "never"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits if abs(value) < 100 else min(1, digits)}f}"


def with_interval(estimate: Estimate) -> str:
    if not estimate.n:
        return "–"
    if math.isnan(estimate.low):
        return number(estimate.mean)  # one value alone has no interval
    return f"{number(estimate.mean)} [{number(estimate.low)}, {number(estimate.high)}]"


def mean_of(summary: ExperimentSummary, name: str, strategy: str) -> str:
    """A mean; `never` where no topic got there; how many did, where not all."""
    if summary.never(name, strategy):
        return "never"
    estimate = summary.of(name, strategy)
    part = f" ({estimate.n}/{estimate.of})" if 0 < estimate.n < estimate.of else ""
    return number(estimate.mean) + part


def signed(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:+.3f}"


def p_value(value: float) -> str:
    if math.isnan(value):
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def title(name: str) -> str:
    return TITLES.get(name, name.replace("-", " "))


def role(summary: ExperimentSummary, strategy: str) -> str:
    """`bound`, `baseline`, or nothing."""
    if strategy in summary.bounds:
        return "bound"
    return "baseline" if strategy == summary.baseline else ""


HEAD = ("difference", "p (Holm)", "wins/ties/losses")


def _cells(summary: ExperimentSummary, strategy: str) -> list[str]:
    cells = [with_interval(summary.of(name, strategy)) for name in summary.shown]
    comparison = summary.comparisons.get(summary.leading, {}).get(strategy)
    cells += compared_cells(comparison)
    cells += [number(summary.of("requests", strategy).mean, 0), number(summary.of("cpu", strategy).mean, 2)]
    return cells


def compared_cells(comparison: Comparison | None) -> list[str]:
    if comparison is None:
        return ["", "", ""]
    return [
        signed(comparison.difference.mean),
        p_value(comparison.p_holm),
        f"{comparison.wins}/{comparison.ties}/{comparison.losses}",
    ]


def leaderboard(summary: ExperimentSummary) -> Table:
    """For the terminal."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("strategy", no_wrap=True)
    for name in (*map(title, summary.shown), *HEAD, "requests", "ms/page"):
        table.add_column(name, justify="right", no_wrap=name not in HEAD)
    for strategy in summary.strategies:
        comparison = summary.comparisons.get(summary.leading, {}).get(strategy)
        sure = comparison is not None and comparison.clear
        kind = role(summary, strategy)
        style = "dim" if kind == "bound" else ("bold" if sure else "")
        named = Text(strategy, style=style)
        if kind:
            named.append(f" ({kind})", style="dim")
        table.add_row(named, *(Text(cell, style=style) for cell in _cells(summary, strategy)))
    return table


def markdown(summary: ExperimentSummary) -> str:
    """A section for a paper or a README: leaderboard, all measures, every topic."""
    seeds = f", {summary.seeds} seeds" if summary.seeds > 1 else ""
    found = plain_tables(summary)
    parts = [
        f"### {summary.web}: {plural(len(summary.topics), 'topic')}, {plural(summary.budget, 'page')}{seeds}",
        "",
        f"Means over topics with 95 % intervals (t); difference in {title(summary.leading)} to "
        f"`{summary.baseline}`, Wilcoxon signed-rank test, Holm-corrected.",
        "",
        *markdown_table(*found["leaderboard"]),
        "",
        "#### All measures",
        "",
        *markdown_table(*found["measures"]),
        "",
        f"#### {title(summary.leading).capitalize()} by topic",
        "",
        *markdown_table(*found["topics"]),
        "",
    ]
    return "\n".join(parts)


PlainTable = tuple[list[str], list[list[str]]]
"""A row of names, and the rows below it."""


def plain_tables(summary: ExperimentSummary) -> dict[str, PlainTable]:
    """Leaderboard, all measures, every topic: each table as texts, for whichever way it is written."""
    names = [_name(summary, strategy) for strategy in summary.strategies]
    return {
        "leaderboard": (
            ["strategy", *map(title, summary.shown), *HEAD, "requests", "ms/page"],
            [[_name(summary, strategy), *_cells(summary, strategy)] for strategy in summary.strategies],
        ),
        "measures": (
            ["measure", *names],
            [
                [name, *(mean_of(summary, name, strategy) for strategy in summary.strategies)]
                for name in summary.estimates
            ],
        ),
        "topics": (
            ["topic", *names],
            [
                [topic, *(number(_value(summary, strategy, topic)) for strategy in summary.strategies)]
                for topic in summary.topics
            ],
        ),
    }


def _value(summary: ExperimentSummary, strategy: str, topic: str) -> float:
    return summary.values[summary.leading].get(strategy, {}).get(topic, math.nan)


def _name(summary: ExperimentSummary, strategy: str) -> str:
    kind = role(summary, strategy)
    return f"{strategy} ({kind})" if kind else strategy


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        "| " + " | ".join(head) + " |",
        "|---" + "|---:" * (len(head) - 1) + "|",
        *("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows),
    ]
