"""`scenthound sites evaluate`: how well are sites told apart? Asked of labelled ones, in ten folds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option


def sites_evaluate(
    folder: Annotated[
        Path | None, Argument(metavar="FOLDER", help="A folder in which sites were labelled, ten of each kind.")
    ] = None,
    web: Annotated[
        list[Path] | None, Option(metavar="WARC", help="Or a recorded web of sites; repeatable. With --labels.")
    ] = None,
    labels: Annotated[
        Path | None, Option(metavar="TSV", help="Its sites: columns host and categories, tab-separated.")
    ] = None,
    generated: Annotated[int | None, Option(metavar="N", min=50, help="Or a made-up web of N sites.")] = None,
    web_seed: Annotated[int, Option(metavar="N", help="The number that one grows from.")] = 1,
    only: Annotated[list[str] | None, Option(metavar="CLASS", help="Just this class of sites; repeatable.")] = None,
    published: Annotated[
        bool, Option("--published", help="The document's rule: no balance of classes, no bound for the prior.")
    ] = False,
    json: Annotated[bool, Option("--json", help="The figures as JSON.")] = False,
    markdown: Annotated[bool, Option("--markdown", help="The table as Markdown.")] = False,
) -> None:
    """Measure how well sites are told apart: precision, recall and F in ten folds, and pages a site.

    The website classifier looks at a site page by page until it is sure, at several thresholds; the homepage classifier
    has one page to go by. Every site is judged once, by what the others taught.

    \b
    [bold]Examples[/bold]
    scenthound sites evaluate crawls/orchid-nursery
    scenthound sites evaluate --web apache.warc.gz --labels apache-sites.tsv --only big-data
    scenthound sites evaluate --generated 400 --markdown
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    import asyncio

    from rich.console import Console

    from scenthound.app.site_evaluation import evaluate_folder, evaluate_web
    from scenthound.cli.views.lab_progress import Style, progress_bars
    from scenthound.cli.views.site_lab import show_evaluation
    from scenthound.errors import UsageError
    from scenthound.lab.sites.site_experiment import SiteExperiment
    from scenthound.sites.cross_validation import CrossValidationSettings

    if sum(given is not None for given in (folder, web, generated)) != 1:
        raise UsageError("Say whose sites: a FOLDER, or --web WARC with --labels TSV, or --generated N.")
    settings = CrossValidationSettings(published=published)
    style: Style = "json" if json else "markdown" if markdown else "table"
    with progress_bars(Console(stderr=True)) as progress:
        task: Any = progress.add_task("folds", total=None)

        def tell(name: str, done: int, whole: int) -> None:
            progress.update(task, completed=done, total=whole, description=f"folds ({name})")

        if folder is not None:
            found = asyncio.run(evaluate_folder(folder, settings, tell))
        else:
            experiment = SiteExperiment(
                web=[str(path) for path in web or []],
                labels=str(labels or ""),
                generated=generated or 0,
                web_seed=web_seed,
                only=only or [],
            )
            found = evaluate_web(experiment, settings, tell)
    show_evaluation(found, style)
