"""One screen of a crawl: how far it is, its figures in columns, best finds and last pages, what the keys do.

Drawn as plain lines of text rather than nested tables and panels: that costs a millisecond or two a frame,
which leaves the crawl its processor. Narrow terminals get fewer columns, not shorter words.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice, zip_longest
from math import ceil

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from scenthound import urls
from scenthound.app.crawl_progress import RECENT_PAGES, ArrivedPage, CrawlProgress
from scenthound.cli.views.terminal_text import fit, sparkline
from scenthound.config import named
from scenthound.protocols.crawl import Clock
from scenthound.report.failure_words import in_words
from scenthound.report.formatting import count, duration, percent, plural, printable, short_url

SIDE_BY_SIDE = 120
"""From this width on, best finds and last pages stand beside each other."""

TWO_COLUMNS = 66
"""From this width on, a page has its address beside its title."""

FIGURE = 19
"""Cells that a figure takes with its name: three of them fit into 60."""

LOW = 16
"""Terminals with fewer lines have no room for the curve."""

CURVE = 48  # cells of the harvest curve, at most
MOST_ROWS = 10
LABEL, GOOD, BAD, QUIET = "bold", "green", "red", "dim"

KEYS = {
    "p": "pause, and go on",
    "+": "more requests at once",
    "-": "fewer requests at once",
    "s": "sort the best finds: most relevant first, newest first, by host",
    "q": "stop: what is under way is finished, and the crawl can go on later",
    "?": "show and hide this",
}
KEYS_LINE = "p pause · + - parallel · s sort · q stop · ? help"
CTRL_C = "Ctrl-C finishes what is under way and stops; a second one stops at once."

ORDERS = ("most relevant first", "newest first", "by host")


class Screen:
    """Draws the progress of a crawl, as large as the terminal is at that moment."""

    def __init__(self, progress: CrawlProgress, folder: str, clock: Clock = time.time) -> None:
        self.progress = progress
        self.folder = folder
        self.notice = ""
        self.keys = False  # whether somebody can press some
        self.help = False
        self.order = ORDERS[0]
        self._clock = clock

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, console.height
        top, bottom = [self._heading(width), *self._progress(width), Text()], list(self._bottom(width))
        if not self.help:
            top += [*self._figures(width, curve=height >= LOW), Text()]
        room = height - len(top) - len(bottom) - 1
        yield from top
        yield from self._help(width, room) if self.help else self._lists(width, room)
        yield from bottom

    def _heading(self, width: int) -> Text:
        crawl = self.progress.crawl
        if crawl is None:
            return Text(" Setting out ...")
        strategy, _ = named(crawl.config.crawl.strategy, "strategy")
        name = printable(crawl.config.topic.name) or "by example"
        topic = fit(name, min(max(10, width - len(strategy) - 8), cell_len(name))).rstrip()
        line = Text.assemble(" ", (topic, "bold cyan"), (f" · {strategy}", QUIET))
        spare = width - line.cell_len - len(self.folder) - 2
        return line.append(f" {'':{spare}}{self.folder}", QUIET) if spare > 1 else line

    # How far it is

    def _progress(self, width: int) -> Iterator[Text]:
        """The bar grows with the pages; its green part is what was relevant. Too narrow for both, words get a line."""
        if self.progress.crawl is None:
            return
        words = self._how_far()
        beside = width - cell_len(words) - 4
        yield self._bar(beside if beside >= 16 else width - 2).append(f"  {words}" if beside >= 16 else "")
        if beside < 16:
            yield from (Text(f" {line}") for line in textwrap.wrap(words, width - 2))

    def _how_far(self) -> str:
        progress, crawl = self.progress, self.progress.crawl
        assert crawl is not None
        tally, budget = crawl.tally, crawl.config.crawl
        pages = f"{count(tally.pages)} / {count(budget.pages)} pages" if budget.pages else plural(tally.pages, "page")
        parts = [pages, duration(progress.elapsed)]
        if crawl.paused:
            parts.append("paused")
        elif (left := progress.seconds_left()) is not None:
            parts.append(f"{duration(left)} left, until about {self._moment(left)}")
        return " · ".join(parts)

    def _moment(self, left: float) -> str:
        """The time of day at which it ends; with its day, unless that is today."""
        now, end = self._clock(), datetime.fromtimestamp(self._clock() + left)
        return f"{end:%H:%M}" if datetime.fromtimestamp(now).date() == end.date() else f"{end:%a %d %b %H:%M}"

    def _bar(self, room: int) -> Text:
        progress, crawl = self.progress, self.progress.crawl
        assert crawl is not None
        tally, budget = crawl.tally, crawl.config.crawl
        done = tally.pages / budget.pages if budget.pages else 0.0
        if not budget.pages and budget.minutes:
            done = progress.elapsed / (60 * budget.minutes)
        full = round(room * min(1.0, done))
        green = round(full * tally.relevant / tally.pages) if tally.pages else 0
        return Text.assemble(
            " ", ("━" * green, GOOD), ("━" * (full - green), "yellow"), ("━" * (room - full), "bright_black")
        )

    # Figures

    def _figures(self, width: int, *, curve: bool) -> Iterator[Text]:
        """A grid of names and values, and the curve of the harvest below."""
        figures = list(self._named_figures())
        if not figures:
            return
        columns = min(len(figures), max(1, (width - 1) // FIGURE))
        columns = ceil(len(figures) / ceil(len(figures) / columns))  # as many in each row as can be
        cell = min(FIGURE + 4, (width - 1) // columns)
        lines = []
        for start in range(0, len(figures), columns):
            line = Text(" ")
            for name, value, style in figures[start : start + columns]:
                # The gap is behind the value, so that values stand below each other.
                line.append(name, QUIET).append(f"{value:>{max(1, cell - 2 - len(name))}}", style).append("  ")
            lines.append(line)
        yield from lines
        if curve and (drawn := sparkline(self.progress.curve.values, min(CURVE, width - 12))):
            yield Text.assemble((" harvest ", QUIET), (drawn, GOOD))

    def _named_figures(self) -> Iterator[tuple[str, str, str]]:
        progress, crawl = self.progress, self.progress.crawl
        if crawl is None:
            return
        tally = crawl.tally
        yield "relevant", count(tally.relevant), GOOD
        yield "harvest", percent(tally.relevant, tally.pages), LABEL
        yield f"last {min(RECENT_PAGES, progress.pages) or RECENT_PAGES}", percent(progress.recent), LABEL
        yield "pages/s", f"{progress.rate():.1f}", LABEL
        yield "hosts", count(len(progress.hosts)), LABEL
        yield "waiting", count(len(crawl.frontier)), LABEL
        yield "failed", count(tally.failed), BAD if tally.failed else LABEL
        yield "copies", count(tally.duplicates), LABEL
        yield "parallel", count(crawl.fetcher.parallel), LABEL

    # Pages

    def _best(self) -> list[ArrivedPage]:
        if self.order == "newest first":
            return list(reversed(self.progress.newest))
        if self.order == "by host":
            return sorted(self.progress.best, key=lambda page: (urls.host(page.url), -page.relevance))
        return self.progress.best

    def _lists(self, width: int, room: int) -> Iterator[Text]:
        best, last = self._best(), list(reversed(self.progress.last))
        title = "Best finds" if self.order == ORDERS[0] else f"Best finds, {self.order}"
        if width >= SIDE_BY_SIDE:
            yield from _beside((title, best), ("Last pages", last), width, max(2, min(room - 1, MOST_ROWS + 2)))
            return
        half = max(1, min(MOST_ROWS, (room - 2) // 2))
        yield from _listing(title, best, width, half)
        yield from _listing("Last pages", last, width, half)

    # Below

    def _help(self, width: int, room: int) -> Iterator[Text]:
        lines = [_title("Keys", width)]
        for key, meaning in KEYS.items():
            first, *others = textwrap.wrap(meaning, width - 8)
            lines.append(Text.assemble((f"  {key}   ", LABEL), first))
            lines += [Text(f"      {other}") for other in others]
        lines += [Text(f"  {line}", QUIET) for line in textwrap.wrap(CTRL_C, width - 4)]
        return islice(lines, max(1, room))

    def _bottom(self, width: int) -> Iterator[Text]:
        """What was said last, and the keys. Lines end short of the edge: the terminal echoes ^C there."""
        lines = [(self.notice, "yellow")] if self.notice else []
        lines.append((KEYS_LINE, QUIET) if self.keys else (CTRL_C, QUIET))
        for text, style in lines:
            yield from (Text(f" {line}", style) for line in textwrap.wrap(text, width - 5))


def _listing(title: str, rows: Iterable[ArrivedPage], width: int, most: int) -> Iterator[Text]:
    yield _title(title, width)
    lines = [_row(seen, width) for seen in islice(rows, most)]
    yield from lines
    yield from (Text() for _ in range(most - len(lines)))


def _beside(
    left: tuple[str, list[ArrivedPage]], right: tuple[str, list[ArrivedPage]], width: int, most: int
) -> Iterator[Text]:
    half = (width - 2) // 2
    for first, second in zip_longest(_listing(*left, half, most), _listing(*right, half, most)):
        first.pad_right(half - first.cell_len + 2)
        yield first.append_text(second)


def _title(title: str, width: int) -> Text:
    return Text.assemble((f" {title} ", LABEL), ("─" * max(0, width - len(title) - 3), "bright_black"))


def _row(seen: ArrivedPage, width: int) -> Text:
    """Mark, relevance, title, address, in columns; a page that failed has its cause where others have a title."""
    address, room = short_url(seen.url), width - 9
    if seen.trouble:
        mark, style, number, words = "✗", BAD, "", printable(in_words(seen.trouble))
    else:
        mark, style = ("●", GOOD) if seen.relevant else ("=" if seen.repeats else "·", "")
        number, words = f"{seen.relevance:.2f}"[-4:], printable(seen.title) or address
    line = Text.assemble((f"  {mark} ", style), (f"{number:<4} ", style))
    if width < TWO_COLUMNS:  # an address beside it would leave neither readable
        return line.append(fit(f"{words}: {address}" if seen.trouble else words, room), "" if seen.relevant else QUIET)
    left = room // 2
    line.append(fit(words, left), "" if seen.relevant else QUIET)
    return line.append("  ").append(fit(address, room - left - 2), QUIET)
