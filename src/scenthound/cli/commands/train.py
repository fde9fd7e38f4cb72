"""`scenthound train`: teaches a learning strategy, ahead of the crawl, with what `trails` gathered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from scenthound.cli.commands import complete


def train(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A folder with trails or a graph to learn from.")],
    model: Annotated[
        str,
        Option(
            metavar="STRATEGY",
            help="Which strategy is to learn: crf, memm, hmm, context-graph ...",
            autocompletion=complete.trainable,
        ),
    ],
    param: Annotated[
        list[str] | None, Option(metavar="KEY=VALUE", help="A parameter of the strategy; repeatable.")
    ] = None,
    lessons: Annotated[
        Literal["trails", "graph"] | None,
        Option("--from", metavar="trails|graph", help="Learn from one of them; from both, where there are both."),
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="For all that is drawn at random.")] = 0,
    json: Annotated[bool, Option("--json", help="How it went, as JSON.")] = False,
) -> None:
    """Train a strategy that learns the ways to a topic. What it learned goes to FOLDER/models.

    Shows how well it learned: the training curve, how often it tells the distance to a relevant page rightly on pages
    held back, which distances it mistakes for which, and the features that speak most for each.

    \b
    [bold]Examples[/bold]
    scenthound train crawls/ferns --model crf
    scenthound train crawls/ferns --model memm --param features=words --from graph
    scenthound crawl crawls/ferns --strategy crf
    """
    # Imported here because they bring the learners along, which --help and completion can do without.
    from scenthound.app.train import train_strategy
    from scenthound.cli.views.models import show
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine

    progress = ProgressLine("Pages read:")
    try:
        trained = train_strategy(folder, model, param or [], lessons, seed, watch=progress.tell)
    finally:
        progress.end()
    if json:
        typer.echo(as_json(trained))
    else:
        show(trained, folder)
