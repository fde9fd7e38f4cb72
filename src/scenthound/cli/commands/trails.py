"""`scenthound trails`: something to learn from, by a person's browsing or by collecting the web around targets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from scenthound.cli.views.help import QuickHelp, QuickHelpGroup

TAKEN, MARKED, HAD, GROWN, SHOWN = (
    "What is taken of a history",
    "Which pages are relevant",
    "Where the pages come from",
    "How the graph grows",
    "What is shown",
)

trails = typer.Typer(
    name="trails",
    cls=QuickHelpGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="""Get something to learn from: browsing trails, or a web graph collected backwards from target pages.

    Both end up in FOLDER/training, as lines of JSON that you can read and delete. Learning strategies use them.

    \b
    [bold]Examples[/bold]
    scenthound trails import crawls/ferns places.sqlite --host example.org --ask
    scenthound trails record crawls/ferns
    scenthound trails collect crawls/ferns
    scenthound trails show crawls/ferns
    """,
)

Folder = Annotated[Path, Argument(metavar="FOLDER", help="A library, or a folder that is to become one.")]
Contact = Annotated[str | None, Option(metavar="URL|MAIL", help="Who you are, told to servers.", rich_help_panel=HAD)]
AllowPrivate = Annotated[
    bool, Option("--allow-private", help="Servers may be on this machine or network.", rich_help_panel=HAD)
]


@trails.command(cls=QuickHelp)
def record(
    folder: Folder,
    follow: Annotated[
        list[Path] | None,
        Option(
            metavar="FILE",
            help="Also follow what a browser writes: places.sqlite, History, or a HAR file as it grows; repeatable.",
        ),
    ] = None,
    host: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="Of such a file, only pages of this host and those below it; repeatable."),
    ] = None,
    minutes: Annotated[float, Option(metavar="N", min=0, help="End after so long; 0 = when you stop it.")] = 0.0,
) -> None:
    """Record your own browsing while it happens, to teach learning strategies with.

    Open the page that is shown and drag its three buttons to your bookmarks bar: a click on one of them records the
    page you are on, which page led there, and whether it is relevant. Nothing else is recorded. The page is served on
    this machine alone. With --follow, visits that a browser notes from now on are taken in as well.

    The pages themselves are fetched later, without your cookies: scenthound trails import FOLDER

    \b
    [bold]Examples[/bold]
    scenthound trails record crawls/ferns
    scenthound trails record crawls/ferns --follow ~/.mozilla/firefox/abc.default/places.sqlite --host example.org
    scenthound trails record crawls/ferns --follow session.har --minutes 30
    """
    # Imported here because they bring the engine along, which --help and completion can do without.
    from scenthound.app.trails import ImportOptions
    from scenthound.cli.views.trails import record_browsing

    record_browsing(ImportOptions(folder, follow or [], hosts=host or []), minutes)


@trails.command("import", cls=QuickHelp)
def import_(
    folder: Folder,
    files: Annotated[
        list[Path] | None,
        Argument(
            metavar="FILE...",
            help="Firefox's places.sqlite, Chromium's History, a HAR file, topics of the lab, or trails as text. "
            "Without any, what was imported before is completed.",
        ),
    ] = None,
    host: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="Only pages of this host and those below it; repeatable.", rich_help_panel=TAKEN),
    ] = None,
    only: Annotated[
        str, Option(metavar="RULE", help="Only pages that match, as in site:example.org.", rich_help_panel=TAKEN)
    ] = "",
    since: Annotated[
        str | None, Option(metavar="DATE", help="Only visits since then: 2026-11-15, 3d, 2w.", rich_help_panel=TAKEN)
    ] = None,
    everything: Annotated[bool, Option("--all", help="A browser's whole history.", rich_help_panel=TAKEN)] = False,
    gap: Annotated[
        float, Option(metavar="MINUTES", min=0, help="A pause so long ends a trail.", rich_help_panel=TAKEN)
    ] = 30.0,
    topic: Annotated[str, Option(metavar="NAME", help="Which of the lab's topics.", rich_help_panel=TAKEN)] = "",
    bookmarks: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Bookmarked pages are relevant: places.sqlite, Chromium's Bookmarks, a bookmarks.html.",
            rich_help_panel=MARKED,
        ),
    ] = None,
    bookmark_folder: Annotated[
        str, Option(metavar="NAME", help="Only bookmarks in this folder.", rich_help_panel=MARKED)
    ] = "",
    relevant: Annotated[
        Path | None, Option(metavar="FILE", help="A list of relevant pages, one URL a line.", rich_help_panel=MARKED)
    ] = None,
    ask: Annotated[
        bool,
        Option(
            "--ask", help="Show each page that nothing is known of, and ask; goes on later.", rich_help_panel=MARKED
        ),
    ] = False,
    warc: Annotated[
        list[Path] | None,
        Option(metavar="FILE", help="Take pages from a recording, not the network; repeatable.", rich_help_panel=HAD),
    ] = None,
    no_fetch: Annotated[
        bool, Option("--no-fetch", help="Leave out pages that no library or recording has.", rich_help_panel=HAD)
    ] = False,
    contact: Contact = None,
    allow_private: AllowPrivate = False,
    json: Annotated[bool, Option("--json", help="Sum up as JSON.")] = False,
) -> None:
    """Import browsing trails: which pages were visited, from where, and which of them were relevant.

    Only what you ask for is copied: visits that pass --host, --only and --since. Nothing else of a history is stored,
    and of bookmarks only whether a page you visited is one. A browser may be running; its file is only read.
    Pages that the library does not have are fetched anew, politely and without your cookies, as anyone would see them.

    \b
    [bold]Examples[/bold]
    scenthound trails import crawls/ferns ~/.mozilla/firefox/abc.default/places.sqlite --host example.org
    scenthound trails import crawls/ferns History --since 2w --only "site:example.org" --bookmarks Bookmarks
    scenthound trails import crawls/ferns session.har --relevant good.txt
    scenthound trails import crawls/ferns trails.txt
    scenthound trails import crawls/ferns --ask
    """
    # Imported here because they bring the engine along, which --help and completion can do without.
    from scenthound.app.event_loop import run
    from scenthound.app.trails import ImportOptions, import_trails
    from scenthound.app.user_input import moment
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.cli.views.trails import ask as ask_about
    from scenthound.cli.views.trails import imported_text

    options = ImportOptions(
        folder=folder,
        files=files or [],
        hosts=host or [],
        only=only,
        since=moment(since),
        everything=everything,
        gap=60 * gap,
        topic=topic,
        bookmarks=bookmarks,
        bookmark_folder=bookmark_folder,
        relevant=relevant,
        warc=warc or [],
        fetch=not no_fetch,
        contact=contact or "",
        allow_private=allow_private,
    )
    progress = ProgressLine("Pages fetched:")
    try:
        trails = run(import_trails(options, progress))
    finally:
        progress.end()
    if ask:
        ask_about(trails)
    outcome = trails.summary()
    typer.echo(as_json(outcome) if json else imported_text(outcome, folder))


@trails.command(cls=QuickHelp)
def collect(
    folder: Folder,
    source: Annotated[
        str,
        Option(
            "--from",
            metavar="library|FILE|WIKI",
            help="Who tells what links to a page: the library, a WARC file, or a wiki (wikipedia, or its API's URL).",
            rich_help_panel=HAD,
        ),
    ] = "library",
    target: Annotated[
        list[str] | None,
        Option(
            metavar="URL|FILE",
            help="A target page, or a file that lists such; repeatable. Default: the topic's examples, else the "
            "relevant pages of the library.",
            rich_help_panel=MARKED,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        Option(metavar="X", min=0, max=1, help="Library pages from this relevance on.", rich_help_panel=MARKED),
    ] = None,
    similar: Annotated[
        float,
        Option(metavar="X", min=0, max=1, help="Pages so like a target become targets.", rich_help_panel=MARKED),
    ] = 0.8,
    layers: Annotated[int, Option(metavar="N", min=1, max=10, help="How far back.", rich_help_panel=GROWN)] = 4,
    per_layer: Annotated[
        int, Option(metavar="N", min=1, max=100_000, help="Pages a layer at most.", rich_help_panel=GROWN)
    ] = 600,
    limit: Annotated[
        int | None, Option("--limit", "-n", metavar="N", min=1, help="Pages in all at most.", rich_help_panel=GROWN)
    ] = None,
    sequences: Annotated[
        int, Option(metavar="N", min=1, help="Sequences to draw from the graph.", rich_help_panel=GROWN)
    ] = 10_000,
    random_seed: Annotated[
        int, Option(metavar="N", help="Same seed, same web, same graph.", rich_help_panel=GROWN)
    ] = 0,
    contact: Contact = None,
    allow_private: AllowPrivate = False,
    json: Annotated[bool, Option("--json", help="Sum up as JSON.")] = False,
) -> None:
    """Collect the web around target pages: who links to them, who links to those, and so on, layer by layer.

    Layers are kept in balance: no page brings more backlinks than its share. A wiki is asked one question at a time,
    with a pause between two, and its pages are fetched as in any crawl; a full graph takes it an hour or two.

    \b
    [bold]Examples[/bold]
    scenthound trails collect crawls/ferns
    scenthound trails collect crawls/ferns --from recorded.warc.gz --target targets.txt
    scenthound trails collect crawls/ferns --from wikipedia --per-layer 50
    """
    from scenthound.app.event_loop import run
    from scenthound.app.trails import collect_graph, plain_lessons
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.cli.views.trails import collected_text
    from scenthound.training.graph_collection import CollectOptions

    options = CollectOptions(layers, per_layer, similar, limit, random_seed, sequences)
    progress = ProgressLine("Reading the recording:")
    try:
        lessons = run(
            collect_graph(
                folder,
                source,
                target or [],
                threshold,
                options,
                contact=contact or "",
                allow_private=allow_private,
                watch=progress.tell,
            )
        )
    finally:
        progress.end()
    typer.echo(as_json(plain_lessons(lessons)) if json else collected_text(lessons, folder))


@trails.command(cls=QuickHelp)
def show(
    folder: Folder,
    kind: Annotated[
        Literal["trails", "graph"] | None,
        Option(help="Only the trails imported, or only the graph collected.", rich_help_panel=SHOWN),
    ] = None,
    samples: Annotated[
        int, Option("--samples", "-n", metavar="N", min=0, help="How many sequences.", rich_help_panel=SHOWN)
    ] = 5,
    random_seed: Annotated[int, Option(metavar="N", help="Which sequences.", rich_help_panel=SHOWN)] = 0,
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="FILE", help="The picture, elsewhere than FOLDER/training/graph.html."),
    ] = None,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """Show what there is to learn from: pages by their distance from a target, some sequences, and a picture.

    \b
    [bold]Examples[/bold]
    scenthound trails show crawls/ferns
    scenthound trails show crawls/ferns --kind trails -n 20
    scenthound trails show crawls/ferns --json
    """
    from scenthound.app.trails import draw_lessons
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.cli.views.trails import lessons_json, lessons_text

    progress = ProgressLine("Pages read:")
    try:
        lessons, picture = draw_lessons(folder, kind, output, progress)
    finally:
        progress.end()
    told = lessons_json if json else lessons_text
    typer.echo(told(lessons, picture, samples, random_seed))
