"""Results of judges as rows of text, and as tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from scenthound.lab.judges.judge_experiment import MEANING
from scenthound.lab.measures.judgements import MEASURES
from scenthound.lab.report.judge_summary import LEADING, GivenSummary, JudgeSummary
from scenthound.lab.report.tables import HEAD, compared_cells, markdown_table, number, with_interval
from scenthound.lab.statistics import Estimate
from scenthound.report.formatting import plural

TITLES = {
    "f1": "F1",
    "best-f1": "best F1",
    "average-precision": "AP",
    "auc": "AUC",
    "calibration-error": "ECE",
    "adaptive-calibration-error": "ECE (equal mass)",
    "brier": "Brier",
    "ms-a-page": "ms/page",
    "fit-seconds": "fit s",
}
INTERVALS = ("f1", "calibration-error")
SHOWN = ("f1", "precision", "recall", "best-f1", "average-precision", "auc", "calibration-error", "brier", "kept")

ANSWERS_NOTE = (
    "Mean F1 on the pages that no question was about, and what the answers brought: there, and in the collection: "
    "all pages, those asked about as they were answered."
)


def title(measure: str) -> str:
    return TITLES.get(measure, measure)


def heading(part: GivenSummary) -> str:
    return f"Judged {MEANING[part.given]}"


def head(part: GivenSummary) -> list[str]:
    return [*map(title, SHOWN), *(HEAD if part.comparisons.get(LEADING) else ()), title("ms-a-page")]


def cells(part: GivenSummary, judge: str) -> list[str]:
    found = [
        with_interval(part.of(name, judge)) if name in INTERVALS else number(part.of(name, judge).mean)
        for name in SHOWN
    ]
    if part.comparisons.get(LEADING):
        found += compared_cells(part.comparisons[LEADING].get(judge))
    return [*found, number(part.of("ms-a-page", judge).mean, 2)]


def named(summary: JudgeSummary, judge: str) -> str:
    return f"{judge} (baseline)" if judge == summary.baseline else judge


def chosen_line(part: GivenSummary) -> str:
    """What choosing among the judges is worth, in a sentence; empty where there is nothing to choose."""
    if len(part.judges) < 2 or not part.chosen.n:
        return ""
    told = ", ".join(f"{judge} {times}x" for judge, times in part.choices.items())
    return f"Chosen for each topic by the other topics ({told}): F1 {with_interval(part.chosen)}"


def answer_head(part: GivenSummary) -> list[str]:
    points = sorted({n for found in part.answers.values() for n in found})
    return [*(f"{n} answers" for n in points), "gain", "gain of the collection"]


def answer_rows(part: GivenSummary) -> Iterator[list[str]]:
    points = sorted({n for found in part.answers.values() for n in found})
    for judge in part.judges:
        found = part.answers.get(judge, {})
        if found:
            gains = [gains[judge][max(found)] for gains in (part.gains, part.collection_gains)]
            yield [judge, *(number(found[n].mean) if n in found else "–" for n in points), *map(_signed, gains)]


def _signed(gain: Estimate) -> str:
    return f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]" if gain.n else "–"


def markdown(summary: JudgeSummary) -> str:
    """A section for a paper or a README."""
    parts = [
        f"### {summary.web}: {plural(len(summary.topics), 'topic')}, up to {plural(summary.pages, 'page')}",
        "",
        "Means over topics with 95 % intervals (t), each judge at its own threshold; difference in F1 to "
        f"`{summary.baseline}`, Wilcoxon signed-rank test, Holm-corrected.",
        "",
    ]
    for part in summary.parts:
        parts += [f"#### {heading(part)}", "", *leaderboard_lines(summary, part), ""]
        parts += [f"{line}.", ""] if (line := chosen_line(part)) else []
        if any(part.answers.values()):
            parts += [ANSWERS_NOTE, "", *answer_lines(part), ""]
        parts += [*_all_measures(part), "", *_by_topic(part, summary.topics), ""]
    return "\n".join(parts)


def leaderboard_lines(summary: JudgeSummary, part: GivenSummary) -> list[str]:
    rows = [[named(summary, judge), *cells(part, judge)] for judge in part.judges]
    return markdown_table(["judge", *head(part)], rows)


def answer_lines(part: GivenSummary) -> list[str]:
    return markdown_table(["judge", *answer_head(part)], list(answer_rows(part)))


def _all_measures(part: GivenSummary) -> list[str]:
    rows = [[name, *(with_interval(part.of(name, judge)) for judge in part.judges)] for name in MEASURES]
    return markdown_table(["measure", *part.judges], rows)


def _by_topic(part: GivenSummary, topics: Sequence[str]) -> list[str]:
    values = part.values.get(LEADING, {})
    rows = [[topic, *(number(values.get(judge, {}).get(topic, math.nan)) for judge in part.judges)] for topic in topics]
    return markdown_table(["F1 by topic", *part.judges], rows)
