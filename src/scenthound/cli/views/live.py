"""The live view: one screen of a crawl, redrawn four times a second.

Drawn as plain lines of text rather than nested tables and panels: that costs a millisecond or two a frame,
which leaves the crawl its processor.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from types import TracebackType

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.text import Text

from scenthound.app.crawl_progress import RECENT_PAGES, ArrivedPage, CrawlProgress
from scenthound.app.events import Event, Judging
from scenthound.cli.views.judging import judging_line
from scenthound.cli.views.lines import Silence
from scenthound.cli.views.notices import notice_of
from scenthound.cli.views.terminal_text import fit, sparkline
from scenthound.config import named
from scenthound.report.formatting import count, duration, percent, plural, printable, short_url

FRAMES_PER_SECOND = 4
SIDE_BY_SIDE = 120
"""From this width on, best finds and last pages stand beside each other."""

LABEL, GOOD, BAD, QUIET = "bold", "green", "red", "dim"


class Screen:
    """Draws the progress of a crawl, as large as the terminal is at that moment."""

    def __init__(self, progress: CrawlProgress, folder: str) -> None:
        self.progress = progress
        self.folder = folder
        self.notice = "Ctrl-C finishes what is under way and stops; a second one stops at once."

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = options.max_width, console.height
        rows = max(2, height - 11)
        yield self._heading(width)
        yield self._progress(width)
        yield Text()
        yield from self._figures(width)
        yield Text()
        best, last = self.progress.best, list(reversed(self.progress.last))
        if width >= SIDE_BY_SIDE:
            yield from _beside(("Best finds", best), ("Last pages", last), width, min(rows + 1, 12))
        else:
            half = min(10, rows // 2)
            yield from chain(_listing("Best finds", best, width, half), _listing("Last pages", last, width, half))
        # Ends short of the edge: the terminal echoes ^C there, and a line too many could not be wiped off again.
        yield Text(fit(f" {self.notice}", width - 4).rstrip(), style=QUIET)

    def _heading(self, width: int) -> Text:
        crawl = self.progress.crawl
        if crawl is None:
            return Text(" Setting out ...")
        strategy, _ = named(crawl.config.crawl.strategy, "strategy")
        name = printable(crawl.config.topic.name) or "by example"
        room = max(10, width - len(strategy) - 8)
        topic = fit(name, min(room, len(name) * 2)).rstrip()
        line = Text.assemble(" ", (topic, "bold cyan"), (f" · {strategy}", QUIET))
        spare = width - line.cell_len - len(self.folder) - 2
        return line.append(f" {'':{spare}}{self.folder}", QUIET) if spare > 1 else line

    def _progress(self, width: int) -> Text:
        """The bar grows with the pages; its green part is what was relevant."""
        progress, crawl = self.progress, self.progress.crawl
        if crawl is None:
            return Text()
        tally, budget = crawl.tally, crawl.config.crawl
        left = progress.seconds_left(progress.rate())
        pages = f"{count(tally.pages)} / {count(budget.pages)} pages" if budget.pages else plural(tally.pages, "page")
        clock = duration(progress.elapsed) + (f" · {duration(left)} left" if left is not None else "")
        words = f"  {pages} · {clock}"
        room = max(10, width - len(words) - 2)
        done = tally.pages / budget.pages if budget.pages else 0.0
        if not budget.pages and budget.minutes:
            done = progress.elapsed / (60 * budget.minutes)
        full = round(room * min(1.0, done))
        green = round(full * tally.relevant / tally.pages) if tally.pages else 0
        return Text.assemble(
            " ", ("━" * green, GOOD), ("━" * (full - green), "yellow"), ("━" * (room - full), "bright_black"), words
        )

    def _figures(self, width: int) -> Iterator[Text]:
        progress, crawl = self.progress, self.progress.crawl
        if crawl is None:
            return
        tally = crawl.tally
        harvest = Text.assemble(
            *_figure("relevant", count(tally.relevant), GOOD),
            *_figure("harvest", percent(tally.relevant, tally.pages), LABEL),
            *_figure(f"last {min(RECENT_PAGES, progress.pages) or RECENT_PAGES}", percent(progress.recent), LABEL),
        )
        curve = sparkline(progress.curve.values, max(0, min(60, width - harvest.cell_len - 2)))
        yield harvest.append(" ").append(curve, GOOD)
        failures = tally.failed
        rest = [
            *_figure("rate", f"{progress.rate():.1f}/s", LABEL),
            *_figure("hosts", count(len(progress.hosts)), LABEL),
            *_figure("waiting", count(len(crawl.frontier)), LABEL),
            *_figure("failed", count(failures), BAD if failures else LABEL),
            *_figure("duplicates", count(tally.duplicates), LABEL),
        ]
        yield Text.assemble(*rest, no_wrap=True, overflow="ellipsis")


def _figure(label: str, value: str, style: str) -> tuple[tuple[str, str], ...]:
    return ((f" {label} ", QUIET), (value, style), ("  ", ""))


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
    address = short_url(seen.url)
    if seen.trouble:
        kind, _, detail = printable(seen.trouble).partition(": ")
        words = fit(f"{kind}: {detail}" if detail else kind, max(10, width // 3))
        return Text.assemble(("  ✗    ", BAD), (words, QUIET), "  ", (fit(address, width - len(words) - 10), QUIET))
    room = width - 9
    title_room = room // 2
    mark, style = ("●", GOOD) if seen.relevant else ("=" if seen.repeats else "·", "")
    return Text.assemble(
        (f"  {mark} ", style),
        (f"{seen.relevance:.2f}"[-4:] + " ", style),
        (fit(printable(seen.title) or "(no title)", title_room), "" if seen.relevant else QUIET),
        "  ",
        (fit(address, room - title_room - 2), QUIET),
    )


class LiveView(Silence):
    """Keeps a screen on the terminal while its body runs, and wipes it off at the end."""

    def __init__(self, console: Console, screen: Screen) -> None:
        self.screen = screen
        self.cost = 0.0  # seconds of processor time spent on drawing
        self._live = Live(screen, console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
        self._task: asyncio.Task[None] | None = None

    def draw(self) -> None:
        started = time.thread_time()
        self._live.refresh()
        self.cost += time.thread_time() - started

    def __call__(self, event: Event) -> None:
        if notice := notice_of(event):  # above the screen, where it stays
            self._live.console.print(Text(f" {notice}", "yellow"), soft_wrap=True)
        elif isinstance(event, Judging):
            self.say(judging_line(event))

    def say(self, notice: str) -> None:
        self.screen.notice = notice

    async def __aenter__(self) -> LiveView:
        self._live.start()
        self._task = asyncio.create_task(self._redraw())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._live.stop()

    async def _redraw(self) -> None:
        while True:
            self.draw()
            await asyncio.sleep(1 / FRAMES_PER_SECOND)
