"""Writes the reference pages that are made from the code: docs/commands.md, docs/strategies.md,
docs/settings.md, and the manual page docs/scenthound.1.

    ./run python scripts/make_docs.py

A test fails when a page is older than the code it is made from.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from scenthound import config, registry, scope
from scenthound.app import events
from scenthound.app.export import export_formats
from scenthound.cli.main import COMMANDS
from scenthound.export.fields import DEFAULT_FIELDS, FIELDS
from scenthound.judges.threshold import own_threshold

DOCS = Path(__file__).parents[1] / "docs"
NOTE = "<!-- Made by scripts/make_docs.py; do not edit. -->"


def commands_page() -> str:
    parts = [NOTE, "# Commands", "", "`scenthound COMMAND --help` says the same in the terminal.", ""]
    for title in dict.fromkeys(command.group for command in COMMANDS):
        parts += [f"## {title}", ""]
        for command in (command for command in COMMANDS if command.group == title):
            made = command.load()
            parts += list(_command(command.name, made))
            parts += list(_formats()) if command.name == "export" else []
            for name, inner in getattr(made, "commands", {}).items():
                parts += list(_command(f"{command.name} {name}", inner))
    return "\n".join([*parts, *_events()])


def _command(name: str, command: Any) -> Iterator[str]:
    text, _, examples = inspect.cleandoc(command.help or "").partition("\b\n")
    yield from (f"### {name}", "", _plain(text).strip(), "")
    lines = [line.strip() for line in _plain(examples).splitlines()]
    yield from ("```sh", *(line for line in lines if line and line != "**Examples**"), "```", "")
    if hasattr(command, "name_choices"):
        command.name_choices()
    if command.params:
        yield from ("| argument or option | meaning |", "|---|---|")
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        names = " ".join(f"`{option}`" for option in parameter.opts) if parameter.param_type_name == "option" else ""
        value = (parameter.metavar or parameter.name.upper()) if not getattr(parameter, "is_flag", False) else ""
        shown = " ".join(filter(None, (names, f"`{value}`".replace("|", "\\|") if value else "")))
        yield f"| {shown} | {_plain(getattr(parameter, 'help', '') or '')} |"
    yield ""


def _formats() -> Iterator[str]:
    yield from ("| format | file names | what is written |", "|---|---|---|")
    for known in export_formats():
        yield f"| `{known.name}` | {', '.join(f'`{ending}`' for ending in known.extensions)} | {known.doc} |"
    yield ""
    told = ", ".join(f"`{name}`" for name in DEFAULT_FIELDS)
    yield from (f"What a format with fields tells of a page, if nothing else is asked for: {told}. All there are:", "")
    yield from ("| field | what it is |", "|---|---|")
    yield from (f"| `{name}` | {field.meaning} |" for name, field in FIELDS.items())
    yield ""


def _events() -> Iterator[str]:
    yield from ("## Events", "")
    yield "`crawl --json` prints an object a line. Its `event` says what happened; more kinds may come, so skip what"
    yield from ("you do not know. `checked` is told by revisits alone, to programs that listen.", "")
    yield from ("| event | what happened | besides |", "|---|---|---|")
    for kind in (kind for kind in events.kinds() if kind.__module__ == events.__name__):
        fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__)
        yield f"| `{kind.__struct_config__.tag}` | {' '.join((kind.__doc__ or '').split())} | {fields} |"
    yield ""


def _plain(text: str) -> str:
    """Help text without the terminal's markup."""
    text = re.sub(r"\[/?bold\]", "**", text)
    return text.replace("\\[", "[").replace("|", "\\|") if "|" in text else text.replace("\\[", "[")


def man_page() -> str:
    """The commands as a manual page, for `man scenthound`."""
    lines = [
        '.\\" Made by scripts/make_docs.py; do not edit.',
        '.TH SCENTHOUND 1 "" "scenthound" "User Commands"',
        ".SH NAME",
        "scenthound \\- a focused web crawler",
        ".SH SYNOPSIS",
        ".B scenthound",
        "COMMAND [OPTIONS] ...",
        ".SH DESCRIPTION",
        "Give it a topic and a few pages, and it brings home the pages about it. Each command explains itself:",
        ".B scenthound COMMAND \\-\\-help",
        ".SH COMMANDS",
    ]
    for command in COMMANDS:
        made = command.load()
        lines += _manual(command.name, made)
        for name, inner in getattr(made, "commands", {}).items():
            lines += _manual(f"{command.name} {name}", inner)
    lines += [".SH FILES", ".TP", "topic.toml", "in a library's folder: every setting of the crawl", ".TP"]
    return "\n".join([*lines, "labels.jsonl", "what was said about pages and sites"])


def _manual(name: str, command: Any) -> Iterator[str]:
    text, _, examples = inspect.cleandoc(command.help or "").partition("\b\n")
    yield from (f".SS {name}", _roff(_plain(text).strip()))
    for parameter in command.params:
        if parameter.param_type_name == "option" and not getattr(parameter, "hidden", False):
            value = "" if getattr(parameter, "is_flag", False) else f" {parameter.metavar or parameter.name.upper()}"
            yield from (".TP", f".B {_roff(', '.join(parameter.opts) + value)}")
            yield _roff(_plain(getattr(parameter, "help", "") or ""))
    lines = [line.strip() for line in _plain(examples).splitlines()]
    if shown := [line for line in lines if line and line != "**Examples**"]:
        yield from (".P", "Examples:", ".nf", *map(_roff, shown), ".fi")


def _roff(text: str) -> str:
    """Text that roff takes for text: no line begins with a dot or a quote, and hyphens can be copied."""
    text = text.replace("\\|", "|").replace("**", "").replace("`", "").replace("\\", "\\e").replace("-", "\\-")
    text = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines if line)


def strategies_page() -> str:
    parts = [NOTE, "# Strategies", "", "A strategy turns what was visited into a number per waiting link.", ""]
    parts += ["Choose one with `--strategy NAME`, or in `topic.toml`; parameters with `--param name=value`.", ""]
    parts += ["Sources are named in short; [sources](sources.md) lists them in full.", ""]
    parts += [(DOCS / "leaderboard.md").read_text(encoding="utf-8").rstrip(), ""]
    for name in registry.strategy.names():
        cls = registry.strategy.get(name)
        parts += [f"## {name}", "", *_docstring(cls), ""]
        fields = [field for field in dataclasses.fields(cls) if field.init and not field.name.endswith("_")]
        if fields:
            parts += ["| parameter | default |", "|---|---|"]
            parts += [f"| `{field.name}` | `{field.default!r}` |" for field in fields] + [""]
        parts += [_published(registry.strategy, name), ""]
    return "\n".join(parts)


def _published(kind: registry.Registry, name: str) -> str:
    """What `published` stands for: the form of each document, by its parameters."""
    presets = kind.presets(name)
    if not presets:
        return "Published: nowhere; it is ours."
    told = (f"`{form}` ({_said(params)})" for form, params in presets.items())
    return f"Published: {'; '.join(told)}. `published = true` is the first."


def _said(params: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {value!r}" for key, value in params.items()) or "as it is"


def _docstring(cls: type) -> list[str]:
    """The class's docstring with its formula as a code block."""
    return inspect.cleandoc(cls.__doc__ or "").splitlines()


def settings_page() -> str:
    parts = [NOTE, "# Settings: topic.toml", ""]
    parts += ["Everything a crawl needs, in one file. A key that is not listed here is refused,"]
    parts += ["and so is a number out of its range.", ""]
    for section in msgspec.structs.fields(config.Config):
        cls: Any = section.type
        parts += [f"## [{section.name}]", "", "| key | default | range | meaning |", "|---|---|---|---|"]
        for key, default, meaning in _keys(cls):
            known = config.range_text(key).removeprefix("from ") if key in config.RANGES else ""
            parts.append(f"| `{key}` | `{default}` | {known} | {meaning} |")
        parts.append("")
    parts += [*_judges(), ""]
    parts += ["## Scope rules", "", *inspect.cleandoc(scope.__doc__ or "").splitlines()]
    return "\n".join(parts)


def _judges() -> Iterator[str]:
    yield from ("## Judges", "")
    yield from ('A name, or a table with a name and parameters: `judge = { name = "blocks", mode = "mean" }`.', "")
    yield "Each has its own scale, and says from which relevance a page counts; `threshold` overrides that."
    yield from ("That of `topic-vector` grows with its `scale`.", "")
    yield from ("| judge | relevance | counts from | parameters |", "|---|---|---|---|")
    for name in registry.judge.names():
        cls = registry.judge.get(name)
        fields = [f"`{field.name} = {field.default!r}`" for field in dataclasses.fields(cls) if field.init]
        yield f"| `{name}` | {_docstring(cls)[0]} | {own_threshold(name):g} | {', '.join(fields) or 'none'} |"
    yield from (
        "",
        "`published = true` among the parameters makes a judge what its document has: see [sources](sources.md).",
    )


def _keys(cls: type) -> Iterator[tuple[str, str, str]]:
    """Fields with their defaults and the comments beside or above them."""
    above: list[str] = []
    for line in inspect.getsource(cls).splitlines()[1:]:
        if line.strip().startswith("#"):
            above.append(line.strip(" #"))
        elif match := re.match(r"    (\w+): .+? = (.+?)(?:  # (.*))?$", line):
            key, default, beside = match.groups()
            default = "[]" if default.startswith("field(") else default
            yield key, default, " ".join([*above, *([beside] if beside else [])]).replace("|", "or")
            above = []
        elif line.strip().startswith("def "):
            return


PAGES = {
    "commands.md": commands_page,
    "strategies.md": strategies_page,
    "settings.md": settings_page,
    "scenthound.1": man_page,
}


if __name__ == "__main__":
    for file_name, make in PAGES.items():
        (DOCS / file_name).write_text(make().rstrip() + "\n", encoding="utf-8")
        print(f"wrote docs/{file_name}")
