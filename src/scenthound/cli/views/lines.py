"""A crawl as lines: for logs and pipes, for machines (`--json`), or none at all (`--quiet`)."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from types import TracebackType

from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.events import Event, Judging, encode
from scenthound.cli.views.judging import judging_line
from scenthound.cli.views.notices import notice_of
from scenthound.cli.views.output import Output
from scenthound.report.failure_words import kind_in_words
from scenthound.report.formatting import count, duration, percent, plural

SECONDS_BETWEEN_LINES = 2.0


class Silence(AbstractAsyncContextManager["Silence"]):
    """Shows nothing. The other views add to this."""

    def __call__(self, event: Event) -> None:
        """Each event as it happens."""

    def say(self, notice: str) -> None:
        """A word to whoever sits before the screen."""

    async def __aenter__(self) -> Silence:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class PlainLines(Silence):
    """A line every two seconds in which something happened."""

    def __init__(self, progress: CrawlProgress, output: Output, pause: float = SECONDS_BETWEEN_LINES) -> None:
        self.progress = progress
        self.output = output
        self.pause = pause
        self._shown = ""
        self._task: asyncio.Task[None] | None = None

    def __call__(self, event: Event) -> None:
        if notice := notice_of(event):
            self.output.line(notice)
        elif isinstance(event, Judging):
            self.say(judging_line(event))

    def say(self, notice: str) -> None:
        self.output.line(notice)

    async def __aenter__(self) -> PlainLines:
        self._task = asyncio.create_task(self._report())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._line()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(self.pause)
            self._line()

    def _line(self) -> None:
        progress, crawl = self.progress, self.progress.crawl
        if crawl is None:
            return
        tally, budget = crawl.tally, crawl.config.crawl.pages
        harvest = percent(tally.relevant, tally.pages)
        parts = [
            f"{count(tally.pages)}/{count(budget)} pages" if budget else plural(tally.pages, "page"),
            f"{count(tally.relevant)} relevant ({harvest}, lately {percent(progress.recent)})",
            f"{count(len(crawl.frontier))} waiting",
            plural(len(progress.hosts), "host"),
        ]
        if tally.failed:
            kinds = ", ".join(f"{number} × {kind_in_words(kind)}" for kind, number in progress.troubles.most_common(4))
            parts.append(f"{count(tally.failed)} failed" + (f" ({kinds})" if kinds else ""))
        line = " · ".join(parts)
        if line != self._shown:
            self._shown = line
            self.output.line(f"{duration(progress.elapsed):>5}  {line} · {progress.rate():.1f} pages/s")


class JsonLines(Silence):
    """An object per event."""

    def __init__(self, output: Output) -> None:
        self.output = output

    def __call__(self, event: Event) -> None:
        self.output.line(encode(event).decode())
