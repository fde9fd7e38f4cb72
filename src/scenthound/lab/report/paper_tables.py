"""The tables of an experiment as files for a paper: CSV to compute on, LaTeX (booktabs) to print."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from scenthound.lab.report import tables
from scenthound.lab.report.summary import ExperimentSummary

FOLDER = "tables"

_SPECIAL = re.compile(r"[&%$#_{}~^\\]")
_SPELT = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}


def write_tables(summary: ExperimentSummary, folder: Path) -> list[Path]:
    """leaderboard, measures and topics, each as .csv and .tex; returns where they are."""
    place, written = folder / FOLDER, []
    place.mkdir(exist_ok=True)
    for name, (head, rows) in tables.plain_tables(summary).items():
        for ending, text in ((".csv", as_csv(head, rows)), (".tex", as_latex(head, rows))):
            path = place / f"{name}{ending}"
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def as_csv(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def as_latex(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A tabular to \\input; it wants the package booktabs."""
    lines = [r"\begin{tabular}{l" + "r" * (len(head) - 1) + "}", r"\toprule"]
    lines += [_row(head), r"\midrule", *map(_row, rows), r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(_escaped, cells)) + r" \\"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _SPELT.get(found[0], "\\" + found[0]), text)
