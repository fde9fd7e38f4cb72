"""The program `scenthound`: its commands in groups, and its errors as one clear line each."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from scenthound.cli.commands.changes import changes
from scenthound.cli.commands.crawl import crawl
from scenthound.cli.commands.evaluate import evaluate
from scenthound.cli.commands.explain import explain
from scenthound.cli.commands.export import ExportCommand, export
from scenthound.cli.commands.lab import lab
from scenthound.cli.commands.models import models
from scenthound.cli.commands.report import report
from scenthound.cli.commands.revisit import revisit
from scenthound.cli.commands.search import SETTINGS as WITH_MINUS_WORDS
from scenthound.cli.commands.search import search
from scenthound.cli.commands.seeds import seeds
from scenthound.cli.commands.show import show
from scenthound.cli.commands.sites import sites
from scenthound.cli.commands.status import status
from scenthound.cli.commands.strategies import strategies
from scenthound.cli.commands.topic import topic
from scenthound.cli.commands.topic_expand import topic_expand
from scenthound.cli.commands.trails import trails
from scenthound.cli.commands.train import train
from scenthound.cli.views.lines import forget_stdout
from scenthound.errors import ScenthoundError
from scenthound.version import __version__

ISSUES = "the project's issue tracker"


class Command(NamedTuple):
    run: Callable[..., None] | typer.Typer  # the latter where it has commands of its own
    group: str
    settings: dict[str, Any] | None = None  # how its arguments are read, where that is special
    called: str = ""  # where it is not called as the function is
    cls: type[TyperCommand] | None = None  # where its help is made when it is asked for

    @property
    def name(self) -> str:
        if self.called:
            return self.called
        return str(self.run.info.name) if isinstance(self.run, typer.Typer) else self.run.__name__.replace("_", "-")


COMMANDS = [
    Command(crawl, "Collect"),
    Command(sites, "Collect"),
    Command(revisit, "Collect"),
    Command(seeds, "Collect"),
    Command(status, "Understand"),
    Command(search, "Understand", WITH_MINUS_WORDS),
    Command(show, "Understand"),
    Command(changes, "Understand"),
    Command(explain, "Understand"),
    Command(report, "Understand"),
    Command(topic, "Teach"),
    Command(topic_expand, "Teach", called="topic expand"),
    Command(trails, "Teach"),
    Command(train, "Teach"),
    Command(models, "Teach"),
    Command(strategies, "Teach"),
    Command(lab, "Measure"),
    Command(evaluate, "Measure"),
    Command(export, "Take away", cls=ExportCommand),
]
"""Every command, in the order of the help. The function's name is the command's, its docstring the help."""


class Program(TyperGroup):
    """Turns what a command raises into one line and an exit code. Knows commands of two words, as `topic expand`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        two = " ".join(args[:2])
        return super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ScenthoundError as error:
            _complain(str(error))
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt:
            _complain("Stopped.")
            raise typer.Exit(130) from None
        except BrokenPipeError:
            forget_stdout()
            raise typer.Exit(0) from None
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if type(error).__module__.startswith("typer."):
                raise  # wrong usage: typer explains it
            _unexpected(error)
            raise typer.Exit(70) from error


def _complain(text: str) -> None:
    sys.stderr.write(f"scenthound: {text}\n")


def _unexpected(error: Exception) -> None:
    if debugging():
        traceback.print_exception(error)
    _complain(f"something went wrong that should not have: {type(error).__name__}: {error}")
    if not debugging():
        _complain(f"the library is intact. Please run it again with --debug and report what it prints to {ISSUES}.")


def debugging() -> bool:
    return os.environ.get("SCENTHOUND_DEBUG", "") not in ("", "0")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scenthound {__version__}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks. So does SCENTHOUND_DEBUG=1.")] = False,
) -> None:
    """A focused web crawler: give it a topic and a few pages, it brings home the pages about it.

    \b
    [bold]Examples[/bold]
    scenthound crawl --demo
    scenthound crawl "dengue fever" --seed https://example.org --pages 500
    scenthound status crawls/dengue-fever
    """
    if debug:
        os.environ["SCENTHOUND_DEBUG"] = "1"


def build() -> typer.Typer:
    app = typer.Typer(
        name="scenthound",
        cls=Program,
        rich_markup_mode="rich",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_program)
    for command in COMMANDS:
        if isinstance(command.run, typer.Typer):
            app.add_typer(command.run, rich_help_panel=command.group)
        else:
            panel, settings = command.group, command.settings
            app.command(command.name, cls=command.cls, rich_help_panel=panel, context_settings=settings)(command.run)
    return app


app = build()


def main() -> None:
    try:
        app(prog_name="scenthound")
    except BrokenPipeError:
        forget_stdout()
