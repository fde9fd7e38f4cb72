"""`scenthound topic`: what a crawl is about, shown, or worked out from pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.cli.commands import shared_options
from scenthound.errors import UsageError

FROM, ALSO = "Where keywords come from", "What else goes into topic.toml"


def topic(
    folder: Annotated[
        str | None,
        Argument(
            metavar="FOLDER|WORDS",
            help="A library, or a folder that is to become one; or a topic in words, a sentence.",
        ),
    ] = None,
    like: Annotated[
        list[str] | None,
        Option(
            "--like",
            metavar="URL|FILE",
            help="A page like those you are after, or a file that lists such; repeatable. It becomes an example.",
            rich_help_panel=FROM,
        ),
    ] = None,
    from_pages: Annotated[
        list[str] | None,
        Option(
            "--from-pages",
            "-p",
            metavar="FILE|URL",
            help="As --like, but keywords that are there already are replaced.",
            rich_help_panel=FROM,
        ),
    ] = None,
    from_found: Annotated[
        bool, Option("--from-found", help="The relevant pages the library has collected.", rich_help_panel=FROM)
    ] = False,
    from_directory: Annotated[
        Path | None,
        Option(metavar="FILE", help="An entry of a web directory: ODP's RDF, or JSON like it.", rich_help_panel=FROM),
    ] = None,
    category: Annotated[
        str,
        Option(metavar="A/B/C", help="Which entry of the directory; its last levels are enough.", rich_help_panel=FROM),
    ] = "",
    keyword: Annotated[
        list[str] | None,
        Option(
            "--keyword",
            "-k",
            metavar="TERM[=WEIGHT]",
            help="A word or phrase of your own; repeatable.",
            rich_help_panel=FROM,
        ),
    ] = None,
    terms: Annotated[
        int, Option(metavar="N", min=1, max=49, help="How many keywords to work out.", rich_help_panel=FROM)
    ] = 20,
    name: Annotated[str | None, Option(metavar="WORDS", help="What the topic is called.", rich_help_panel=ALSO)] = None,
    seed: Annotated[
        list[str] | None,
        Option("--seed", "-s", metavar="URL", help="A page to start from; repeatable.", rich_help_panel=ALSO),
    ] = None,
    language: Annotated[
        str | None,
        Option(
            metavar="CODE",
            help="Language of the topic, as in en; else it is recognised from words and pages.",
            rich_help_panel=ALSO,
        ),
    ] = None,
    into: Annotated[
        Path | None,
        Option(metavar="FOLDER", help="Where the topic is kept; ./crawls/<topic> by default.", rich_help_panel=ALSO),
    ] = None,
    keywords_only: Annotated[
        bool, Option("--keywords-only", help="Do not add the pages to the examples.", rich_help_panel=ALSO)
    ] = False,
    replay: Annotated[
        list[Path] | None,
        Option(metavar="WARC", help="Take pages from a recorded web, not the live one.", rich_help_panel=FROM),
    ] = None,
    preview: Annotated[
        bool,
        Option(
            "--preview",
            help="Show pages it would keep and would not; without any yet, up to 60 are fetched from the seeds.",
        ),
    ] = False,
    delay: shared_options.Delay = None,
    contact: shared_options.Contact = None,
    allow_private: shared_options.AllowPrivate = False,
    json: Annotated[bool, Option("--json", help="Print the topic as JSON.")] = False,
) -> None:
    """Show the topic of a folder; or work it out from a sentence or from pages, and write it to topic.toml.

    Keywords are what a sentence says less how it asks, or the words that tell most about the pages given, by how often
    they stand there and how rare they are elsewhere. Keywords and examples of a topic.toml stay; only --from-pages,
    --from-found, --from-directory and -k replace keywords. The file as it was is kept as topic.toml.old.

    \b
    [bold]Examples[/bold]
    scenthound topic crawls/dengue-fever
    scenthound topic "I am after pages about coral bleaching and what warm water does to reefs" --seed example.org
    scenthound topic --like https://example.org/ferns --like notes.html
    scenthound topic crawls/ferns --like good-pages.txt
    scenthound topic crawls/ferns --preview
    scenthound topic crawls/ferns -p https://example.org/ferns -p notes.html --terms 15
    scenthound topic crawls/dengue-fever --from-found
    scenthound topic crawls/plants --from-directory content.rdf.gz --category "Plants/House Plants"
    scenthound topic crawls/dengue-fever -k "dengue fever=0.5" -k mosquito
    """
    # Imported here because they bring the parser and the store along, which --help and completion can do without.
    import json as jsonlib

    import msgspec
    from rich.console import Console

    from scenthound.app.event_loop import run
    from scenthound.app.topic import TopicChange, TopicOptions, plain_change, read_topic, topic_place, update_topic
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.cli.views.topic import topic_text

    place, words = topic_place(folder, into)
    options = TopicOptions(
        folder=place,
        words=words,
        liked=like or [],
        pages=from_pages or [],
        found=from_found,
        directory=from_directory,
        category=category,
        keywords=keyword or [],
        terms=terms,
        name=name,
        seeds=seed or [],
        language=language,
        keywords_only=keywords_only,
        replay=replay or [],
        delay=delay,
        contact=contact,
        allow_private=allow_private,
    )
    if options.changes():
        progress = ProgressLine("Fetching page")
        change = run(update_topic(options, progress))
        progress.end()
    elif place is None:
        raise UsageError('Say what you are after: scenthound topic "dengue fever", or a page you like: --like URL')
    else:
        change = TopicChange(place, read_topic(place))
    pages = None
    if preview or (options.changes() and not json):
        from scenthound.cli.views.watched_preview import preview_if_there, watch_preview  # they bring a crawler along

        pages = run(watch_preview(change.folder, options.replay) if preview else preview_if_there(change.folder))
    if json:
        told = plain_change(change) | ({"preview": msgspec.to_builtins(pages)} if pages else {})
        typer.echo(jsonlib.dumps(told, indent=2, ensure_ascii=False))
        return
    typer.echo(topic_text(change, options.changes(), options.replay))
    if pages is not None:
        from scenthound.cli.views.topic_preview import preview_lines

        console = Console(highlight=False)
        console.print()
        for line in preview_lines(pages, console.width):
            console.print(line, soft_wrap=True)
