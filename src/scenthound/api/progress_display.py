"""How far a crawl is, where somebody can see it: in a notebook's cell, or on a terminal's last line."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from importlib import import_module
from typing import Any

from scenthound.app.crawl_plan import CrawlPlan
from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.events import Event, Listener, Stopped
from scenthound.protocols.crawl import Clock

BETWEEN = 0.25
"""Seconds from one drawing to the next."""


def progress_display(
    wanted: bool | None, progress: CrawlProgress, plan: CrawlPlan, clock: Clock = time.monotonic
) -> Listener:
    """A listener that draws. `wanted` None: only where there is a notebook or a terminal to draw on."""
    cell = _notebook_cell() if wanted is not False else None
    draw: Callable[[str, bool], None]
    if cell is not None:
        draw = cell
    elif wanted or (wanted is None and sys.stderr.isatty()):
        draw = _terminal_line
    else:
        return lambda event: None
    next_at = clock()

    def listen(event: Event) -> None:
        nonlocal next_at
        last = isinstance(event, Stopped)
        if last or clock() >= next_at:
            next_at = clock() + BETWEEN
            draw(_words(progress, plan), last)

    return listen


def _words(progress: CrawlProgress, plan: CrawlPlan) -> str:
    crawl = progress.crawl
    if crawl is None:
        return "setting out"
    tally, budget = crawl.tally, plan.config.crawl.pages
    share = tally.relevant / tally.pages if tally.pages else 0.0
    of = f" of {budget:,}" if budget else ""
    return f"{tally.pages:,}{of} pages, {tally.relevant:,} relevant ({share:.0%}), {progress.rate():.1f}/s"


def _terminal_line(words: str, last: bool) -> None:
    sys.stderr.write(f"\r\033[K{words}" + ("\n" if last else ""))
    sys.stderr.flush()


def _notebook_cell() -> Callable[[str, bool], None] | None:
    """Draws into the output of the cell that runs; None outside a notebook. IPython is asked only if it is there."""
    module = sys.modules.get("IPython")
    shell: Any = module.get_ipython() if module is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    shown: Any = import_module("IPython.display")
    handle = shown.display(shown.HTML("<p>setting out</p>"), display_id=True)

    def draw(words: str, last: bool) -> None:
        handle.update(shown.HTML(f"<p>{escape(words)}</p>"))

    return draw
