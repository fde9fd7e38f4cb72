"""`scenthound evaluate`: how good was a finished crawl, ours or another crawler's?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from scenthound.lab.evaluator import CrawlScores

CRAWL, AGAINST, SHOWN = "What to score", "What it is measured against", "What is shown"
COST = ("cpu", "bytes", "requests")


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
    from scenthound.errors import UsageError
    from scenthound.lab import evaluator

    if examples is None and targets is None:
        raise UsageError(
            "Say what to measure against: --examples FILE (pages known to be relevant), or --targets FILE."
        )
    warcs = warc or []
    crawl = evaluator.finished_crawl(folder, warcs, urls, language)
    relevant, named = evaluator.example_pages(examples, crawl, folder, language) if examples else ([], [])
    against = evaluator.example_pages(counterexamples, crawl, folder, language)[0] if counterexamples else []
    wanted = list(evaluator.listed_urls(targets)) if targets else []
    scores = evaluator.score(crawl, relevant, against, wanted, named, language)
    if html is not None:
        _draw(scores, html)
    if json:
        _as_json(scores)
    else:
        _show(scores)


def _figures(scores: CrawlScores) -> dict[str, Any]:
    return {
        name: None if math.isnan(each.final) else "never" if math.isinf(each.final) else each.final
        for name, each in scores.measured.items()
    }


def _as_json(scores: CrawlScores) -> None:
    import msgspec

    found = {
        "crawl": scores.crawl.name,
        "pages": len(scores.crawl.terms),
        "examples": scores.examples,
        "targets": scores.targets,
        "measures": _figures(scores),
        "notes": scores.crawl.notes,
    }
    typer.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())


def _show(scores: CrawlScores) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from scenthound.lab.measures.registry import measure
    from scenthound.lab.report.tables import number
    from scenthound.report.figures import plural

    console = Console(highlight=False)
    head = f"{scores.crawl.name}: {plural(len(scores.crawl.terms), 'page')}"
    head += f", {plural(scores.examples, 'example')}" if scores.examples else ""
    head += f", {plural(scores.targets, 'target')}" if scores.targets else ""
    console.print(Text(head, style="bold"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style="dim")
    for name, each in scores.measured.items():
        table.add_row(name, number(each.final), measure.get(name).doc)
    console.print(table)
    for note in scores.crawl.notes:
        console.print(Text(note, style="dim"))


def _draw(scores: CrawlScores, path: Path) -> None:
    from scenthound.lab.measures.registry import measure
    from scenthound.lab.report.page import curve_page
    from scenthound.report.charts import thinned

    curves = {}
    for name, each in scores.measured.items():
        known = measure.get(name)
        if known.unit in ("share", "cosine", "score", "ratio") and len(each.curve):
            places = thinned(len(each.curve))
            values = [float(each.curve[place]) for place in places]
            curves[name] = (known.doc, [place + 1 for place in places], values)
    lead = f"{len(scores.crawl.terms):,} pages against {scores.examples:,} examples and {scores.targets:,} targets."
    path.write_text(curve_page(f"Evaluation of {scores.crawl.name}", lead, curves), encoding="utf-8")
