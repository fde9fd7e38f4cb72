"""`scenthound evaluate`: how good was a finished crawl, ours or another crawler's?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

CRAWL, AGAINST, SHOWN = "What to score", "What it is measured against", "What is shown"


def evaluate(
    folder: Annotated[
        Path | None, Argument(metavar="FOLDER", help="A library, a folder of HTML files, or one of WARC files.")
    ] = None,
    urls: Annotated[
        Path | None,
        Option(metavar="FILE", help="URLs in the order of their download, one a line.", rich_help_panel=CRAWL),
    ] = None,
    warc: Annotated[
        list[Path] | None,
        Option(metavar="FILE", help="WARC files another crawler wrote; repeatable.", rich_help_panel=CRAWL),
    ] = None,
    examples: Annotated[
        Path | None,
        Option(
            metavar="FILE", help="Relevant pages: an HTML file, or a list of URLs and files.", rich_help_panel=AGAINST
        ),
    ] = None,
    counterexamples: Annotated[
        Path | None,
        Option(metavar="FILE", help="Irrelevant pages, to train a classifier with.", rich_help_panel=AGAINST),
    ] = None,
    targets: Annotated[
        Path | None, Option(metavar="FILE", help="URLs that were to be found, one a line.", rich_help_panel=AGAINST)
    ] = None,
    language: Annotated[
        str, Option(metavar="CODE", help="Of pages that do not say theirs.", rich_help_panel=AGAINST)
    ] = "en",
    html: Annotated[
        Path | None, Option(metavar="FILE", help="Also draw the curves, as a web page.", rich_help_panel=SHOWN)
    ] = None,
    json: Annotated[bool, Option("--json", help="As JSON.", rich_help_panel=SHOWN)] = False,
) -> None:
    """Score a finished crawl: harvest ratio, similarity, recall.

    The crawl may be another crawler's: a list of URLs with WARC files, or a folder of HTML files.

    \b
    [bold]Examples[/bold]
    scenthound evaluate crawls/dengue-fever --examples relevant.txt
    scenthound evaluate --urls order.txt --warc other.warc.gz --examples pages/ --targets wanted.txt
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.app.evaluate import draw_scores, evaluate_crawl, plain_scores
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.scores import show

    scores = evaluate_crawl(
        folder,
        warcs=warc or [],
        urls=urls,
        examples=examples,
        counterexamples=counterexamples,
        targets=targets,
        language=language,
    )
    if html is not None:
        draw_scores(scores, html)
    if json:
        typer.echo(as_json(plain_scores(scores)))
    else:
        show(scores)
