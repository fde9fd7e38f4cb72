"""The strategies, listed or one in full."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from scenthound.app.strategies import WHY_DEFAULT
from scenthound.cli.started_as import as_started, program


def show_all(described: list[dict[str, Any]]) -> None:
    console = Console()
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold cyan", no_wrap=True)
    table.add_column()
    for each in described:
        table.add_row(each["name"], Text(each["summary"]))
    console.print(table)
    console.print(f"\n{WHY_DEFAULT}", highlight=False)
    console.print(f"\nMore about one: [bold]{program()} strategies NAME[/bold]", highlight=False)


def show(described: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(Text(described["name"], style="bold cyan"))
    console.print(Markdown(as_started(described["story"])))
    forms = ", ".join(described["published"]) or "nowhere; it is ours"
    console.print(Text(f"\nPublished forms (--param published=NAME): {forms}"))
    if not described["parameters"]:
        console.print("\nIt has no parameters.")
        return
    console.print("\n[bold]Parameters[/bold]")
    table = Table(box=None, show_header=False, padding=(0, 2))
    for parameter in described["parameters"]:
        table.add_row(Text(parameter["name"], style="bold"), parameter["type"], Text(f"default {parameter['default']}"))
    console.print(table)
    example = described["parameters"][0]
    console.print(
        Text(
            f"\n{program()} crawl TOPIC --strategy {described['name']} --param {example['name']}={example['default']}"
        ),
        style="dim",
    )
