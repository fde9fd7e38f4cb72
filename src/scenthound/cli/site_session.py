"""A crawl for websites as a person runs it: settings, training sites, the crawl with a line of progress, the list.

What is said on the way goes to stderr, the list to stdout, so that it can be piped whatever its form.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scenthound import config as toml
from scenthound.app.crawl import CrawlSession, MakeParts
from scenthound.app.crawl_plan import DATABASE, SETTINGS, CrawlOptions, CrawlPlan, listed, plan_crawl
from scenthound.app.crawl_progress import CrawlProgress
from scenthound.app.event_loop import run
from scenthound.app.events import observer
from scenthound.cli import site_demo
from scenthound.cli.interrupts import INTERRUPTED, Interrupts
from scenthound.cli.views.progress_line import ProgressLine
from scenthound.cli.views.site_list import Form, write
from scenthound.cli.views.site_progress import SiteLines
from scenthound.config import Config, CrawlSection, SitesSection
from scenthound.crawl.assemble import canonical_seeds, make_context, make_scope
from scenthound.errors import ConfigError, UsageError
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.library import open_library
from scenthound.protocols.crawl import Fetcher
from scenthound.report.crawl_report import write_report
from scenthound.report.figures import ENDINGS, duration, plural
from scenthound.sites import model_file, training
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.definition import KINDS
from scenthound.sites.page_collection import PageCollectionParts
from scenthound.sites.parts import EVEN, STRATEGY, SiteCrawlParts, as_run
from scenthound.sites.site_list import found_sites, report_lines

WEIGHTS = ("global", "local", "combined", "bandit")


class SiteOptions(Struct, frozen=True):
    """The options of `sites` that `crawl` has not; None stands for what was not said."""

    relevant: Path | None = None
    other: Path | None = None
    kind: str | None = None
    weight: str | None = None
    p_threshold: float | None = None
    l_threshold: float | None = None
    site_pages: int | None = None
    active: int | None = None

    def apply(self, sites: SitesSection) -> SitesSection:
        for name, value, known in (("kind", self.kind, KINDS), ("weight", self.weight, WEIGHTS)):
            if value is not None and value not in known:
                raise UsageError(f"--{name} {value!r} is unknown; it is one of: {', '.join(known)}.")
        if (self.relevant is None) != (self.other is None):
            raise UsageError(
                "It takes both to tell them apart: --relevant-sites and --other-sites. "
                "Without sites of other kinds, name pages of good sites with --examples."
            )
        given: dict[str, Any] = {
            name: value
            for name in ("kind", "weight", "p_threshold", "l_threshold", "site_pages", "active")
            if (value := getattr(self, name)) is not None
        }
        if self.relevant is not None and self.other is not None:
            given |= {"relevant": listed(self.relevant), "other": listed(self.other)}
        return replace(sites, **given)


def show_list(folder: Path, form: Form) -> int:
    """`scenthound sites FOLDER --list`."""
    progress = ProgressLine("Looking at site")
    try:
        rows = found_sites(folder, everything=form.everything, progress=lambda done: progress(done, done))
    finally:
        progress.end()
    if rows is None:
        raise UsageError(f"{folder} holds no crawl for sites. Start one: scenthound sites TOPIC --into {folder}")
    write(rows, form)
    return 0


def run_sites(
    topic: str | None, options: CrawlOptions, asked: SiteOptions, form: Form, *, deepen: int, demo: bool, quiet: bool
) -> int:
    """Crawls as asked, shows the list; returns the exit code."""
    if demo or topic is None:
        if not demo:
            raise UsageError(
                'Say what to look for: scenthound sites "orchid nursery" --seed URL, or try scenthound sites --demo'
            )
        plan = site_demo.make_plan(topic, options)
    else:
        plan = plan_crawl(topic, options)
    plan = _with(plan, asked)
    check(plan)
    return run(_run(plan, form, deepen, quiet))


def _with(plan: CrawlPlan, asked: SiteOptions) -> CrawlPlan:
    config = replace(plan.config, sites=asked.apply(plan.config.sites))
    keep = replace(plan.keep, sites=asked.apply(plan.keep.sites)) if plan.keep is not None else None
    return CrawlPlan(folder=plan.folder, config=config, keep=keep)


def check(plan: CrawlPlan) -> None:
    """Refuses what cannot work before anything is made on the disk."""
    config = plan.config
    if not canonical_seeds(config.crawl.seeds) and not (plan.folder / DATABASE).exists():
        raise ConfigError("There is nowhere to start: give a --seed URL, or seeds = [...] under [crawl] in topic.toml.")
    if not config.topic.examples:
        make_context(config)
    make_scope(config)
    if config.sites.relevant or config.sites.other:
        training.named_sites(config)
    if config.sites.c < 1:
        raise ConfigError("c under [sites] must be at least 1, or the LinkRank of a site may never grow.")


async def _run(plan: CrawlPlan, form: Form, deepen: int, quiet: bool) -> int:
    async with site_demo.served(plan.config) as resolver:

        def fetcher() -> Fetcher:
            return fetcher_for(plan.config, resolver=resolver)

        say = _silence if quiet else _say
        classifier = await _classifier(plan, fetcher, quiet)
        code = await _crawl(
            plan, SiteCrawlParts(classifier), fetcher(), as_run(plan.config, classifier is not None), quiet
        )
        rows = found_sites(plan.folder) or []
        if deepen and rows and not code:
            config = _deeper(plan.config, plan.folder, deepen, classifier is not None)
            say(f" Collecting {plural(deepen, 'page')} of {plural(len(rows), 'site')}.")
            code = await _crawl(
                plan, PageCollectionParts([row.site for row in rows], classifier), fetcher(), config, quiet
            )
    shown = found_sites(plan.folder, everything=form.everything) or []
    write_report(plan.folder, sites=report_lines([row for row in shown if row.relevant]))
    write(shown, form)
    if plan.config.fetch.demo:
        say(site_demo.truth(plan.config, [row.site for row in rows]))
    folder = shlex.quote(str(plan.folder))
    say(f" The library is in {plan.folder}. The list again: scenthound sites {folder} --list")
    return code


def _deeper(config: Config, folder: Path, pages: int, trained: bool) -> Config:
    """As many pages more than there are."""
    with open_library(folder, write=False) as library:
        there = library.counts().fetched
    crawl: CrawlSection = replace(config.crawl, pages=there + pages)
    return replace(config, crawl=replace(crawl, judge=STRATEGY, threshold=EVEN) if trained else crawl)


async def _crawl(plan: CrawlPlan, parts: MakeParts, fetcher: Fetcher, config: Config, quiet: bool) -> int:
    session = CrawlSession(replace(plan, config=config), fetcher=fetcher, parts=parts)
    lines = SiteLines(session.progress, lambda: getattr(parts, "crawl", None), sys.stderr, quiet=quiet)
    interrupts, started = Interrupts(lines.say), time.monotonic()
    with interrupts.installed():
        async with session:
            interrupts.guard(session)
            async with lines:
                outcome = await session.run()
    ending = ENDINGS.get(outcome.ending, outcome.ending)
    lines.say(f" {session.progress.pages:,} pages in {duration(time.monotonic() - started)}; {ending}.")
    return INTERRUPTED if outcome.hurried else 0


async def _classifier(plan: CrawlPlan, fetcher: Callable[[], Fetcher], quiet: bool) -> PageClassifier | None:
    """The trained page classifier: kept from before, or learned now; None where the topic alone decides."""
    rules = plan.config.sites
    if not rules.relevant and not rules.other:
        return None
    known = model_file.load(plan.folder)
    if known is not None and not _other_lessons(plan):
        return known
    progress = CrawlProgress()
    lines = SiteLines(progress, lambda: None, sys.stderr, quiet=quiet)
    lines.say(f" Learning from {plural(len(rules.relevant), 'relevant site')} and {len(rules.other):,} others.")
    async with lines:
        lessons = await training.gather(plan.config, plan.folder, fetcher=fetcher(), observers=[observer(progress)])
    for url in lessons.missing:
        lines.say(f" The training site {url} gave no page and is left out.")
    classifier = training.teach(lessons, plan.config)
    model_file.save(classifier, plan.folder)
    lines.say(f" Learned from {progress.pages:,} pages; of those held back {1 - classifier.p_err:.0%} were told right.")
    return classifier


def _other_lessons(plan: CrawlPlan) -> bool:
    """Do the options name other training sites than the folder was taught with?"""
    path = plan.folder / SETTINGS
    if not path.is_file():
        return True
    there, now = toml.load(path).sites, plan.config.sites
    return (there.relevant, there.other) != (now.relevant, now.other)


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")


def _silence(text: str) -> None:
    pass
