"""The report of an experiment: one HTML page that needs nothing else, to be read, kept and sent around."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Protocol

import numpy as np

from scenthound.lab.measures.registry import measure
from scenthound.lab.report import charts, tables
from scenthound.lab.report.charts import Palette
from scenthound.lab.report.summary import ExperimentSummary
from scenthound.lab.report.tables import number, p_value, signed, title
from scenthound.lab.statistics import Band
from scenthound.report.formatting import plural
from scenthound.report.markup import Html, el, join

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
MOST_TOPICS = 48
"""Small pictures at most; a table follows that has them all."""


def page(summary: ExperimentSummary, experiment: str, command: str, folder: str) -> str:
    """The whole page. `experiment` is the TOML text and `command` the line that repeat it."""
    palette = Palette(summary.strategies, summary.bounds)
    name = f"{summary.web} · Scenthound lab"
    body = el(
        "main",
        _header(summary),
        el(
            "div",
            _leaderboard(summary, palette),
            *_curves(summary, palette),
            _topics(summary, palette),
            _cost(summary, palette),
            _stages(summary),
            _measures(summary),
            _by_topic(summary),
            _settings(summary, experiment, command),
            class_="grid",
        ),
        el("footer", f"Results of every crawl: results.jsonl beside this page, in {folder}."),
    )
    return document(name, body)


def document(name: str, body: Html) -> str:
    """A page that asks for nothing else."""
    head = el(
        "head",
        Html('<meta charset="utf-8"/>'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1"/>'),
        el("title", name),
        Html(f"<style>{style()}</style>"),
    )
    return f"<!DOCTYPE html>\n{el('html', head, el('body', body), lang='en')}\n"


@cache
def style() -> str:
    """Of all pages of the lab."""
    shared = files("scenthound.report").joinpath("report.css").read_text(encoding="utf-8")
    return shared + files("scenthound.lab.report").joinpath("lab.css").read_text(encoding="utf-8")


def _header(summary: ExperimentSummary) -> Html:
    crawls = plural(len(summary.rows), "crawl")
    seeds = f", {summary.seeds} random seeds each" if summary.seeds > 1 else ""
    contestants = len(summary.strategies) - len(summary.bounds)
    strategies = "1 strategy" if contestants == 1 else f"{contestants:,} strategies"
    return el(
        "header",
        el("p", "Scenthound lab", class_="brand"),
        el("h1", summary.web),
        el("p", f"{strategies} on {plural(len(summary.topics), 'topic')}{seeds}: {crawls} of up to "
                f"{plural(summary.budget, 'page')}. {_verdict(summary)}", class_="lead"),
    )  # fmt: skip


def _verdict(summary: ExperimentSummary) -> str:
    """What the leaderboard says, in a sentence, and no more than it says."""
    contestants = [strategy for strategy in summary.strategies if strategy not in summary.bounds]
    best = contestants[0] if contestants else ""
    if not best or best == summary.baseline:
        return f"No strategy has a higher mean {title(summary.leading)} than {summary.baseline}." if best else ""
    comparison = summary.comparisons[summary.leading][best]
    sure = "" if comparison.p_holm < tables.LEVEL else ": on these topics it may be chance"
    return (
        f"{best} leads: {number(summary.of(summary.leading, best).mean)} mean {title(summary.leading)} against "
        f"{number(summary.of(summary.leading, summary.baseline).mean)} of {summary.baseline} "
        f"(p = {p_value(comparison.p_holm)}{sure})."
    )


def scrolled(table: Html) -> list[Html]:
    """A table that may be wider than the page: a shadow shows where there is more of it, and on a phone a word."""
    # It can be reached with the keyboard, else nobody without a mouse sees the rest of it.
    return [
        el("div", table, class_="scroll", tabindex="0", role="region", aria_label="A table that scrolls sideways"),
        el("p", "Wide tables scroll sideways.", class_="sideways"),
    ]


def section(heading: str, note: str, *content: Html, wide: bool = False) -> Html:
    return el("section", el("h2", heading), el("p", note, class_="note"), *content, class_="wide" if wide else None)


def _leaderboard(summary: ExperimentSummary, palette: Palette) -> Html:
    tops = {
        name: max((summary.of(name, each).high for each in summary.strategies if summary.of(name, each).n), default=1.0)
        for name in summary.shown
    }
    head = [el("th", "strategy")]
    for name in summary.shown:
        head += [el("th", title(name), class_="number"), el("th", "")]
    head += [
        el("th", label, class_="number")
        for label in (f"Δ {title(summary.leading)}", "p (Holm)", "won/tied/lost", "requests", "ms/page")
    ]
    rows = [el("tr", *_standing(summary, strategy, tops, palette)) for strategy in summary.strategies]
    note = (
        "Means over topics; the line is the 95 % interval (t). Differences are paired topic by topic with "
        f"{summary.baseline}; p is Wilcoxon's, corrected for the number of strategies; green: below 0.05."
    )
    table = el("table", el("thead", el("tr", *head)), el("tbody", *rows), class_="board")
    return section("Leaderboard", note, *scrolled(table), wide=True)


def _standing(summary: ExperimentSummary, strategy: str, tops: dict[str, float], palette: Palette) -> list[Html]:
    kind = tables.role(summary, strategy)
    mark = el("span", f" {kind}") if kind else Html("")
    cells = [el("td", el("span", class_="swatch", style=palette[strategy]), strategy, mark, class_="name")]
    for name in summary.shown:
        estimate = summary.of(name, strategy)
        picture = charts.interval(estimate.low, estimate.mean, estimate.high, tops[name], palette[strategy])
        told = f"[{number(estimate.low)}, {number(estimate.high)}]"
        cells += [
            el("td", el("b", number(estimate.mean)), class_="number", title=told),
            el("td", picture, class_="lane-cell"),
        ]
    comparison = summary.comparisons.get(summary.leading, {}).get(strategy)
    if comparison is None:
        cells += [el("td", "")] * 3
    else:
        difference = comparison.difference
        sure = "number sure" if comparison.p_holm < tables.LEVEL else "number"
        told = f"[{signed(difference.low)}, {signed(difference.high)}]"
        cells += [
            el("td", signed(difference.mean), class_=sure, title=told),
            el("td", p_value(comparison.p_holm), class_=sure),
            el("td", f"{comparison.wins}/{comparison.ties}/{comparison.losses}", class_="number"),
        ]
    cells += [
        el("td", number(summary.of("requests", strategy).mean, 0), class_="number"),
        el("td", number(summary.of("cpu", strategy).mean, 2), class_="number"),
    ]
    return cells


def _key(summary: ExperimentSummary, palette: Palette) -> Html:
    return el(
        "ul",
        *(
            el("li", strategy, class_="bound" if strategy in summary.bounds else None, style=palette[strategy])
            for strategy in summary.strategies
        ),
        class_="key-list",
    )


def _curves(summary: ExperimentSummary, palette: Palette) -> list[Html]:
    names = [name for name in ("target-recall", "harvest-rate", "average-similarity") if name in summary.bands][:2]
    found = []
    for name in names:
        bands = {strategy: summary.bands[name][strategy] for strategy in _drawn(summary, name)}
        picture = charts.curves(title(name), bands, summary.positions, palette)
        heading = "target recall" if name == "target-recall" else title(name)
        note = f"{measure.get(name).doc} Mean over topics, with its 95 % interval."
        found.append(section(heading.capitalize(), note, picture, _key(summary, palette), wide=len(names) == 1))
    return found


def _drawn(summary: ExperimentSummary, name: str) -> list[str]:
    return [strategy for strategy in summary.strategies if strategy in summary.bands[name]]


def _topics(summary: ExperimentSummary, palette: Palette) -> Html:
    name = "target-recall" if "target-recall" in summary.curves else next(iter(summary.curves), "")
    if not name:
        return Html("")
    curves = summary.curves[name]
    known = [line[np.isfinite(line)] for topics in curves.values() for line in topics.values()]
    top = max((float(line.max()) for line in known if len(line)), default=1.0) or 1.0
    top = min(1.0, top) if name == "target-recall" else top
    pictures = [
        charts.small(
            topic,
            {each: curves[each][topic] for each in summary.strategies if topic in curves.get(each, {})},
            summary.positions,
            palette,
            top,
        )
        for topic in summary.topics[:MOST_TOPICS]
    ]
    note = f"{name.replace('-', ' ').capitalize()} over pages, all to one scale: 0 to {number(top, 2)}."
    return section("Topic by topic", note, el("div", *pictures, class_="many"), _key(summary, palette), wide=True)


def _cost(summary: ExperimentSummary, palette: Palette) -> Html:
    points = {
        strategy: (summary.of("cpu", strategy).mean, summary.of(summary.leading, strategy).mean)
        for strategy in summary.strategies
        if strategy not in summary.bounds
    }
    note = f"CPU milliseconds a page, and {title(summary.leading)}. Up and to the left is better."
    return section("Cost against benefit", note, charts.scatter(points, palette, "ms/page", title(summary.leading)))


def _stages(summary: ExperimentSummary) -> Html:
    stages = [name for name in summary.estimates if name.startswith("cpu-")]
    before = sum(row.parsed_before for row in summary.rows)
    stored = "cpu-store" in summary.estimates
    note = "CPU milliseconds a page, by stage." + (
        "" if stored else " Nothing was stored; run with --store to have that measured as well."
    )
    if before:
        note += f" {before:,} page visits met a page parsed before: what that had cost is charged to each of them."
    head = el("tr", el("th", "strategy"), *(el("th", each.removeprefix("cpu-"), class_="number") for each in stages))
    rows = [
        el(
            "tr",
            el("td", strategy),
            *(el("td", number(summary.of(stage, strategy).mean, 2), class_="number") for stage in stages),
        )
        for strategy in summary.strategies
    ]
    return section("Where the time goes", note, *scrolled(el("table", el("thead", head), el("tbody", *rows))))


def _measures(summary: ExperimentSummary) -> Html:
    head = el("tr", el("th", "measure"), *(el("th", each, class_="number") for each in summary.strategies))
    rows = []
    for name in summary.estimates:
        known = measure.get(name)
        cells = [el("td", name, el("div", known.doc, class_="facts"), class_="meaning")]
        for strategy in summary.strategies:
            estimate = summary.of(name, strategy)
            text = tables.mean_of(summary, name, strategy)
            cells.append(el("td", text, class_="number", title=f"[{number(estimate.low)}, {number(estimate.high)}]"))
        rows.append(el("tr", *cells))
    note = (
        "Means over topics; (3/12): known for three of twelve topics, as when the others never got there. "
        "The interval of a mean appears under the pointer."
    )
    table = el("table", el("thead", head), el("tbody", *rows))
    return section("All measures", note, *scrolled(table), wide=True)


def _by_topic(summary: ExperimentSummary) -> Html:
    contestants = [strategy for strategy in summary.strategies if strategy not in summary.bounds]
    values = summary.values[summary.leading]
    rows = []
    for topic in summary.topics:
        best = max((values[each].get(topic, -math.inf) for each in contestants), default=math.inf)
        cells = [el("td", topic)]
        for strategy in summary.strategies:
            value = values[strategy].get(topic, math.nan)
            winner = strategy in contestants and value == best
            cells.append(el("td", number(value), class_="number best-cell" if winner else "number"))
        rows.append(el("tr", *cells))
    head = el("tr", el("th", "topic"), *(el("th", each, class_="number") for each in summary.strategies))
    note = f"{title(summary.leading).capitalize()}; the best contestant of each topic stands out."
    table = el("table", el("thead", head), el("tbody", *rows))
    return section("Every topic", note, *scrolled(table), wide=True)


def _settings(summary: ExperimentSummary, experiment: str, command: str) -> Html:
    note = "Same web, same seeds, same program: the same crawls, page by page. Times differ."
    return to_repeat(summary.rows, experiment, command, note)


class RepeatableRow(Protocol):
    """What a result says of how it was made."""

    @property
    def web_identity(self) -> str: ...
    @property
    def software(self) -> Mapping[str, str]: ...
    @property
    def machine(self) -> Mapping[str, str | int | None]: ...
    @property
    def code(self) -> str: ...
    @property
    def at(self) -> str: ...


def to_repeat(rows: Sequence[RepeatableRow], experiment: str, command: str, note: str) -> Html:
    """All that is needed to make the same results again."""
    row = rows[0]
    versions = ", ".join(f"{name} {version}" for name, version in row.software.items())
    where = ", ".join(f"{name} {value}" for name, value in row.machine.items())
    facts = [
        ("Web", row.web_identity),
        ("Versions", versions),
        ("Machine", where),
        ("Program", f"source digest {', '.join(sorted({each.code for each in rows}))}"),
        ("Measured", f"{min(each.at for each in rows)} to {max(each.at for each in rows)}"),
    ]
    as_given = el("details", el("summary", "The same as experiment.toml"), el("pre", experiment))
    return section(
        "The experiment, and how to repeat it",
        note,
        _facts_table(experiment_facts(experiment)),
        el("pre", command),
        as_given,
        el("details", el("summary", "Program and machine"), _facts_table(facts)),
        wide=True,
    )


def _facts_table(facts: Sequence[tuple[str, str]]) -> Html:
    return el("table", *(el("tr", el("td", name, class_="key"), el("td", value)) for name, value in facts))


def experiment_facts(experiment: str) -> list[tuple[str, str]]:
    """The settings of an experiment, a line each, as people write them."""
    return [(name.replace("_", " "), _in_words(value)) for name, value in tomllib.loads(experiment).items()]


def _in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return " ".join(f"{key} {_in_words(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def curve_page(heading: str, lead: str, curves: dict[str, tuple[str, list[int], list[float]]]) -> str:
    """A page with a curve for each measure of one crawl: measure -> (what it means, positions, values)."""
    palette = Palette(["this crawl"], [])
    sections = []
    for name, (doc, positions, values) in curves.items():
        line = np.array(values, dtype=np.float64)
        band = Band(line, line, line)
        picture = charts.curves(title(name), {"this crawl": band}, positions, palette)
        sections.append(section(title(name).capitalize(), doc, picture))
    head = el("head", Html('<meta charset="utf-8"/>'), el("title", heading), Html(f"<style>{style()}</style>"))
    top = el("header", el("p", "Scenthound", class_="brand"), el("h1", heading), el("p", lead, class_="lead"))
    body = el("main", top, el("div", join(*sections), class_="grid"))
    return f"<!DOCTYPE html>\n{el('html', head, el('body', body), lang='en')}\n"
