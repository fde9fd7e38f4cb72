"""`scenthound judge`: all pages of a library, judged again by what is set now."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from scenthound.cli.commands import complete


def judge(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, as crawl made it.")],
    judge: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="Judge by this one from now on; goes into topic.toml.",
            autocompletion=complete.judges,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        Option(
            metavar="X",
            min=0,
            max=1,
            help="Relevance from which a page counts from now on, 0 to 1; goes into topic.toml.",
        ),
    ] = None,
    json: Annotated[bool, Option("--json", help="What came of it, as one JSON object.")] = False,
) -> None:
    """Judge all pages of a library again: after labels, another topic, another judge or threshold.

    Tells which pages came in and which went out, and ranks the links that wait anew. How pages were judged when they
    came is kept. A crawl that goes on does the same first, where anything has changed.

    \b
    [bold]Examples[/bold]
    scenthound judge crawls/dengue-fever
    scenthound judge crawls/dengue-fever --threshold 0.7
    scenthound judge crawls/dengue-fever --judge keywords --json
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.app.judge import JudgeOptions
    from scenthound.cli.views.judge_outcome import run_judging

    raise typer.Exit(run_judging(folder, JudgeOptions(judge, threshold), json))
