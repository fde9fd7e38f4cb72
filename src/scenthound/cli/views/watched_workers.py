"""A crawl by many workers before a person's eyes: a line while it runs, and one at its end."""

from __future__ import annotations

import asyncio
import shlex
import signal

import typer

from scenthound.app.cluster import crawl_planned
from scenthound.app.crawl_plan import CrawlPlan
from scenthound.app.event_loop import run
from scenthound.cli.started_as import program
from scenthound.cli.views.crawl_summary import Style
from scenthound.cli.views.output import as_json
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.cluster.cluster_crawl import ClusterOutcome
from scenthound.protocols.records import LibraryCounts


def run_workers(plan: CrawlPlan, workers: int, cluster: str | None, style: Style) -> int:
    """Crawls as planned with so many workers, and sums up; returns the exit code. Ctrl-C stops cleanly."""
    outcome = run(_watched(plan, workers, cluster, style))
    if style in ("json", "summary"):
        typer.echo(as_json(outcome))
    elif style != "quiet":
        typer.echo(_told(outcome, plan))
    return 0


async def _watched(plan: CrawlPlan, workers: int, cluster: str | None, style: Style) -> ClusterOutcome:
    stopping, line = asyncio.Event(), ProgressLine("Crawling")
    most = plan.config.crawl.pages

    def tell(counts: LibraryCounts) -> None:
        if style in ("live", "plain"):
            line(counts.fetched, most or counts.fetched + counts.waiting)

    def say(what: str) -> None:
        if style in ("live", "plain"):
            typer.echo(f"{what} ...", err=True)

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, stopping.set)
    try:
        return await crawl_planned(plan, workers, cluster, told=tell, doing=say, stopping=stopping)
    finally:
        line.end()
        loop.remove_signal_handler(signal.SIGINT)


def _told(outcome: ClusterOutcome, plan: CrawlPlan) -> str:
    counts = outcome.counts
    return (
        f"{counts.fetched:,} pages, {counts.relevant:,} of them relevant; {outcome.new_pages:,} are new. "
        f"Ended: {outcome.ending}. {counts.waiting:,} links wait. "
        f"Go on with: {program()} crawl {shlex.quote(str(plan.folder))} --workers N"
    )
