"""`scenthound lab`: which strategy, judge or crawler for sites is best here, and by how much?"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

WEB, WHAT, HOW, SHOWN = "On which web", "What to compare", "How to crawl", "Where results go"


def lab(
    experiment: Annotated[
        Path | None, Argument(metavar="EXPERIMENT.toml", help="An experiment as a file; options override it.")
    ] = None,
    web: Annotated[
        list[Path] | None,
        Option(
            metavar="WARC", help="A recorded web: a WARC file, or a folder of them; repeatable.", rich_help_panel=WEB
        ),
    ] = None,
    generated: Annotated[
        int | None, Option(metavar="N", min=1, help="A made-up web of N pages, in its place.", rich_help_panel=WEB)
    ] = None,
    web_seed: Annotated[
        int | None, Option(metavar="N", help="The number a made-up web grows from.", rich_help_panel=WEB)
    ] = None,
    web_language: Annotated[
        str | None,
        Option(metavar="en|ja", help="What a made-up web is written in: English, or Japanese.", rich_help_panel=WEB),
    ] = None,
    topics: Annotated[
        Path | None,
        Option(metavar="FILE", help="Topics: JSON lines, or a folder of topic.tomls.", rich_help_panel=WHAT),
    ] = None,
    only: Annotated[
        list[str] | None, Option(metavar="TOPIC", help="Just this topic; repeatable.", rich_help_panel=WHAT)
    ] = None,
    strategies: Annotated[
        str | None,
        Option(
            metavar="A,B,...",
            help="As in best-first,best-n-first(n=8), or files: ./mine.py, ./mine.py(n=8).",
            rich_help_panel=WHAT,
        ),
    ] = None,
    judges: Annotated[
        str | None,
        Option(metavar="A,B,...", help="Judges instead, over all pages of the web.", rich_help_panel=WHAT),
    ] = None,
    sites: Annotated[
        str | None,
        Option(
            metavar="A,B,...|all",
            help="Crawlers for sites instead: website(p_threshold=0.9), homepage, page.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    given: Annotated[
        str | None,
        Option(
            metavar="keywords|examples|lessons",
            help="How much help they have; judges: keywords,examples.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    answers: Annotated[
        int | None,
        Option(metavar="N", min=0, help="Answers judges then get to their questions.", rich_help_panel=WHAT),
    ] = None,
    baseline: Annotated[
        str | None, Option(metavar="NAME", help="What the others are compared with.", rich_help_panel=WHAT)
    ] = None,
    bounds: Annotated[
        bool | None, Option("--bounds/--no-bounds", help="Also run oracle and random.", rich_help_panel=WHAT)
    ] = None,
    labels: Annotated[
        Path | None,
        Option(metavar="TSV", help="Classes of pages, to train learners on; WEB-labels.tsv.", rich_help_panel=WHAT),
    ] = None,
    seeds: Annotated[
        int | None, Option(metavar="N", min=1, help="Repetitions with other random seeds.", rich_help_panel=HOW)
    ] = None,
    pages: Annotated[
        int | None, Option("--pages", "-n", metavar="N", min=1, help="Budget; the topic's own.", rich_help_panel=HOW)
    ] = None,
    budget_counts: Annotated[
        str | None,
        Option(metavar="pages|requests", help="Whether a missing page uses up budget.", rich_help_panel=HOW),
    ] = None,
    host_pages: Annotated[
        int | None, Option(metavar="N", min=0, help="Pages per host at most; 0 = no limit.", rich_help_panel=HOW)
    ] = None,
    judge: Annotated[
        str | None, Option(metavar="NAME", help="The crawl's own judge; not the evaluation's.", rich_help_panel=HOW)
    ] = None,
    store: Annotated[
        bool | None, Option("--store/--no-store", help="Crawl into real libraries, to time that.", rich_help_panel=HOW)
    ] = None,
    jobs: Annotated[
        int, Option("--jobs", "-j", metavar="N", min=0, help="Crawls at once; 0 = one a core.", rich_help_panel=HOW)
    ] = 0,
    into: Annotated[
        Path | None, Option(metavar="FOLDER", help="Where; lab/<web>-<digest> by default.", rich_help_panel=SHOWN)
    ] = None,
    fresh: Annotated[
        bool, Option("--fresh", help="Forget results that are there already.", rich_help_panel=SHOWN)
    ] = False,
    json: Annotated[bool, Option("--json", help="The figures as JSON.", rich_help_panel=SHOWN)] = False,
    markdown: Annotated[bool, Option("--markdown", help="The tables as Markdown.", rich_help_panel=SHOWN)] = False,
) -> None:
    """Measure strategies, or judges, against each other, offline, on a web that holds still.

    Ctrl-C loses nothing: the same command goes on. It ends with a report.html to look at.

    \b
    [bold]Examples[/bold]
    scenthound lab --generated 3000 --strategies breadth-first,best-first
    scenthound lab --web web.warc.gz --topics topics.jsonl --strategies "best-first,best-n-first(n=8)"
    scenthound lab --web web.warc.gz --topics topics.jsonl --strategies auto,best-first --given keywords
    scenthound lab --web web.warc.gz --topics topics.jsonl --judges auto,keywords --answers 20
    scenthound lab --sites all --generated 500
    scenthound lab --sites "website(weight=local),page" --web apache.warc.gz --labels apache-sites.tsv
    scenthound lab experiment.toml --jobs 2
    """
    # Imported here because they bring the whole crawler along, which --help and completion can do without.
    from scenthound.app.experiment import plan_experiment
    from scenthound.app.judge_experiment import OWN, is_about_judges, plan_judge_experiment
    from scenthound.cli.views.judge_lab import run_judge_lab
    from scenthound.cli.views.lab_progress import Style, run_lab

    options: dict[str, Any] = {
        "web": [str(path) for path in web] if web else None,
        "generated": generated,
        "web_seed": web_seed,
        "web_language": web_language,
        "topics": str(topics) if topics else None,
        "only": only,
        "strategies": strategies,
        "judges": judges,
        "given": given,
        "answers": answers,
        "baseline": baseline,
        "bounds": bounds,
        "labels": str(labels) if labels else None,
        "seeds": seeds,
        "pages": pages,
        "budget": budget_counts,
        "host_pages": host_pages,
        "judge": judge,
        "store": store,
    }
    style: Style = "json" if json else "markdown" if markdown else "table"
    command = "scenthound " + shlex.join(["lab", *_said()])
    jobs = jobs or os.cpu_count() or 1
    if sites is not None:
        from scenthound.app.site_experiment import plan_site_experiment
        from scenthound.cli.views.site_lab import run_site_lab

        raise typer.Exit(run_site_lab(plan_site_experiment({**options, "sites": sites}), into, style))
    if is_about_judges(experiment, options):
        judging = plan_judge_experiment(experiment, options)
        raise typer.Exit(run_judge_lab(judging, into, jobs, fresh, style, command))
    plan = plan_experiment(experiment, {key: value for key, value in options.items() if key not in OWN})
    raise typer.Exit(run_lab(plan, into, jobs, fresh, style, command))


def _said() -> list[str]:
    """The words after `lab`, as typed."""
    return sys.argv[sys.argv.index("lab") + 1 :] if "lab" in sys.argv else []
