"""`scenthound revisit`: keeping a library fresh."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.cli.commands import complete

COST, HOW, SHOWN = "What it may cost", "How pages are chosen", "What is shown"


def revisit(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    urls: Annotated[
        list[str] | None, Argument(metavar="URL", help="Pages to look at now, and no others.", show_default=False)
    ] = None,
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
            help="learned: most freshness for the requests. Else rates, uniform, proportional, pvalue.",
            rich_help_panel=HOW,
            autocompletion=complete.revisit_policies,
        ),
    ] = "learned",
    discover: Annotated[
        float,
        Option(metavar="X", min=0, max=1, help="Share of it for links that wait, 0 to 1.", rich_help_panel=HOW),
    ] = 0.1,
    now: Annotated[
        bool, Option("--now", help="Also pages that were looked at a moment ago.", rich_help_panel=HOW)
    ] = False,
    images: Annotated[
        bool, Option("--images", help="Look at the images of due pages too.", rich_help_panel=HOW)
    ] = False,
    dry_run: Annotated[
        bool,
        Option("--dry-run", help="Show what would be asked, when and why; ask nobody.", rich_help_panel=SHOWN),
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
    scenthound revisit crawls/dengue-fever --now
    scenthound revisit crawls/dengue-fever https://example.org/news
    scenthound changes crawls/dengue-fever --since 7d
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.app.revisit import check_options, pages_meant
    from scenthound.app.user_input import span
    from scenthound.cli.views.revisit import run_revisit, show_due
    from scenthound.revisit.rounds import RevisitOptions

    options = check_options(
        RevisitOptions(
            requests=requests or 0,
            seconds=span(lasting) if lasting else 0.0,
            policy=policy,
            discover=discover,
            every=span(every) if every else 0.0,
            images=images,
            now=now,
            urls=pages_meant(folder, urls) if urls else (),
        )
    )
    if dry_run:
        show_due(folder, options, json)
        return
    raise typer.Exit(run_revisit(folder, options, "quiet" if quiet else "json" if json else "lines"))
