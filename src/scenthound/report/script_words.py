"""Pages made by scripts, in words: how many could not be read, and what running scripts took and brought."""

from __future__ import annotations

from collections.abc import Iterator

from scenthound.crawler.script_figures import ScriptFigures
from scenthound.report.formatting import count, duration, plural, size


def script_lines(figures: ScriptFigures) -> Iterator[str]:
    ran = bool(figures.seconds)
    if figures.unread:
        also = ", even after they ran" if ran else " (--render auto reads such pages, with a Chromium)"
        yield f"{plural(figures.unread, 'page')} showed nothing without scripts{also}"
    if ran:
        refused = f", {count(figures.refused)} refused" if figures.refused else ""
        yield (
            f"{plural(figures.rendered, 'page')} read after scripts ran, {count(figures.relevant)} relevant; it took "
            f"{duration(figures.seconds)} and {plural(figures.requests, 'request')} ({size(figures.bytes)}){refused}"
        )
