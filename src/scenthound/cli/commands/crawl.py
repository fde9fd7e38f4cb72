"""`scenthound crawl`: the main job."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument, Option

from scenthound.cli.commands import complete, shared_options
from scenthound.cli.commands.shared_options import HOW, MANNERS, SHOWN, WHAT, WHERE
from scenthound.errors import UsageError

if TYPE_CHECKING:
    from scenthound.cli.views.crawl_summary import Style


def crawl(
    topic: Annotated[
        str | None,
        Argument(
            metavar="TOPIC", help="A topic in words, a sentence, a library folder to go on with, or a topic.toml."
        ),
    ] = None,
    seed: shared_options.Seeds = None,
    seeds_file: shared_options.SeedsFile = None,
    examples: Annotated[
        list[str] | None,
        Option(
            metavar="FILE|URL",
            help="A page known to be about the topic; repeatable. One with a URL is a start page, too.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    language: shared_options.Language = None,
    only_language: Annotated[
        list[str] | None,
        Option(
            metavar="CODES",
            help="Stay in these languages, as in ja or de,en: other pages do not count, their links are not followed.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        Option(metavar="X", min=0, max=1, help="Relevance from which a page counts, 0 to 1.", rich_help_panel=WHAT),
    ] = None,
    judge: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="What decides how relevant a page is.",
            rich_help_panel=WHAT,
            autocompletion=complete.judges,
        ),
    ] = None,
    pages: Annotated[
        int | None,
        Option(
            "--pages",
            "-n",
            metavar="N",
            min=0,
            help="Pages in the library at the end; 0 = no limit.",
            rich_help_panel=HOW,
        ),
    ] = None,
    minutes: shared_options.Minutes = None,
    until: Annotated[
        list[str] | None,
        Option(
            metavar="recall=X|harvest=X",
            help="Stop when so large a share is found, by estimate, or so few of the last pages are relevant.",
            rich_help_panel=HOW,
        ),
    ] = None,
    confidence: Annotated[
        float | None,
        Option(metavar="X", min=0.5, max=0.999, help="With which recall is reached; 0.95.", rich_help_panel=HOW),
    ] = None,
    host_pages: Annotated[
        int | None, Option(metavar="N", min=0, help="Pages per host at most; 0 = no limit.", rich_help_panel=HOW)
    ] = None,
    strategy: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="What decides which link is next; see [bold]scenthound strategies[/bold].",
            rich_help_panel=HOW,
            autocompletion=complete.strategies,
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        Option(metavar="NAME=VALUE", help="A parameter of the strategy; repeatable.", rich_help_panel=HOW),
    ] = None,
    random_seed: Annotated[
        int | None, Option(metavar="N", help="Same seed, same web, same crawl.", rich_help_panel=HOW)
    ] = None,
    into: Annotated[
        Path | None,
        Option(metavar="FOLDER", help="Where the library is kept; ./crawls/<topic> by default.", rich_help_panel=WHERE),
    ] = None,
    library: Annotated[
        str | None,
        Option(
            metavar="ADDRESS",
            help="Keep it in PostgreSQL, as in postgresql://localhost/crawls; its files stay in the folder.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    allow: Annotated[
        str | None, Option(metavar="RULE", help="Only links that match, as in site:example.org.", rich_help_panel=WHERE)
    ] = None,
    deny: Annotated[
        str | None, Option(metavar="RULE", help="No links that match, as in path:/login.", rich_help_panel=WHERE)
    ] = None,
    want: shared_options.Want = None,
    replay: shared_options.Replay = None,
    demo: Annotated[
        bool, Option("--demo", help="Crawl a built-in web; needs no internet.", rich_help_panel=WHERE)
    ] = False,
    delay: shared_options.Delay = None,
    parallel: shared_options.Parallel = None,
    contact: shared_options.Contact = None,
    sign: Annotated[
        Path | None,
        Option(
            metavar="KEY",
            help="Sign every request with this Ed25519 key; [bold]scenthound identity[/bold] makes one.",
            rich_help_panel=MANNERS,
        ),
    ] = None,
    login: Annotated[
        list[Path] | None,
        Option(
            metavar="FILE",
            help="Cookies and headers for some hosts: cookies.txt, or a .toml; repeatable.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    render: Annotated[
        Literal["never", "auto", "always"] | None,
        Option(
            metavar="never|auto|always",
            help="Run scripts, in a Chromium: of pages that show nothing without (auto), or of all.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    allow_private: shared_options.AllowPrivate = False,
    workers: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            help="Crawl with so many processes, which share a library in PostgreSQL.",
            rich_help_panel=HOW,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        Option(
            metavar="ADDRESS|auto",
            help="Have a Ray cluster run the workers, as in ray://head:10001.",
            rich_help_panel=HOW,
        ),
    ] = None,
    serve: Annotated[
        bool, Option("--serve", help="Also show it in the browser, as serve does.", rich_help_panel=SHOWN)
    ] = False,
    json: Annotated[
        bool, Option("--json", help="A JSON object per step, and one at the end.", rich_help_panel=SHOWN)
    ] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Show errors only.", rich_help_panel=SHOWN)] = False,
) -> None:
    """Collect pages about a topic, best links first.

    Ctrl-C stops cleanly; the same command, or the folder's name, goes on.
    Keys while it runs: p pauses, + and - change how much is asked at once, s sorts, q stops, ? helps.
    The folder's topic.toml says how the crawl was made: options given now or later are kept there.

    \b
    [bold]Examples[/bold]
    scenthound crawl --demo
    scenthound crawl "dengue fever" --seed https://example.org --pages 500
    scenthound crawl "I am after pages about coral bleaching and what warm water does to reefs" -s example.org
    scenthound crawl crawls/dengue-fever --pages 2000
    scenthound crawl "student" --replay web.warc.gz --seed http://example.edu/
    scenthound crawl birds -s example.org --strategy best-n-first --param n=10
    scenthound crawl "water levels" -s example.org --want pdf,csv
    scenthound crawl "サンゴの白化" -s example.jp --only-language ja
    scenthound crawl "meeting notes" -s https://intranet.example.org --login cookies.txt
    scenthound crawl crawls/ferns --workers 4
    scenthound crawl ferns -s example.org --library postgresql://localhost/crawls#ferns
    scenthound crawl "coral reefs" -s https://app.example.org --render auto
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.app.crawl_plan import CrawlOptions, plan_crawl
    from scenthound.app.demo import plan_demo
    from scenthound.cli.views.watched_crawl import run_crawl

    options = CrawlOptions(
        seeds=seed or [],
        seeds_file=seeds_file,
        examples=examples or [],
        language=language,
        into=into,
        pages=pages,
        minutes=minutes,
        until=until or [],
        confidence=confidence,
        host_pages=host_pages,
        strategy=strategy,
        params=param or [],
        judge=judge,
        threshold=threshold,
        allow=allow,
        deny=deny,
        want=want or [],
        only_languages=only_language or [],
        delay=delay,
        parallel=parallel,
        contact=contact,
        sign=sign,
        logins=login or [],
        render=render,
        allow_private=allow_private,
        replay=replay or [],
        random_seed=random_seed,
        library=library,
    )
    if not demo and topic is None:
        raise UsageError(
            'Say what to look for: scenthound crawl "dengue fever" --seed URL, or try scenthound crawl --demo'
        )
    plan = plan_demo(topic, options) if demo or topic is None else plan_crawl(topic, options)
    if workers is not None or cluster is not None:
        from scenthound.cli.views.watched_workers import run_workers

        raise typer.Exit(run_workers(plan, workers or 2, cluster, _style(json, quiet)))
    raise typer.Exit(run_crawl(plan, _style(json, quiet), serve))


def _style(json: bool, quiet: bool) -> Style:
    if json:
        return "summary" if quiet else "json"
    if quiet:
        return "quiet"
    return "live" if sys.stdout.isatty() and os.environ.get("TERM") != "dumb" else "plain"
