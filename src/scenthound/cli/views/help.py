"""Help that is there at once.

typer draws help by `typer.rich_utils`, which imports rich's Markdown and its tracebacks. Our help is written in
neither and shows none, and both together take longer to import than all the rest of the help.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup

from scenthound.cli.started_as import as_started

UNUSED = {"rich.markdown": ("Markdown",), "rich.traceback": ("Traceback",)}
"""Modules that help does without, and the names that typer imports from them."""


def load_help() -> None:
    """Imports what draws help, with something empty in the place of what it does not use."""
    if "typer.rich_utils" in sys.modules:
        return
    missing = [name for name in UNUSED if name not in sys.modules]
    sys.modules.update({name: _empty(name) for name in missing})
    try:
        importlib.import_module("typer.rich_utils")
    except ImportError:  # another typer, which wants more of them: then all is imported
        pass
    finally:
        for name in missing:
            del sys.modules[name]


def _empty(name: str) -> ModuleType:
    module = ModuleType(name)
    for attribute in UNUSED[name]:
        setattr(module, attribute, type(attribute, (), {}))
    return module


def _prepare(command: TyperCommand | TyperGroup, ctx: Any) -> None:
    """Commands are said as they were typed, and no type is named where the name of a thing says it all."""
    for described in (command, *command.params):
        if text := getattr(described, "help", None):
            setattr(described, "help", as_started(text))  # noqa: B010  (arguments of some kinds have none)
    for param in command.get_params(ctx):  # with --help, which is among the parameters of none
        if isinstance(param, TyperArgument) or getattr(param, "is_flag", False):
            setattr(param, "display_type_rich", _no_type)  # noqa: B010  (a method, put over that of the class)


def _no_type(ctx: Any) -> None:
    return None


class QuickHelp(TyperCommand):
    def format_help(self, ctx: Any, formatter: Any) -> None:
        load_help()
        _prepare(self, ctx)
        super().format_help(ctx, formatter)


class QuickHelpGroup(TyperGroup):
    def format_help(self, ctx: Any, formatter: Any) -> None:
        load_help()
        _prepare(self, ctx)
        super().format_help(ctx, formatter)
