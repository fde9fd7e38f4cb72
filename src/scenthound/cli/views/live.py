"""The live view: keeps the screen of a crawl on the terminal, redrawn four times a second and after each key."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.text import Text

from scenthound.app.events import Event, Judging
from scenthound.cli.views.judging import judging_line
from scenthound.cli.views.lines import Silence
from scenthound.cli.views.live_screen import Screen
from scenthound.cli.views.notices import notice_of

FRAMES_PER_SECOND = 4


class LiveView(Silence):
    """Keeps a screen on the terminal while its body runs, and wipes it off at the end."""

    def __init__(self, console: Console, screen: Screen) -> None:
        self.screen = screen
        self.cost = 0.0  # seconds of processor time spent on drawing
        self._live = Live(screen, console=console, auto_refresh=False, transient=True, vertical_overflow="crop")
        self._task: asyncio.Task[None] | None = None
        self._size = console.size

    def draw(self) -> None:
        started = time.thread_time()
        if self._live.console.size != self._size:  # lines of the last frame were broken anew: nobody knows where it is
            self._size = self._live.console.size
            self._live.console.clear()
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
