"""`scenthound sites`: websites about a topic, as a list."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.cli.commands import shared_options
from scenthound.cli.commands.shared_options import HOW, SHOWN, WHAT, WHERE
from scenthound.errors import UsageError

KINDS = ["host", "domain", "folder"]
WEIGHTS = ["global", "local", "combined", "bandit"]


def sites(
    topic: Annotated[
        str | None,
        Argument(
            metavar="TOPIC", help="A topic in words, a sentence, a library folder to go on with, or a topic.toml."
        ),
    ] = None,
    seed: shared_options.Seeds = None,
    seeds_file: shared_options.SeedsFile = None,
    relevant_sites: Annotated[
        Path | None,
        Option(metavar="FILE", help="Sites known to be relevant, as labels: URLs, one a line.", rich_help_panel=WHAT),
    ] = None,
    other_sites: Annotated[
        Path | None,
        Option(metavar="FILE", help="And sites of other kinds, the more varied the better.", rich_help_panel=WHAT),
    ] = None,
    directory: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Both from a directory of the web, as content.rdf.u8.gz of ODP; with --category.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    category: Annotated[
        str,
        Option(
            metavar="A/B",
            help="The subtree of it whose sites are relevant; others stand for the rest.",
            rich_help_panel=WHAT,
        ),
    ] = "",
    examples: Annotated[
        list[str] | None,
        Option(metavar="FILE|URL", help="A page known to be about the topic; repeatable.", rich_help_panel=WHAT),
    ] = None,
    language: shared_options.Language = None,
    threshold: Annotated[
        float | None,
        Option(
            metavar="X",
            min=0,
            max=1,
            help="Relevance at which a page speaks neither for nor against its site; without training sites.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        Option(
            metavar="host|domain|folder",
            help="What a site is: a host, a domain with all its hosts, or a host's folder.",
            rich_help_panel=WHAT,
            autocompletion=lambda: KINDS,
        ),
    ] = None,
    pages: Annotated[
        int | None,
        Option("--pages", "-n", metavar="N", min=0, help="Pages looked at in all; 0 = no limit.", rich_help_panel=HOW),
    ] = None,
    minutes: shared_options.Minutes = None,
    site_pages: Annotated[
        int | None, Option(metavar="N", min=1, help="Requests to one site at most.", rich_help_panel=HOW)
    ] = None,
    p_threshold: Annotated[
        float | None,
        Option(metavar="P", min=0.5, max=1, help="How sure one must be of a site to leave it.", rich_help_panel=HOW),
    ] = None,
    l_threshold: Annotated[
        float | None,
        Option(metavar="L", min=0, help="How many links to other sites to look for; see docs.", rich_help_panel=HOW),
    ] = None,
    weight: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="What decides which site is next: global, local, combined or bandit.",
            rich_help_panel=HOW,
            autocompletion=lambda: WEIGHTS,
        ),
    ] = None,
    active: Annotated[
        int | None, Option(metavar="N", min=1, help="Sites looked at at once.", rich_help_panel=HOW)
    ] = None,
    enough: Annotated[
        int | None, Option(metavar="N", min=0, help="End at N relevant sites; 0 = no limit.", rich_help_panel=HOW)
    ] = None,
    pprs: Annotated[
        float | None,
        Option(
            metavar="X",
            min=0,
            help="End when a relevant site takes more than X pages, over the last 1,000.",
            rich_help_panel=HOW,
        ),
    ] = None,
    published: Annotated[
        bool | None,
        Option(
            "--published",
            help="Exactly as Ester et al. have it; takes training sites of both kinds.",
            rich_help_panel=HOW,
        ),
    ] = None,
    deepen: Annotated[
        int,
        Option(metavar="N", min=0, help="Then collect N pages of the relevant sites, best first.", rich_help_panel=HOW),
    ] = 0,
    into: Annotated[
        Path | None,
        Option(
            "--into",
            "--out",
            metavar="FOLDER",
            help="Where the library is kept; ./crawls/<topic> by default.",
            rich_help_panel=WHERE,
        ),
    ] = None,
    allow: Annotated[
        str | None, Option(metavar="RULE", help="Only links that match, as in host:*.edu.", rich_help_panel=WHERE)
    ] = None,
    deny: Annotated[
        str | None, Option(metavar="RULE", help="No links that match, as in site:example.com.", rich_help_panel=WHERE)
    ] = None,
    replay: shared_options.Replay = None,
    demo: Annotated[
        bool, Option("--demo", help="Crawl a built-in web of sites; needs no internet.", rich_help_panel=WHERE)
    ] = False,
    delay: shared_options.Delay = None,
    parallel: shared_options.Parallel = None,
    contact: shared_options.Contact = None,
    allow_private: shared_options.AllowPrivate = False,
    show: Annotated[
        bool, Option("--list", help="Only show the list of a folder, and ask no server.", rich_help_panel=SHOWN)
    ] = False,
    everything: Annotated[
        bool, Option("--all", help="Also sites that are not relevant.", rich_help_panel=SHOWN)
    ] = False,
    csv: Annotated[bool, Option("--csv", help="The list as CSV.", rich_help_panel=SHOWN)] = False,
    json: Annotated[bool, Option("--json", help="A JSON object per site.", rich_help_panel=SHOWN)] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="No progress, only the list.", rich_help_panel=SHOWN)] = False,
) -> None:
    """Find websites about a topic, and list them with what makes them relevant and how they were found.

    Each site is looked at from its homepage, a few pages long, until the topic's words make clear what it is.

    Sites may be labelled, by --relevant-sites and --other-sites or by the command label, also on a list that is there.
    A labelled site is what the label says. How the pages of such sites look is learned and used where it helps: every
    labelled site is held back once, to see whether it would have been told right.

    Ctrl-C stops cleanly; the same command, or the folder's name, goes on. With nothing left to do it shows the list.

    \b
    [bold]Examples[/bold]
    scenthound sites --demo
    scenthound sites "orchid nursery" --seed https://example.org --pages 500
    scenthound sites "orchid nursery" -s example.org --relevant-sites good.txt --other-sites bad.txt
    scenthound sites "house plants" -s example.org --directory content.rdf.u8.gz --category Plants/House_Plants
    scenthound label crawls/orchid-nursery nursery.example.com --yes
    scenthound sites crawls/orchid-nursery --list --csv > sites.csv
    scenthound sites crawls/orchid-nursery --deepen 2000
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.app.crawl_plan import CrawlOptions
    from scenthound.app.sites import SiteOptions, plan_sites
    from scenthound.cli.views.site_list import Form
    from scenthound.cli.views.watched_sites import run_sites, show_list

    if csv and json:
        raise UsageError("Choose one of --csv and --json.")
    options = CrawlOptions(
        seeds=seed or [],
        seeds_file=seeds_file,
        examples=examples or [],
        language=language,
        into=into,
        pages=pages,
        minutes=minutes,
        threshold=threshold,
        allow=allow,
        deny=deny,
        delay=delay,
        parallel=parallel,
        contact=contact,
        allow_private=allow_private,
        replay=replay or [],
    )
    asked = SiteOptions(
        relevant=relevant_sites,
        other=other_sites,
        kind=kind,
        weight=weight,
        p_threshold=p_threshold,
        l_threshold=l_threshold,
        site_pages=site_pages,
        active=active,
        enough=enough,
        pprs=pprs,
        published=published,
        directory=directory,
        category=category,
    )
    form = Form("csv" if csv else "json" if json else "table", everything)
    if show:
        if topic is None:
            raise UsageError("Say which folder: scenthound sites FOLDER --list")
        raise typer.Exit(show_list(Path(topic), form, quiet=quiet))
    plan = plan_sites(topic, options, asked, demo=demo)
    raise typer.Exit(run_sites(plan, form, deepen=deepen, quiet=quiet))
