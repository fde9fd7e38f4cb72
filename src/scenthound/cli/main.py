"""The program `scenthound`: its commands in groups, and its errors as one clear line each."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from keyword import iskeyword
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand

from scenthound.cli.library_folders import folders_for
from scenthound.cli.started_as import as_started, program
from scenthound.cli.views.help import QuickHelp, QuickHelpGroup
from scenthound.cli.views.output import any_letter_can_be_written, forget_stdout
from scenthound.errors import ScenthoundError
from scenthound.version import __version__

ISSUES = "the project's issue tracker"

# Our matrices are small: threads of the linear algebra behind numpy would only wait for each other, and for the crawl.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Command(NamedTuple):
    """Where a command is found: a function, or a typer, of its name in the module of its name.

    Its options are imported when it is run, or asked for its help. `cls` and `context` name what else its module has
    on it, where it is special: what kind of command it is, and how its arguments are read.
    """

    name: str
    group: str
    cls: str = ""
    context: str = ""

    def find(self, name: str = "") -> Any:
        own = self.name.replace(" ", "_")
        own = f"{own}_" if iskeyword(own) else own
        return getattr(importlib.import_module(f"scenthound.cli.commands.{own}"), name or own)

    def help(self) -> str:
        found = self.find()
        return inspect.cleandoc((found.info.help if isinstance(found, typer.Typer) else found.__doc__) or "")

    def load(self) -> Any:
        found = self.find()
        if not isinstance(found, typer.Typer):
            cls = self.find(self.cls) if self.cls else QuickHelp
            context = self.find(self.context) if self.context else None
            alone = typer.Typer(rich_markup_mode="rich", add_completion=False, pretty_exceptions_enable=False)
            alone.command(self.name, cls=cls, context_settings=context)(found)
            found = alone
        return typer.main.get_command(found)


class Outline(TyperCommand):
    """A command as the list of commands needs it: its options are not there yet."""

    def __init__(self, command: Command) -> None:
        super().__init__(command.name, rich_help_panel=command.group)
        self.command = command

    def described(self) -> Outline:
        self.help = self.command.help()
        return self


COMMANDS = [
    Command("crawl", "Collect"),
    Command("sites", "Collect"),
    Command("sites evaluate", "Measure"),
    Command("revisit", "Collect"),
    Command("seeds", "Collect"),
    Command("import", "Collect"),
    Command("look", "Collect"),
    Command("status", "Understand"),
    Command("coverage", "Understand"),
    Command("search", "Understand", context="MINUS_WORDS"),
    Command("show", "Understand"),
    Command("changes", "Understand"),
    Command("explain", "Understand"),
    Command("report", "Understand"),
    Command("serve", "Understand"),
    Command("mcp", "Understand"),
    Command("forms", "Understand"),
    Command("label", "Teach"),
    Command("judge", "Teach"),
    Command("topic", "Teach"),
    Command("topic expand", "Teach"),
    Command("trails", "Teach"),
    Command("train", "Teach"),
    Command("models", "Teach"),
    Command("strategies", "Teach"),
    Command("lab", "Measure"),
    Command("evaluate", "Measure"),
    Command("export", "Take away", cls="ExportCommand"),
    Command("library", "Take away"),
    Command("identity", "Collect"),
    Command("plugin", "Teach"),
]
"""Every command, in the order of the help. A function's docstring is its help."""


class Program(QuickHelpGroup):
    """Turns what a command raises into one line and an exit code. Knows commands of two words, as `topic expand`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in COMMANDS:
            if command.name not in self.commands:
                self.add_command(Outline(command))

    def get_command(self, ctx: Any, name: str) -> Any:
        found = super().get_command(ctx, name)
        return found.described() if isinstance(found, Outline) else found

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        two = " ".join(args[:2])
        name, found, rest = super().resolve_command(ctx, [two, *args[2:]] if two in self.commands else args)
        if name != "library":
            rest = folders_for(rest)
        return name, found.command.load() if isinstance(found, Outline) else found, rest

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
    sys.stderr.write(f"scenthound: {as_started(text)}\n")


def _unexpected(error: Exception) -> None:
    if debugging():
        import traceback

        traceback.print_exception(error)
    _complain(f"something went wrong that should not have: {type(error).__name__}: {error}")
    if not debugging():
        _complain("whether a library is whole tells: scenthound library check FOLDER")
        _complain(f"please run it again with --debug, and report what it prints to {ISSUES}.")


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
    return app


app = build()


def main() -> None:
    any_letter_can_be_written()
    try:
        app(prog_name=program())
    except BrokenPipeError:
        forget_stdout()
