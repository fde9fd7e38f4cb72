"""The report's facts as HTML: one function a section, in the order of the page. No I/O, nothing unescaped."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import inf
from typing import Any

import msgspec
from msgspec import Struct

from scenthound.config import Config, named
from scenthound.crawler.coverage.recall_estimate import RecallEstimate
from scenthound.judges.threshold import threshold_of
from scenthound.library.label_figures import LabelFigures, LabelledPage
from scenthound.protocols.records import CrawlRun, HostRow, JudgedAgain, LibraryCounts
from scenthound.report import charts
from scenthound.report.coverage_words import recall_words
from scenthound.report.formatting import duration, ending_words, percent, plural, size
from scenthound.report.label_section import label_section
from scenthound.report.markup import Html, el, join, short
from scenthound.report.page_list import PageLine, page_list_section, script_source
from scenthound.report.page_parts import day, legend, nothing, section, tally
from scenthound.report.site_section import SiteLine, site_section
from scenthound.report.trouble_section import FailureExamples, trouble_section

POLICY = f"default-src 'none'; style-src 'unsafe-inline'; script-src {script_source()}"
"""Should anything in the page ever ask for more, the browser refuses it: of scripts it knows one, by its digest."""

MOST_LISTED = 8


AGES = (("a day", 1.0), ("a week", 7.0), ("a month", 30.0), ("a year", 365.0), ("longer", inf))
OUTCOMES = {
    "same": "as it was",
    "noise": "dates and counters only",
    "missing": "not found, to be confirmed",
    "refused": "forbidden by robots.txt",
}


class Facts(Struct, frozen=True):
    """All that the report tells."""

    folder: str
    config: Config
    counts: LibraryCounts
    harvest: list[tuple[float, bool]]  # relevance, and whether it counted, of every page when it was fetched
    hosts: list[HostRow]
    runs: list[CrawlRun]
    disk: int  # bytes of the folder
    at: float
    ages: list[float] = []  # seconds since each relevant page was last known to be as stored, youngest first
    pages: Sequence[PageLine] = ()  # the collection, best first
    failures: FailureExamples = {}
    looks: Mapping[str, int] = {}  # what looks at stored pages have shown lately, by outcome
    sites: Sequence[SiteLine] = ()  # best first; of a crawl for sites
    labels: LabelFigures = LabelFigures()
    labelled: Sequence[LabelledPage] = ()  # stored pages with a label, what was said last first
    judged_again: JudgedAgain | None = None
    coverage: RecallEstimate | None = None  # of a crawl that was to reach some
    sites_note: str = ""  # on what labelled sites have taught


def render(facts: Facts) -> str:
    title = facts.config.topic.name or facts.folder
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", f"{short(title, 120)} – Scenthound report"),
        el("style", Html(_style())),
    )
    body = el(
        "main", _header(facts, title), _figures(facts), el("div", *_sections(facts), class_="grid"), _footer(facts)
    )
    return f"<!doctype html>\n{el('html', head, el('body', body), lang='en')}\n"


@cache
def _style() -> str:
    return files("scenthound.report").joinpath("report.css").read_text(encoding="utf-8")


def _sections(facts: Facts) -> Iterator[Html]:
    if facts.sites:
        yield site_section(facts.sites, facts.sites_note)
    yield page_list_section(facts.pages, facts.counts.fetched) if facts.pages else _no_pages(facts.counts)
    yield _harvest(facts)
    yield _relevance(facts)
    yield _hosts(facts)
    yield trouble_section(facts.counts, facts.failures)
    if facts.looks:
        yield _freshness(facts)
    if facts.labels != LabelFigures():
        yield label_section(facts.labels, facts.labelled)
    yield _settings(facts)
    yield _runs(facts.runs, facts.coverage)


def _header(facts: Facts, title: str) -> Html:
    strategy, judge = named(facts.config.crawl.strategy, "strategy")[0], named(facts.config.crawl.judge, "judge")[0]
    keywords = ", ".join(keyword.term for keyword in facts.config.make_topic().keywords) if _has_words(facts) else ""
    about = f"Looking for {short(keywords, 160)}. " if keywords and keywords != title else ""
    return el(
        "header",
        el("p", "Scenthound crawl report", class_="brand"),
        el("h1", short(title, 160)),
        el("p", f"{about}Links ranked by {strategy}, pages judged by {judge}.", class_="lead"),
    )


def _has_words(facts: Facts) -> bool:
    return bool(facts.config.topic.keywords or facts.config.topic.name)


def _figures(facts: Facts) -> Html:
    counts = facts.counts
    harvest = ("harvest", percent(counts.relevant, counts.fetched))
    figures = [
        *([_figure(len(facts.sites), "relevant site")] if facts.sites else []),
        _figure(counts.relevant, "relevant page"),
        _figure(counts.fetched, "page", " fetched"),
        *([] if facts.sites else [harvest]),
        _figure(counts.hosts, "host"),
        _figure(counts.waiting, "link", " waiting"),
        ("stored", size(facts.disk)),
    ]
    cells = [
        el("div", el("dt", name), el("dd", value), class_=None if number else "first")
        for number, (name, value) in enumerate(figures)
    ]
    return el("section", el("dl", *cells))


def _figure(number: int, noun: str, rest: str = "") -> tuple[str, str]:
    return f"{noun if number == 1 else f'{noun}s'}{rest}", f"{number:,}"


def _harvest(facts: Facts) -> Html:
    title, note = "Harvest", "Relevant pages found, over pages fetched. The steeper, the better the links were chosen."
    if facts.judged_again is not None:
        note += _as_they_came(facts, facts.judged_again)
    if not facts.harvest:
        return section(title, note, nothing("No page was fetched yet."), wide=True)
    drawing = charts.harvest([counted for _, counted in facts.harvest])
    key = legend(("curve", "relevant pages found"), ("ideal", "if every page were relevant"))
    return section(title, note, drawing, key, wide=True)


def _as_they_came(facts: Facts, again: JudgedAgain) -> str:
    """Why the curve ends elsewhere than the figure above it."""
    then, judge = sum(counted for _, counted in facts.harvest), f" with {again.judge}" if again.judge else ""
    if then == facts.counts.relevant:
        return ""
    return (
        f" The curve has the pages as they were judged when they came, {plural(then, 'relevant one')}; they were "
        f"judged again on {day(again.at)}{judge}, and now it is {facts.counts.relevant:,}."
    )


def _relevance(facts: Facts) -> Html:
    title, note = (
        "Relevance over time",
        "Each page in the order of fetching, 0 = nothing to do with the topic, 1 = all about it.",
    )
    if not facts.harvest:
        return section(title, note, nothing("No page was fetched yet."), wide=True)
    threshold = threshold_of(facts.config)
    drawing = charts.relevance([value for value, _ in facts.harvest], threshold)
    key = legend(
        ("curve", "moving average"), ("dots", "a page"), ("ideal", f"threshold {threshold:g}: a page counts from here")
    )
    return section(title, note, drawing, key, wide=True)


def _hosts(facts: Facts) -> Html:
    if not facts.hosts:
        return section("Hosts", "", nothing("No host has given a page yet."))
    most = max(host.pages for host in facts.hosts)
    rows = [
        el(
            "tr",
            el("td", short(host.host, 80)),
            el("td", charts.bar(host.relevant, host.pages, most), class_="track"),
            el("td", el("b", f"{host.relevant:,}"), f" of {host.pages:,}", class_="number"),
        )
        for host in facts.hosts
    ]
    shown = f"The {len(rows)} most fruitful of {facts.counts.hosts:,}." if facts.counts.hosts > len(rows) else ""
    key = legend(("part", "relevant"), ("rest", "fetched"), flush=True)
    return section("Hosts", shown, el("table", *rows, class_="bars"), key)


def _freshness(facts: Facts) -> Html:
    """How old the library's word is, and what looking again has shown."""
    young = 0
    groups: dict[str, int] = {}
    for name, days in AGES:
        upto = bisect_right(facts.ages, days * 86_400.0)
        groups[name], young = upto - young, upto
    note = "by when it was last known to be as stored."
    return el(
        "section",
        el("h2", "Freshness"),
        *tally({name: number for name, number in groups.items() if number}, "", "relevant page", note),
        el("h2", "Looked at again", class_="next"),
        *tally({OUTCOMES.get(name, name): number for name, number in facts.looks.items()}, "", "look", "in 30 days."),
    )


def _no_pages(counts: LibraryCounts) -> Html:
    why = " What the addresses answered that were asked for is told under Failed." if counts.failed else ""
    return section("Pages", "", nothing(f"No page was fetched yet.{why}"), wide=True)


def _settings(facts: Facts) -> Html:
    rows = [
        el("tr", el("td", key, class_="key"), el("td", *(el("div", line) for line in lines)))
        for key, lines in settings(facts)
    ]
    note = "What differs from the defaults, as the last run had it."
    return section("Settings", note, el("table", *rows) if rows else nothing("All as they come."))


def settings(facts: Facts) -> Iterator[tuple[str, list[str]]]:
    """(setting, its value in lines) of all that was set."""
    sections: dict[str, Any] = msgspec.to_builtins(facts.config)
    for name, values in sections.items():
        for key, value in values.items():
            yield f"{name}.{key}", _lines(value)


def _lines(value: Any) -> list[str]:
    """URLs get a line each; what else there may be goes into one."""
    if not isinstance(value, list):
        return [short(_said(value), 300)]
    said = [short(_said(each), 90) for each in value[:MOST_LISTED]]
    more = [f"and {len(value) - MOST_LISTED:,} more"] if len(value) > MOST_LISTED else []
    return [*said, *more] if any("://" in each for each in said) else [", ".join([*said, *more])]


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {_said(each)}" for key, each in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _runs(runs: Sequence[CrawlRun], coverage: RecallEstimate | None) -> Html:
    if not runs:
        return section("Runs", "", nothing("No run is on record."))
    rows = [
        el(
            "tr",
            el("td", day(run.started_at), class_="when"),
            el("td", duration(run.ended_at - run.started_at) if run.ended_at else "–", class_="number"),
            el("td", ending_words(run.reason, run.counters.get("held"), run.counters.get("looks"))),
        )
        for run in reversed(runs)
    ]
    head = el("tr", el("th", "Begun"), el("th", "Took", class_="number"), el("th", "Ended because"))
    note = recall_words(coverage) if coverage is not None else ""
    return section("Runs", note, el("table", el("thead", head), el("tbody", *rows)))


def _footer(facts: Facts) -> Html:
    software = facts.runs[-1].software if facts.runs else "Scenthound"
    return join(el("footer", f"Written {day(facts.at)} by {software} from the library {facts.folder}."))
