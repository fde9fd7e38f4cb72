"""A crawl for sites as one line: on a terminal rewritten in place, elsewhere a new one every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.events import Event
from scenthound.cli.views.lines import Silence
from scenthound.cli.views.notices import notice_of
from scenthound.report.formatting import count, duration, plural
from scenthound.sites.site_crawl import SiteCrawl

ON_TERMINAL, ELSEWHERE = 0.25, 2.0
"""Seconds between two looks."""


class SiteLines(Silence):
    """`sites` tells what is known of the sites; None where pages are collected."""

    def __init__(
        self, progress: CrawlProgress, sites: Callable[[], SiteCrawl | None], stream: TextIO, *, quiet: bool = False
    ) -> None:
        self.progress = progress
        self.sites = sites
        self.stream = stream
        self.quiet = quiet
        self._terminal = stream.isatty()
        self._shown = ""
        self._task: asyncio.Task[None] | None = None

    def __call__(self, event: Event) -> None:
        if notice := notice_of(event):
            self.say(f" {notice}")

    def say(self, notice: str) -> None:
        if not self.quiet:
            self._write(f"{self._wiped()}{notice}\n")

    def line(self) -> str:
        """How far it is."""
        progress, sites = self.progress, self.sites()
        crawl, elapsed = progress.crawl, progress.elapsed
        if crawl is None:
            return f"{duration(elapsed):>5}  {plural(progress.pages, 'page')}"
        budget = crawl.config.crawl.pages
        pages = f"{count(crawl.tally.pages)}/{count(budget)} pages" if budget else plural(crawl.tally.pages, "page")
        parts = [pages]
        if sites is None:
            parts += [f"{count(crawl.tally.relevant)} relevant", f"{count(len(crawl.frontier))} links wait"]
        else:
            seen = [site for site in sites.sites.values() if site.pages]
            good = sum(site.relevant for site in seen)
            parts += [plural(len(seen), "site"), f"{count(good)} relevant", f"{count(len(sites.graph.border))} wait"]
        if crawl.tally.failed:
            parts.append(f"{count(crawl.tally.failed)} failed")
        parts.append(f"{progress.pages / elapsed if elapsed > 0 else 0:.1f} pages/s")
        return f"{duration(elapsed):>5}  {' · '.join(parts)}"

    async def __aenter__(self) -> SiteLines:
        if not self.quiet:
            self._task = asyncio.create_task(self._report())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._show()
            if self._terminal:
                self._write("\n")
                self._shown = ""

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(ON_TERMINAL if self._terminal else ELSEWHERE)
            self._show()

    def _show(self) -> None:
        line = self.line()
        if line != self._shown:
            self._write(f"{self._wiped()}{line}" + ("" if self._terminal else "\n"))
            self._shown = line

    def _wiped(self) -> str:
        return "\r\x1b[K" if self._terminal else ""

    def _write(self, text: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.stream.write(text)
            self.stream.flush()
