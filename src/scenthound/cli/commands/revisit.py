"""`scenthound revisit`: keeping a library fresh."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from scenthound.errors import LibraryMissing, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.config import Config
    from scenthound.protocols.records import WatchedPage
    from scenthound.revisit.rounds import RevisitOptions, RevisitRound, Revisits

COST, HOW, SHOWN = "What it may cost", "How pages are chosen", "What is shown"
REQUESTS = 100


def _policies() -> list[str]:
    from scenthound.revisit.schedule.due_pages import ALIASES
    from scenthound.revisit.schedule.policies import revisit_policy

    return [*revisit_policy.names(), *ALIASES]


def revisit(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    requests: Annotated[
        int | None, Option(metavar="N", min=1, help="Requests at most, in a round.", rich_help_panel=COST)
    ] = None,
    lasting: Annotated[
        str | None, Option("--for", metavar="TIME", help="Time at most, as in 30m or 1h.", rich_help_panel=COST)
    ] = None,
    every: Annotated[
        str | None,
        Option(metavar="TIME", help="Go on for ever, a round every 6h or 2d.", rich_help_panel=COST),
    ] = None,
    policy: Annotated[
        str,
        Option(
            metavar="NAME",
            help="learned: most freshness for the requests. Else rates, uniform, proportional, documents.",
            rich_help_panel=HOW,
            autocompletion=_policies,
        ),
    ] = "learned",
    discover: Annotated[
        float,
        Option(metavar="X", min=0, max=1, help="Share of it for links that wait, 0 to 1.", rich_help_panel=HOW),
    ] = 0.1,
    images: Annotated[
        bool, Option("--images", help="Look at the images of due pages too.", rich_help_panel=HOW)
    ] = False,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show what would be asked for, and ask nobody.", rich_help_panel=SHOWN)
    ] = False,
    json: Annotated[bool, Option("--json", help="A JSON object per round.", rich_help_panel=SHOWN)] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Show errors only.", rich_help_panel=SHOWN)] = False,
) -> None:
    """Look at the pages of a library again: which are new, changed, moved or gone is kept, and what they said before.

    Pages that change often and matter are looked at more often. What has not changed costs next to nothing.
    Without a limit it makes 100 requests. Ctrl-C ends it cleanly; what was seen until then is kept.

    \b
    [bold]Examples[/bold]
    scenthound revisit crawls/dengue-fever --requests 200
    scenthound revisit crawls/dengue-fever --for 30m --discover 0.3
    scenthound revisit crawls/dengue-fever --every 6h --requests 500
    scenthound revisit crawls/dengue-fever --requests 50 --dry-run
    scenthound changes crawls/dengue-fever --since 7d
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.cli.arguments import span
    from scenthound.revisit.rounds import RevisitOptions
    from scenthound.revisit.schedule.due_pages import ALIASES
    from scenthound.revisit.schedule.policies import revisit_policy

    options = RevisitOptions(
        requests=requests or 0,
        seconds=span(lasting) if lasting else 0.0,
        policy=policy,
        discover=discover,
        every=span(every) if every else 0.0,
        images=images,
    )
    if not (options.requests or options.seconds or options.every):
        options = RevisitOptions(requests=REQUESTS, policy=policy, discover=discover, images=images)
    revisit_policy.get(ALIASES.get(policy, policy))
    if images:
        from scenthound.revisit.detect.image_code import require_decoder

        require_decoder()
    if dry_run:
        _show_due(folder, options, json)
        return
    raise typer.Exit(_run(folder, options, "quiet" if quiet else "json" if json else "lines"))


def _settings(folder: Path) -> Config:
    from scenthound import config as toml
    from scenthound.app.crawl_plan import DATABASE, SETTINGS

    if not (folder / DATABASE).is_file():
        raise LibraryMissing(f"There is no library in {folder}. Start one with: scenthound crawl TOPIC --into {folder}")
    if not (folder / SETTINGS).is_file():
        raise UsageError(f"{folder} has lost its topic.toml, and so what its pages are judged by.")
    return toml.load(folder / SETTINGS)


def _run(folder: Path, options: RevisitOptions, style: str) -> int:
    import sys

    from scenthound.app.event_loop import run
    from scenthound.cli.interrupts import Interrupts
    from scenthound.cli.views.lines import Output
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.revisit.rounds import Revisits
    from scenthound.sites.site_list import write_whole_report

    config = _settings(folder)
    if config.fetch.demo:
        raise UsageError("The demo's web never changes. Revisit a library of the live web.")
    choosing, progress = ProgressLine("Choosing from pages:"), ProgressLine("Looked at")
    interrupts = Interrupts(lambda notice: typer.echo(notice, err=True))

    async def main() -> None:
        rounds = Revisits(config, folder, options, progress=choosing)
        rounds.observers.append(_watching(rounds, progress))
        output = Output(sys.stdout, rounds.stop)

        def report(outcome: RevisitRound, again: float) -> None:
            choosing.end()
            progress.end()
            write_whole_report(folder)
            if style != "quiet":
                output.line(_json_line(outcome, again) if style == "json" else _line(outcome, again))

        interrupts.guard(rounds)
        with interrupts.installed():
            if options.every:
                await rounds.keep_on(report)
            else:
                report(await rounds.round(), 0.0)

    try:
        run(main())
    finally:
        progress.end()
    return 130 if interrupts.count > 1 else 0


def _watching(rounds: Revisits, progress: ProgressLine) -> Callable[[Any], None]:
    due: list[WatchedPage] = []
    done = 0

    def watch(step: Any) -> None:
        nonlocal due, done
        if rounds.due is not due:  # another round
            due, done = rounds.due, 0
        if step.check is not None and step.check.outcome != "nothing":
            done += 1
            progress(done, max(done, len(due)))

    return watch


_WORDS = {
    "same": "unchanged",
    "noise": "changed in dates and the like only",
    "changed": "changed",
    "moved": "moved",
    "missing": "not found, to be confirmed",
    "gone": "gone",
    "failed": "failed",
    "refused": "refused by robots.txt",
}


def _line(outcome: RevisitRound, again: float) -> str:
    from scenthound.report.figures import day, duration, plural, size

    parts = [f"{outcome.looks[name]:,} {words}" for name, words in _WORDS.items() if outcome.looks[name]]
    if outcome.found:
        parts.append(plural(outcome.found, "new page") + f" ({outcome.found_relevant:,} relevant)")
    came = f"{day(outcome.began)}  {plural(outcome.requests, 'request')}, {size(outcome.bytes)}"
    line = f"{came} in {duration(outcome.seconds)}: {', '.join(parts) or 'nothing was due'}"
    return f"{line}; next {day(again)}" if again else line


def _json_line(outcome: RevisitRound, again: float) -> str:
    import msgspec

    plain = msgspec.to_builtins(outcome) | {"looks": dict(outcome.looks), "next": again or None}
    return msgspec.json.encode(plain).decode()


def _show_due(folder: Path, options: RevisitOptions, json: bool) -> None:
    import time

    from scenthound.cli.arguments import as_json
    from scenthound.library import open_library
    from scenthound.report.figures import day, printable
    from scenthound.revisit.rounds import budgeted, due_now
    from scenthound.revisit.schedule.due_pages import last_look

    _settings(folder)
    with open_library(folder, write=False) as history:
        pages = due_now(history, budgeted(options, history), time.time())
    if json:
        typer.echo(as_json([_plain(page) for page in pages]))
        return
    for page in pages:
        changes = sum(look.outcome == "changed" for look in page.looks)
        facts = f"{day(last_look(page))}  {page.relevance:.2f}  {len(page.looks):>3} looks  {changes:>3} changes"
        typer.echo(f"{facts}  {printable(page.url)}")


def _plain(page: WatchedPage) -> dict[str, Any]:
    return {
        "url": page.url,
        "relevance": page.relevance,
        "checked_at": page.checked_at,
        "looks": [[look.at, look.outcome] for look in page.looks],
    }
