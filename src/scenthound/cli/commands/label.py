"""`scenthound label`: what people say about pages and sites, which no judge may overrule."""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from scenthound.cli.started_as import program
from scenthound.errors import UsageError

if TYPE_CHECKING:
    from scenthound.app.label import LabelChange, LabelEffect

SAID, ASKED, CARRIED, SHOWN = "What you say", "Questions", "As a table", "What follows"
FAILED = 1
"""Exit code when a program that was to answer did not."""

INTERRUPTED = 130


def label(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="A library, or a folder that is to become one.")],
    urls: Annotated[
        list[str] | None,
        Argument(metavar="URL", help="Pages, in any usual spelling; or hosts, where sites were looked for."),
    ] = None,
    yes: Annotated[bool, Option("--yes", help="They are relevant.", rich_help_panel=SAID)] = False,
    no: Annotated[bool, Option("--no", help="They are not.", rich_help_panel=SAID)] = False,
    undo: Annotated[bool, Option("--undo", help="Take back what was said about them.", rich_help_panel=SAID)] = False,
    site: Annotated[bool, Option("--site", help="What is named are whole sites.", rich_help_panel=SAID)] = False,
    ask: Annotated[
        bool,
        Option("--ask", help="Be asked about the pages that teach most, a key each.", rich_help_panel=ASKED),
    ] = False,
    by: Annotated[
        str | None,
        Option(
            metavar="COMMAND",
            help="Let a program answer: a page as JSON on its standard input; yes, no or unsure out.",
            rich_help_panel=ASKED,
        ),
    ] = None,
    questions: Annotated[
        int | None,
        Option("--questions", "-n", metavar="N", min=1, help="With --by: at most so many; 20.", rich_help_panel=ASKED),
    ] = None,
    timeout: Annotated[
        float | None,
        Option(metavar="S", min=0.1, help="With --by: seconds for an answer; 60.", rich_help_panel=ASKED),
    ] = None,
    source: Annotated[
        str | None,
        Option("--from", metavar="FILE", help="Labels from a CSV file; - for standard input.", rich_help_panel=CARRIED),
    ] = None,
    target: Annotated[
        str | None,
        Option("--to", metavar="FILE", help="Labels into a CSV file; - for standard output.", rich_help_panel=CARRIED),
    ] = None,
    judge: Annotated[
        bool,
        Option("--judge/--no-judge", help="Judge all pages again by what is known now.", rich_help_panel=SHOWN),
    ] = True,
    json: Annotated[bool, Option("--json", help="As JSON.", rich_help_panel=SHOWN)] = False,
) -> None:
    """Say which pages are relevant and which are not: a label wins over any score, teaches the judge, is never lost.

    Without options it lists the labels there are.
    --ask shows a page at a time with the words that speak for and against it: y, n, s to skip, b back, o open, q quit.
    Without a terminal, answers are read from standard input, a line each.
    May be used while a crawl is running: labels change its course within seconds.
    Returns 1 if a program was to answer and did not.

    \b
    [bold]Examples[/bold]
    scenthound label crawls/dengue-fever https://example.org/health --yes
    scenthound label crawls/dengue-fever example.org/recipes example.org/shop --no
    scenthound label crawls/dengue-fever --ask
    scenthound label crawls/dengue-fever --by "./ask-model --fast" --questions 50
    scenthound label crawls/dengue-fever --to labels.csv
    scenthound label crawls/nurseries orchids.example --yes
    """
    said = [name for name, given in (("--yes", yes), ("--no", no), ("--undo", undo)) if given]
    modes = [name for name, given in (("--ask", ask), ("--by", by), ("--from", source), ("--to", target)) if given]
    _check(urls or [], said, modes, site=site, tuned=_tuned(questions, timeout))
    if said:
        _say(folder, urls or [], {"--yes": True, "--no": False}.get(said[0]), site, judge, json)
    elif source:
        _from_table(folder, source, judge, json)
    elif target:
        _to_table(folder, target)
    elif ask:
        _ask(folder, judge, json)
    elif by:
        _ask_program(folder, by, questions, timeout, judge, json)
    else:
        _list(folder, json)


def _tuned(questions: int | None, timeout: float | None) -> list[str]:
    return [name for name, value in (("--questions", questions), ("--timeout", timeout)) if value is not None]


def _check(urls: list[str], said: list[str], modes: list[str], *, site: bool, tuned: list[str]) -> None:
    """One thing at a time, and whole."""
    chosen = said + modes
    if len(chosen) > 1:
        raise UsageError(f"One at a time: {chosen[0]} or {chosen[1]}.")
    if urls and not said:
        raise UsageError(f"Say what is to be said about {urls[0]}: --yes, --no or --undo.")
    if said and not urls:
        raise UsageError(f"Name the pages: scenthound label FOLDER URL {said[0]}. Or be asked about some: --ask")
    if site and not said:
        raise UsageError("--site goes with --yes, --no or --undo.")
    if tuned and modes != ["--by"]:
        raise UsageError(f"{tuned[0]} goes with --by COMMAND.")


# What is imported below brings the store or the whole crawler along, which --help and completion can do without.


def _say(folder: Path, urls: list[str], relevant: bool | None, site: bool, judge: bool, json: bool) -> None:
    from scenthound.app.label import set_labels
    from scenthound.cli.views.label import change_lines

    changes = set_labels(folder, urls, relevant, sites=site)
    if not json:
        typer.echo("\n".join(change_lines(changes)))
    _follow(folder, changes, judge, json)


def _from_table(folder: Path, source: str, judge: bool, json: bool) -> None:
    from scenthound.app.label import labels_from_table
    from scenthound.cli.views.label import import_line

    where = "standard input" if source == "-" else source
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UsageError(f"{where} cannot be read: {error.strerror}.") from error
    changes = labels_from_table(folder, data, where)
    if not json:
        typer.echo(import_line(changes, where))
    _follow(folder, changes, judge, json)


def _to_table(folder: Path, target: str) -> None:
    from scenthound.app.label import labels_as_table
    from scenthound.atomic_write import replacing
    from scenthound.report.formatting import plural

    table = labels_as_table(folder)
    if target == "-":
        sys.stdout.write(table)
        return
    with replacing(Path(target)) as stream:
        stream.write(table)
    typer.echo(f"{plural(table.count(chr(10)) - 1, 'label')} written to {target}", err=True)


def _list(folder: Path, json: bool) -> None:
    from scenthound.app.label import list_labels
    from scenthound.cli.views.label import label_list
    from scenthound.cli.views.output import as_json

    rows = list_labels(folder)
    if json:
        typer.echo(as_json(rows))
    else:
        label_list(rows, folder)


def _ask(folder: Path, judge: bool, json: bool) -> None:
    from scenthound.app.event_loop import run
    from scenthound.app.label_questions import open_session, read_session
    from scenthound.cli.single_keys import single_keys
    from scenthound.cli.views.label import PATIENCE, JsonQuestionView, QuestionView, ask, line_reader
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.report.formatting import plural

    keys = sys.stdin.isatty() and sys.stdout.isatty()
    progress = ProgressLine("Pages read:")
    interrupted = False
    try:
        with open_session(folder, run(read_session(folder, progress))) as asking:
            progress.end()
            view = JsonQuestionView(keys=False) if json else QuestionView(keys)
            try:
                with single_keys() if keys else nullcontext(line_reader) as read:
                    ask(asking.session, read, view, PATIENCE if keys else None)
            except KeyboardInterrupt:
                interrupted = True
                view.note("")
            answered = asking.session.answered()
    finally:
        progress.end()
    view.note(f"{plural(answered, 'answer')} kept.")
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    if answered:
        view.effect(_effect(folder, judge))


def _ask_program(
    folder: Path, command: str, questions: int | None, timeout: float | None, judge: bool, json: bool
) -> None:
    from scenthound.app.event_loop import run
    from scenthound.app.label import LabelEffect
    from scenthound.app.label_questions import QUESTIONS, answer_by_program, open_session, read_session
    from scenthound.cli.views.label import program_lines
    from scenthound.cli.views.output import as_json
    from scenthound.cli.views.progress_line import ProgressLine
    from scenthound.training.program_answers import TIMEOUT, words_of

    argv = words_of(command)
    progress = ProgressLine("Pages read:")
    try:
        with open_session(folder, run(read_session(folder, progress))) as asking:
            progress.doing = "Questions answered:"
            report = run(answer_by_program(asking, argv, folder, questions or QUESTIONS, timeout or TIMEOUT, progress))
    finally:
        progress.end()
    if not json:
        typer.echo("\n".join(program_lines(report)))
    effect = _effect(folder, judge) if report.yes + report.no else LabelEffect()
    if json:
        typer.echo(as_json({"answers": report, "effect": effect}))
    else:
        _tell(effect)
    if report.gave_up:
        raise typer.Exit(FAILED)


def _follow(folder: Path, changes: list[LabelChange], judge: bool, json: bool) -> None:
    """Tells what comes of labels that were set just now."""
    from scenthound.app.label import LabelEffect
    from scenthound.cli.views.label import site_lines
    from scenthound.cli.views.output import as_json

    changed = [change for change in changes if change.changed]
    pages = any(change.kind == "page" for change in changed)
    effect = _effect(folder, judge) if pages else LabelEffect()
    if json:
        typer.echo(as_json({"labels": changes, "effect": effect}))
        return
    _tell(effect)
    for line in site_lines(changed, folder):
        typer.echo(line)


def _tell(effect: LabelEffect) -> None:
    from scenthound.cli.views.label import effect_lines

    for line in effect_lines(effect):
        typer.echo(line)


def _effect(folder: Path, judge: bool) -> LabelEffect:
    """Judges all pages again, unless that is not wanted."""
    from scenthound.app.event_loop import run
    from scenthound.app.label import LabelEffect, take_effect
    from scenthound.cli.views.progress_line import ProgressLine

    if not judge:
        return LabelEffect(later=f"The next crawl takes it in; or {program()} judge {shlex.quote(str(folder))}")
    progress = ProgressLine("Judging again:")
    try:
        return run(take_effect(folder, progress))
    finally:
        progress.end()
