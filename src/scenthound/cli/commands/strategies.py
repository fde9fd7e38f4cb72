"""`scenthound strategies`: what there is to choose from."""

from __future__ import annotations

import dataclasses
import inspect
import json as jsonlib
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text
from typer import Argument, Option

from scenthound import registry


def strategies(
    name: Annotated[
        str | None,
        Argument(metavar="NAME", help="Tell all about this one.", autocompletion=lambda: registry.strategy.names()),
    ] = None,
    json: Annotated[bool, Option("--json", help="As JSON.")] = False,
) -> None:
    """List the strategies: the rules that decide which link is followed next.

    \b
    [bold]Examples[/bold]
    scenthound strategies
    scenthound strategies best-n-first
    scenthound crawl birds -s example.org --strategy best-n-first --param n=10
    """
    names = [name] if name else registry.strategy.names()
    described = [describe(each) for each in names]
    if json:
        typer.echo(jsonlib.dumps(described[0] if name else described, indent=2))
    elif name:
        _show(described[0])
    else:
        _list(described)


def describe(name: str) -> dict[str, Any]:
    cls = registry.strategy.get(name)
    story = inspect.cleandoc(cls.__doc__ or "")
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    return {
        "name": name,
        "summary": story.partition("\n")[0].rstrip("."),
        "story": story,
        "parameters": [
            {"name": field.name, "type": _type_name(field.type), "default": _default(field)}
            for field in fields
            if field.init and not field.name.endswith("_")
        ],
    }


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        value = field.default
    elif field.default_factory is not dataclasses.MISSING:
        value = field.default_factory()
    else:
        return None
    return value if isinstance(value, (bool, int, float, str, list, dict, type(None))) else repr(value)


def _type_name(kind: Any) -> str:
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))


def _list(described: list[dict[str, Any]]) -> None:
    console = Console()
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold cyan", no_wrap=True)
    table.add_column()
    for each in described:
        table.add_row(each["name"], Text(each["summary"]))
    console.print(table)
    console.print("\nMore about one: [bold]scenthound strategies NAME[/bold]", highlight=False)


def _show(described: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(Text(described["name"], style="bold cyan"))
    console.print(Markdown(described["story"]))
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
        Text(f"\nscenthound crawl TOPIC --strategy {described['name']} --param {example['name']}={example['default']}"),
        style="dim",
    )
