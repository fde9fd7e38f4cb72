"""What is in a library, on one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from rich.console import Console
from rich.text import Text

from scenthound.app.library_status import Find, HostShare, LibraryStatus, RunLine
from scenthound.cli.views.terminal_text import fit, sparkline
from scenthound.report.coverage_words import recall_words
from scenthound.report.failure_words import kind_in_words, noindex_line
from scenthound.report.formatting import count, day, duration, ending_words, percent, plural, printable, short_url, size
from scenthound.report.script_words import script_lines

GOOD, QUIET = "green", "dim"


def lines(status: LibraryStatus, width: int, height: int = 24, *, runs: bool = True) -> Iterator[Text]:
    """The status of a library as lines of text, for a screen of that size."""
    judgement = list(_judgement(status))
    rows = max(7, height - 17) - len(judgement)
    yield _heading(status, width)
    yield _harvest(status, width)
    yield _counts(status)
    yield from judgement
    yield Text()
    if status.best:
        yield _title("Best pages", width)
        yield from (_find(find, width) for find in status.best[: (rows + 1) // 2])
    if status.top_hosts:
        yield _title("Best hosts", width)
        yield from (_host(share, width) for share in status.top_hosts[: rows // 2])
    if status.coverage is not None:
        yield from _wrapped("", recall_words(status.coverage), width, QUIET)
    if runs and status.runs:
        yield _title("Runs", width)
        for run in status.runs[-3:]:
            yield from _run(run, width)
    if status.noindex:
        yield from _wrapped("Noindex", noindex_line(status.noindex), width, "yellow")
    for line in script_lines(status.scripts) if status.scripts is not None else ():
        yield from _wrapped("Scripts", line, width, "yellow")
    yield from _tallied("Failed", status.failures, width, "red")
    yield from _tallied("Refused", status.refusals, width, "yellow")
    yield from _tallied("Held up", status.held, width, "yellow", "links wait for hosts that could not be asked: ")


def draw(status: LibraryStatus, console: Console, *, runs: bool = True) -> None:
    for line in lines(status, console.width, console.height, runs=runs):
        console.print(line, no_wrap=True, overflow="ellipsis", crop=False)


def _heading(status: LibraryStatus, width: int) -> Text:
    line = Text.assemble(" ", (printable(status.topic) or "by example", "bold cyan"), (f" · {status.strategy}", QUIET))
    spare = width - line.cell_len - len(status.folder) - 1
    return line.append(f"{'':{spare}}{status.folder}", QUIET) if spare > 1 else line


def _harvest(status: LibraryStatus, width: int) -> Text:
    pages = plural(status.pages, "page")
    line = Text.assemble(
        f" {pages} · ",
        (f"{count(status.relevant)} relevant", GOOD),
        " · harvest ",
        (percent(status.relevant, status.pages), "bold"),
        "  ",
    )
    return line.append(sparkline(status.harvest, min(60, width - line.cell_len - 1)), GOOD)


def _counts(status: LibraryStatus) -> Text:
    parts = [
        f"{count(status.waiting)} waiting",
        plural(status.hosts, "host"),
        plural(status.duplicates, "duplicate"),
        f"{count(status.failed)} failed",
        f"{count(status.refused)} refused",
        size(status.bytes),
    ]
    return Text(" " + " · ".join(parts), style=QUIET)


def _judgement(status: LibraryStatus) -> Iterator[Text]:
    """What people said about it, and when it was judged again because of that or of something else."""
    labels, parts = status.labels, []
    if labels.pages.yes or labels.pages.no:
        parts.append(f"labels: {count(labels.pages.yes)} yes, {count(labels.pages.no)} no")
    if labels.sites.yes or labels.sites.no:
        parts.append(f"labels of sites: {count(labels.sites.yes)} yes, {count(labels.sites.no)} no")
    if parts:
        yield Text(" " + " · ".join(parts), style=QUIET)
    if status.judged_again is not None:
        judge = f" with {printable(status.judged_again.judge)}" if status.judged_again.judge else ""
        yield Text(f" judged again on {day(status.judged_again.at)}{judge}", style=QUIET)


def _title(title: str, width: int) -> Text:
    return Text.assemble((f" {title} ", "bold"), ("─" * max(0, width - len(title) - 3), "bright_black"))


def _find(find: Find, width: int) -> Text:
    room = width - 9
    half = room // 2
    title = fit(printable(find.title) or "(no title)", half)
    return Text.assemble(
        (f"  {find.relevance:.2f}  ", GOOD), title, "  ", (fit(short_url(find.url), room - half - 2), QUIET)
    )


def _host(share: HostShare, width: int) -> Text:
    room = max(12, min(48, width - 40))
    line = Text.assemble(
        f"  {fit(share.host, room)} {count(share.pages):>7} {'page ' if share.pages == 1 else 'pages'}",
        (f" {percent(share.relevant, share.pages):>6} ", GOOD),
    )
    cells = min(16, width - line.cell_len)
    full = round(cells * share.relevant / share.pages) if share.pages else 0
    return line.append("━" * full, GOOD).append("━" * (cells - full), "bright_black")


def _tallied(title: str, tally: Mapping[str, int], width: int, style: str, before: str = "") -> Iterator[Text]:
    if tally:
        words = " · ".join(f"{count(number)} × {printable(kind_in_words(kind))}" for kind, number in _most(tally, 6))
        yield from _wrapped(title, before + words, width, style)


def _wrapped(title: str, words: str, width: int, style: str) -> Iterator[Text]:
    """What is to be read to its end: on as many lines as it takes, the title before the first."""
    indent = 9 if title else 1
    for nth, line in enumerate(textwrap.wrap(words, max(20, width - indent), break_on_hyphens=False)):
        yield Text.assemble((f" {'' if nth else title:{indent - 1}}", style), (line, "" if title else style))


def _most(tally: Mapping[str, int], most: int) -> Iterable[tuple[str, int]]:
    ordered = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(number for _, number in ordered[most:])
    return [*ordered[:most], *([("other", rest)] if rest else [])]


def _run(run: RunLine, width: int) -> Iterator[Text]:
    when = datetime.fromtimestamp(run.started).strftime("%Y-%m-%d %H:%M")
    took = duration(run.ended - run.started) if run.ended else "?"
    number, noun = (run.looks, "look") if run.looks else (run.pages, "page")
    done = f"  {plural(int(number), noun):>12}" if number is not None else ""
    before = f"  {when}  {took:>8}{done}  "
    ending = textwrap.wrap(ending_words(run.ending, run.held, run.looks), max(12, width - len(before)))
    for nth, words in enumerate(ending):
        yield Text.assemble(" " * len(before) if nth else before, (words, QUIET))
