"""How good a crawl was, as a table."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from scenthound.lab.evaluator import CrawlScores
from scenthound.lab.measures.registry import measure
from scenthound.lab.report.tables import number
from scenthound.report.formatting import plural


def show(scores: CrawlScores) -> None:
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
