"""A crawl for websites before a person's eyes: a line of progress, and the list at its end.

What is said on the way goes to stderr, the list to stdout, so that it can be piped whatever its form.
"""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

from scenthound.app import site_demo
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlPlan
from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.event_loop import run
from scenthound.app.out_of_reach import nothing_fetched
from scenthound.app.sites import SiteSearch, listed_sites
from scenthound.cli.interrupts import INTERRUPTED, Interrupts
from scenthound.cli.started_as import program
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.cli.views.site_list import Form, write
from scenthound.cli.views.site_progress import SiteLines
from scenthound.cli.views.topic import understood_text
from scenthound.errors import ModelError
from scenthound.report.formatting import duration, ending_words, plural
from scenthound.sites.label_check import LEAST_SITES


def show_list(folder: Path, form: Form, *, quiet: bool = False) -> int:
    """`scenthound sites FOLDER --list`."""
    progress = ProgressLine("Reading page")
    try:
        rows = listed_sites(folder, everything=form.everything, progress=progress.tell)
    finally:
        progress.end()
    write(rows, form)
    if rows and rows[0].check and not quiet:
        _say(f" {rows[0].check}")
    return 0


def run_sites(plan: CrawlPlan, form: Form, *, deepen: int, quiet: bool) -> int:
    """Crawls as planned, shows the list; returns the exit code."""
    return run(_run(plan, form, deepen, quiet))


async def _run(plan: CrawlPlan, form: Form, deepen: int, quiet: bool) -> int:
    say = _silence if quiet else _say
    if plan.words is not None and plan.words.worth_telling():
        say(understood_text(plan.words))
    async with SiteSearch(plan) as search:
        if search.must_learn():
            await _learn(search, quiet)
        elif search.labels:
            say(f" {_labels_word(search)}")
        code = await _watch(search, search.crawl(), quiet)
        if search.too_early and search.taught is not None and not code:
            say(f" {search.teach(await search.gather()).check}")
        rows = search.found()
        if deepen and rows and not code:
            say(f" Collecting {plural(deepen, 'page')} of {plural(len(rows), 'site')}.")
            code = await _watch(search, search.collect(rows, deepen), quiet)
    shown = search.found(everything=form.everything)
    search.write_report(shown)
    write(shown, form)
    if plan.config.fetch.demo:
        say(_truth(plan.config.topic.name, site_demo.measure(plan.config, [row.site for row in rows])))
    folder = shlex.quote(str(plan.folder))
    say(f" The library is in {plan.folder}. The list again: {program()} sites {folder} --list")
    return code


async def _learn(search: SiteSearch, quiet: bool) -> None:
    progress, relevant = CrawlProgress(), sum(search.labels.values())
    lines = SiteLines(progress, lambda: None, sys.stderr, quiet=quiet)
    lines.say(f" Learning from {plural(relevant, 'relevant site')} and {len(search.labels) - relevant:,} others.")
    async with lines:
        lessons = await search.gather([progress])
    for url in lessons.missing:
        lines.say(f" The labelled site {url} gave no page, and nothing is learned from it.")
    try:
        lines.say(f" {search.teach(lessons).check}")
    except ModelError as error:
        lines.say(f" Nothing is learned from labels: {error}")


def _labels_word(search: SiteSearch) -> str:
    if search.taught is not None:
        return str(search.taught.check)
    return (
        f"{plural(len(search.labels), 'site')} labelled. To learn from them takes {LEAST_SITES} relevant ones and "
        f"{LEAST_SITES} others."
    )


async def _watch(search: SiteSearch, session: CrawlSession, quiet: bool) -> int:
    lines = SiteLines(session.progress, search.site_crawl, sys.stderr, quiet=quiet)
    session.listeners.append(lines)
    interrupts, started = Interrupts(lines.say), time.monotonic()
    with interrupts.installed():
        async with session:
            interrupts.guard(session)
            async with lines:
                outcome = await session.run()
    ending = ending_words(outcome.ending)
    lines.say(f" {plural(session.progress.pages, 'page')} in {duration(time.monotonic() - started)}; {ending}.")
    plan, onward = session.plan, f"{program()} sites {shlex.quote(str(session.plan.folder))}"
    if (trouble := nothing_fetched(outcome.summary, plan.folder, plan.config.crawl.seeds, onward)) is not None:
        raise trouble
    return INTERRUPTED if outcome.hurried else 0


def _truth(topic: str, truth: site_demo.SiteTruth) -> str:
    return (
        f" The demo knows the truth. Of the {plural(truth.listed, 'relevant site')} in the list {truth.right:,} are "
        f"about {topic} (precision {truth.precision:.2f}); of {plural(truth.sites, 'such site')} that there are, "
        f"these {truth.right:,} were found (recall {truth.recall:.2f})."
    )


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


def _silence(text: str) -> None:
    pass
