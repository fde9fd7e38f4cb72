"""`scenthound seeds`: pages to start from, asked of a search source, or chosen by the links of a first crawl."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from scenthound.cli.started_as import program

if TYPE_CHECKING:
    from scenthound.config import Config
    from scenthound.fetch.seed_sources.choose_source import FoundSeeds

NOTHING = 1
"""Exit code when nothing was found, as grep has it."""

ASKED, WRITTEN = "Who is asked", "Where the seeds go"


def seeds(
    topic: Annotated[
        str | None,
        Argument(metavar="TOPIC", help="What to search for; that of FOLDER/topic.toml if not given."),
    ] = None,
    source: Annotated[
        str | None,
        Option(
            metavar="NAME|URL",
            help="wikipedia, wikipedia:de, the URL of a wiki, of a SearXNG instance or of an engine with an OpenSearch "
            "description, or a template with {searchTerms}. Default: Wikipedia in the topic's language.",
            rich_help_panel=ASKED,
        ),
    ] = None,
    by: Annotated[
        str | None,
        Option(
            metavar="hubs|authorities|pagerank",
            help="No source: the best pages of a first small crawl by its links. TOPIC is then its folder.",
            rich_help_panel=ASKED,
        ),
    ] = None,
    limit: Annotated[
        int, Option("--limit", "-n", metavar="N", min=1, max=499, help="How many seeds.", rich_help_panel=ASKED)
    ] = 20,
    language: Annotated[
        str | None,
        Option(metavar="CODE", help="Of the topic; that of topic.toml, or en.", rich_help_panel=ASKED),
    ] = None,
    category: Annotated[
        bool,
        Option("--category", help="TOPIC is a category of the wiki; take its articles.", rich_help_panel=ASKED),
    ] = False,
    depth: Annotated[
        int,
        Option(metavar="N", min=0, max=10, help="With --category: levels of inner categories.", rich_help_panel=ASKED),
    ] = 0,
    contact: Annotated[
        str | None,
        Option(metavar="URL|MAIL", help="Who you are, told to the source.", rich_help_panel=ASKED),
    ] = None,
    allow_private: Annotated[
        bool,
        Option("--allow-private", help="The source may be on this machine or network.", rich_help_panel=ASKED),
    ] = False,
    into: Annotated[
        Path | None,
        Option(metavar="FOLDER", help="Into the topic.toml of a library, made if new.", rich_help_panel=WRITTEN),
    ] = None,
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="FILE", help="Into a file for --seeds-file.", rich_help_panel=WRITTEN),
    ] = None,
    json: Annotated[bool, Option("--json", help="As JSON, with titles.", rich_help_panel=WRITTEN)] = False,
) -> None:
    """Ask a search source for pages about a topic, to start a crawl from.

    The default source, Wikipedia in the topic's language, needs no key.
    A source gets one request at a time, with a pause between two, asked on your behalf as a browser would.
    Without --into and -o the seeds are printed, best first.
    Returns 1 if nothing was found, 6 if the source does not answer.

    \b
    [bold]Examples[/bold]
    scenthound seeds "dengue fever" --into crawls/dengue-fever
    scenthound seeds "dengue fever" --limit 100 -o seeds.txt
    scenthound seeds "Dengue-Fieber" --language de
    scenthound seeds "Mosquito-borne diseases" --category --depth 1
    scenthound seeds "dengue fever" --source http://localhost:8888 --allow-private
    scenthound seeds crawls/first-look --by hubs --limit 10 --into crawls/dengue-fever
    """
    # Imported here because they bring the fetcher along, which --help and completion can do without.
    from scenthound.app import seeds
    from scenthound.app.event_loop import run
    from scenthound.app.link_seeds import seeds_by_links
    from scenthound.cli.views.progress_line import ProgressLine

    if into is not None and output is not None:
        from scenthound.errors import UsageError

        raise UsageError("Seeds go either into a library (--into) or into a file (-o), not both.")
    settings = seeds.settings_for_seeds(into, language, contact, allow_private)
    if by is not None:
        found = seeds_by_links(Path(topic or into or "."), by, limit)  # type: ignore[arg-type]
        name = settings.topic.name or _topic_of(Path(topic or into or "."))
        _keep(found, name, settings, into, output, json)
        raise typer.Exit(0 if found.hits else NOTHING)
    words = seeds.words_of(topic, settings)
    progress = ProgressLine("Seeds found:")
    try:
        found = run(
            seeds.find_seeds(words, settings, source or "", limit, category=category, depth=depth, progress=progress)
        )
    finally:
        progress.end()
    if not found.hits:
        sys.stderr.write(
            f"{found.source} found nothing for {words!r}. Try fewer or other words, or another --source.\n"
        )
        raise typer.Exit(NOTHING)
    _keep(found, words, settings, into, output, json)
    if found.note:
        sys.stderr.write(f"There may be more: {found.note}\n")


def _topic_of(folder: Path) -> str:
    """What the first crawl was about."""
    from scenthound.app.topic import read_topic

    return read_topic(folder).topic.name if (folder / "topic.toml").is_file() else folder.name


def _keep(found: FoundSeeds, words: str, settings: Config, into: Path | None, output: Path | None, json: bool) -> None:
    from scenthound.app import seeds
    from scenthound.cli.views.output import as_json
    from scenthound.report.formatting import plural

    urls = [hit.url for hit in found.hits]
    if into is not None:
        new = seeds.write_into(into, words, urls, settings)
        told = f"{plural(new, 'new seed')} in {into / 'topic.toml'}. Start with: {program()} crawl {into}"
    elif output is not None:
        seeds.write_list(output, words, found)
        told = f"{plural(len(urls), 'seed')} from {found.source} written to {output}"
    else:
        told = ""
    if json:
        typer.echo(as_json({"topic": words, "source": found.source, "seeds": found.hits, "note": found.note}))
    elif not told:
        typer.echo("\n".join(urls))
    if told:
        sys.stderr.write(f"{told}\n")
