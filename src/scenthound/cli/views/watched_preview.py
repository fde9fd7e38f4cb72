"""A preview of a topic before a person's eyes: the short crawl it may take, stopped by Ctrl-C, then the pages."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from scenthound.app.out_of_reach import nothing_fetched
from scenthound.app.topic_preview import SAMPLE, TopicPreview, has_pages, preview, sample_crawl
from scenthound.cli.interrupts import Interrupts
from scenthound.cli.started_as import program
from scenthound.cli.views.notices import notice_of
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.errors import ConfigError, ScenthoundError


async def watch_preview(folder: Path, replay: Sequence[Path]) -> TopicPreview:
    """Where there are no pages yet, some are fetched."""
    if not has_pages(folder):
        await _crawl(folder, replay)
    if not has_pages(folder):
        raise ConfigError(f"No page was fetched, so there is none to judge. Try again: {_onward(folder)}")
    return await _judge(folder)


def _onward(folder: Path) -> str:
    return f"{program()} topic {shlex.quote(str(folder))} --preview"


async def preview_if_there(folder: Path) -> TopicPreview | None:
    """Of the pages there are, for who has changed a topic and may not have asked for this: nothing is fetched."""
    with suppress(ScenthoundError):
        return await _judge(folder) if has_pages(folder) else None
    return None


async def _judge(folder: Path) -> TopicPreview:
    progress = ProgressLine("Judging page")
    try:
        return await preview(folder, progress=progress)
    finally:
        progress.end()


async def _crawl(folder: Path, replay: Sequence[Path]) -> None:
    progress = ProgressLine(f"A short crawl from the seeds, kept for the long one (at most {SAMPLE}): page")
    session = sample_crawl(folder, SAMPLE, replay, progress)
    session.listeners.append(lambda event: _say(notice_of(event)))
    interrupts = Interrupts(_say)
    with interrupts.installed():
        async with session:
            interrupts.guard(session)
            outcome = await session.run()
    progress.end()
    trouble = nothing_fetched(outcome.summary, folder, session.plan.config.crawl.seeds, _onward(folder))
    if trouble is not None:
        raise trouble


def _say(text: str) -> None:
    if text:
        sys.stderr.write(f"{text}\n")
