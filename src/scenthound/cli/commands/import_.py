"""`scenthound import`: what others collected, taken into a library."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from scenthound.cli.commands import shared_options

if TYPE_CHECKING:
    from scenthound.app.import_pages import ImportOutcome, PageImport
    from scenthound.protocols.crawl import Progress


def import_(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, or where one is to be.")],
    sources: Annotated[
        list[Path],
        Argument(metavar="SOURCE...", help="Files and folders: WARC, WACZ, HTML, JSON lines, lists of URLs."),
    ],
    topic: Annotated[
        str, Option(metavar="TOPIC", help="What a new library is about, so that pages can be judged.")
    ] = "",
    language: Annotated[
        str | None, Option("--language", "-l", metavar="CODE", help="The language of the topic of a new library.")
    ] = None,
    want: shared_options.Want = None,
    json: Annotated[bool, Option("--json", help="What came of it, as JSON.")] = False,
) -> None:
    """Take in pages and links that others collected. They are judged and searched like crawled ones.

    Pages come from WARC and WACZ files, from folders of HTML and from JSON lines with `url` and `body`, as
    Scrapy writes them. Links come from lists of URLs, OPML, bookmarks and sitemaps: they wait for the next
    crawl. Nothing is asked over the network.

    \b
    [bold]Examples[/bold]
    scenthound import crawls/dengue-fever old-crawl.warc.gz
    scenthound import crawls/ferns collection.wacz mirror/ --topic "ferns"
    scenthound import crawls/ferns bookmarks.html feeds.opml urls.txt
    scenthound import crawls/ferns spider-items.jsonl
    scenthound import crawls/ferns papers.warc.gz --want pdf
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    import msgspec

    from scenthound.app.crawl_plan import CrawlOptions
    from scenthound.app.event_loop import run
    from scenthound.app.import_pages import PageImport
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.report.formatting import plural

    work = PageImport(folder, sources, CrawlOptions(language=language, want=want or []), topic)
    progress = ProgressLine("Taking in page")
    try:
        outcome = run(_stoppable(work, progress))
    finally:
        progress.end()
    for line in outcome.damaged:
        sys.stderr.write(f"scenthound: {line}\n")
    if json:
        typer.echo(msgspec.json.encode(outcome).decode())
        return
    lists = outcome.links + outcome.known_links
    parts = [f"{plural(outcome.pages, 'page')} taken in"] if outcome.pages or not lists else []
    waiting = "1 link waits" if outcome.links == 1 else f"{outcome.links:,} links wait"
    parts += [f"{waiting} for the next crawl"] * bool(outcome.links)
    known = f"{plural(outcome.known_links, 'link')} {'was' if outcome.known_links == 1 else 'were'}"
    parts += [f"{known} known already, or out of scope"] * bool(outcome.known_links)
    parts += [f"{outcome.known:,} were there already"] * bool(outcome.known)
    no_pages = "1 answer is no page" if outcome.failed == 1 else f"{outcome.failed:,} answers are no pages"
    parts += [no_pages] * bool(outcome.failed)
    typer.echo(f"{'; '.join(parts)}. {plural(outcome.relevant, 'relevant page')} in {folder} now.")


async def _stoppable(work: PageImport, progress: Progress) -> ImportOutcome:
    from scenthound.cli.interrupts import Interrupts

    interrupts = Interrupts(lambda text: print(text, file=sys.stderr))
    with interrupts.installed():
        interrupts.guard(work)
        return await work.run(progress)
