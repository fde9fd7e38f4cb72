"""The report on judges: one HTML page that needs nothing else."""

from __future__ import annotations

import math

from scenthound.lab.judges.judge_experiment import MEANING
from scenthound.lab.measures.judgements import MEASURES
from scenthound.lab.report import charts
from scenthound.lab.report.charts import Palette
from scenthound.lab.report.judge_summary import LEADING, GivenSummary, JudgeSummary
from scenthound.lab.report.judge_tables import (
    ANSWERS_NOTE,
    INTERVALS,
    SHOWN,
    answer_head,
    answer_rows,
    chosen_line,
    heading,
    title,
)
from scenthound.lab.report.page import document, scrolled, section, to_repeat
from scenthound.lab.report.tables import HEAD, compared_cells, number, with_interval
from scenthound.report.formatting import plural
from scenthound.report.markup import Html, el


def page(summary: JudgeSummary, experiment: str, command: str, folder: str) -> str:
    """The whole page. `experiment` is the TOML text and `command` the line that repeat it."""
    palette = Palette(summary.judges, [])
    sections = [each for part in summary.parts for each in _sections(summary, part, palette)]
    note = "Same web, same topics, same program: the same figures. Times differ."
    body = el(
        "main",
        _header(summary),
        el("div", *sections, to_repeat(summary.rows, experiment, command, note), class_="grid"),
        el("footer", f"Results of every trial: judges.jsonl beside this page, in {folder}."),
    )
    return document(f"{summary.web}: judges · Scenthound lab", body)


def _header(summary: JudgeSummary) -> Html:
    best = [
        f"{MEANING[part.given].capitalize()}, {part.judges[0]} has the highest mean F1: "
        f"{number(part.of(LEADING, part.judges[0]).mean)}."
        for part in summary.parts
    ]
    lead = (
        f"{plural(len(summary.judges), 'judge')} on {plural(len(summary.topics), 'topic')}: up to "
        f"{plural(summary.pages, 'page')} judged for each "
        f"and held against the truth. {' '.join(best)}"
    )
    return el(
        "header",
        el("p", "Scenthound lab", class_="brand"),
        el("h1", f"{summary.web}: judges"),
        el("p", lead, class_="lead"),
    )


def _sections(summary: JudgeSummary, part: GivenSummary, palette: Palette) -> list[Html]:
    found = [_leaderboard(summary, part, palette)]
    found += [_reliability(part, judge, palette) for judge in part.judges]
    if any(part.answers.values()):
        found.append(_answers(part, palette))
    return [*found, _by_topic(summary, part), _measures(part)]


def _leaderboard(summary: JudgeSummary, part: GivenSummary, palette: Palette) -> Html:
    comparisons = part.comparisons.get(LEADING, {})
    head = [el("th", "judge"), el("th", "F1", class_="number"), el("th", "")]
    head += [el("th", title(name), class_="number", title=MEASURES[name].doc) for name in SHOWN[1:]]
    head += [el("th", name, class_="number") for name in (HEAD if comparisons else ())]
    head += [el("th", "threshold", class_="number"), el("th", title("ms-a-page"), class_="number")]
    rows = []
    for judge in part.judges:
        f1 = part.of(LEADING, judge)
        mark = el("span", " baseline") if judge == summary.baseline else Html("")
        cells = [
            el("td", el("span", class_="swatch", style=palette[judge]), judge, mark, class_="name"),
            el("td", el("b", number(f1.mean)), class_="number", title=with_interval(f1)),
            el("td", charts.interval(f1.low, f1.mean, f1.high, 1.0, palette[judge]), class_="lane-cell"),
        ]
        for name in SHOWN[1:]:
            estimate = part.of(name, judge)
            told = with_interval(estimate) if name in INTERVALS else number(estimate.mean)
            cells.append(el("td", told, class_="number", title=with_interval(estimate)))
        if comparisons:
            comparison = comparisons.get(judge)
            sure = "number sure" if comparison is not None and comparison.clear else "number"
            cells += [el("td", each, class_=sure) for each in compared_cells(comparison)]
        cells += [
            el("td", number(summary.thresholds[judge], 2), class_="number"),
            el("td", number(part.of("ms-a-page", judge).mean, 2), class_="number"),
        ]
        rows.append(el("tr", *cells))
    note = (
        "Means over topics; intervals are 95 % (t). Precision, recall and F1 are at the judge's own threshold. "
        f"Differences in F1 are paired topic by topic with {summary.baseline}; p is Wilcoxon's, corrected for the "
        "number of judges; green: below 0.05. What a figure means appears under the pointer."
    )
    table = el("table", el("thead", el("tr", *head)), el("tbody", *rows), class_="board")
    chosen = el("p", f"{line}.", class_="note") if (line := chosen_line(part)) else Html("")
    return section(heading(part), note, *scrolled(table), chosen, wide=True)


def _reliability(part: GivenSummary, judge: str, palette: Palette) -> Html:
    picture = charts.reliability(judge, part.reliability[judge], palette[judge])
    note = (
        f"{MEANING[part.given].capitalize()}: of the pages that got a score, how many are relevant. On the diagonal, "
        f"0.7 means seven of ten. Expected calibration error {with_interval(part.of('calibration-error', judge))}."
    )
    return section(f"Reliability of {judge}", note, picture)


def _answers(part: GivenSummary, palette: Palette) -> Html:
    lines = {judge: {n: each.mean for n, each in found.items()} for judge, found in part.answers.items() if found}
    head = el("tr", el("th", "judge"), *(el("th", each, class_="number") for each in answer_head(part)))
    rows = [
        el("tr", el("td", row[0]), *(el("td", each, class_="number") for each in row[1:])) for row in answer_rows(part)
    ]
    note = f"{MEANING[part.given].capitalize()}, then a person answers questions, here from the truth. {ANSWERS_NOTE}"
    table = el("table", el("thead", head), el("tbody", *rows))
    return section("Learning from answers", note, charts.over_answers(lines, palette), table, wide=True)


def _by_topic(summary: JudgeSummary, part: GivenSummary) -> Html:
    values = part.values.get(LEADING, {})
    rows = []
    for topic in summary.topics:
        known = [values.get(judge, {}).get(topic, math.nan) for judge in part.judges]
        best = max((value for value in known if math.isfinite(value)), default=math.inf)
        cells = [el("td", number(each), class_="number best-cell" if each == best else "number") for each in known]
        rows.append(el("tr", el("td", topic), *cells))
    head = el("tr", el("th", "topic"), *(el("th", judge, class_="number") for judge in part.judges))
    table = el("table", el("thead", head), el("tbody", *rows))
    note = f"F1 {MEANING[part.given]}; the best judge of each topic stands out."
    return section("Every topic", note, *scrolled(table), wide=True)


def _measures(part: GivenSummary) -> Html:
    head = el("tr", el("th", "figure"), *(el("th", judge, class_="number") for judge in part.judges))
    rows = [
        el(
            "tr",
            el("td", name, title=known.doc),
            *(el("td", with_interval(part.of(name, judge)), class_="number") for judge in part.judges),
        )
        for name, known in MEASURES.items()
    ]
    table = el("table", el("thead", head), el("tbody", *rows))
    note = f"Means over topics with 95 % intervals (t), {MEANING[part.given]}."
    return section("All figures", note, *scrolled(table), wide=True)
