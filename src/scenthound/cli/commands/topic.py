"""`scenthound topic`: what a crawl is about, shown, or worked out from pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

FROM, ALSO = "Where keywords come from", "What else goes into topic.toml"


def topic(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, or a folder that is to become one.")],
    from_pages: Annotated[
        list[str] | None,
        Option(
            "--from-pages",
            "-p",
            metavar="FILE|URL",
            help="A page about the topic, or a file that lists such; repeatable. They become examples, too.",
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
        str | None, Option(metavar="CODE", help="Language of the topic, as in en.", rich_help_panel=ALSO)
    ] = None,
    keywords_only: Annotated[
        bool, Option("--keywords-only", help="Do not add the pages to the examples.", rich_help_panel=ALSO)
    ] = False,
    replay: Annotated[
        list[Path] | None,
        Option(metavar="WARC", help="Take pages from a recorded web, not the live one.", rich_help_panel=FROM),
    ] = None,
    json: Annotated[bool, Option("--json", help="Print the topic as JSON.")] = False,
) -> None:
    """Show the topic of a folder, or work out its keywords and write them to its topic.toml.

    Keywords are the words that tell most about the pages given, by how often they stand there and how rare they are
    elsewhere. They replace those in topic.toml; the file as it was is kept as topic.toml.old.

    \b
    [bold]Examples[/bold]
    scenthound topic crawls/dengue-fever
    scenthound topic crawls/ferns -p https://example.org/ferns -p notes.html --terms 15
    scenthound topic crawls/dengue-fever --from-found
    scenthound topic crawls/plants --from-directory content.rdf.gz --category "Plants/House Plants"
    scenthound topic crawls/dengue-fever -k "dengue fever=0.5" -k mosquito
    """
    # Imported here because they bring the parser and the store along, which --help and completion can do without.
    import json as jsonlib

    from scenthound.app.event_loop import run
    from scenthound.app.topic import TopicOptions, plain_topic, read_topic, update_topic
    from scenthound.cli.views.topic import topic_text

    options = TopicOptions(
        folder=folder,
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
    )
    settings = run(update_topic(options)) if options.changes() else read_topic(folder)
    if json:
        typer.echo(jsonlib.dumps(plain_topic(settings), indent=2, ensure_ascii=False))
    else:
        typer.echo(topic_text(settings, folder, options.changes()))
