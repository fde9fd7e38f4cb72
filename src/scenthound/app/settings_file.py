"""Changes to a topic.toml that leave its owner's hand visible: comments, order and spelling of the rest stay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import tomlkit
from tomlkit.items import Array, Item, Table

from scenthound.atomic_write import replacing
from scenthound.config import Config
from scenthound.errors import ConfigError

Changes = Mapping[str, Mapping[str, Any]]
"""Section -> key -> its new value; None takes the key out."""


def differences(before: Config, after: Config) -> Changes:
    """What has to be changed in a file that says the one to make it say the other."""
    changes: dict[str, dict[str, Any]] = {}
    for section in msgspec.structs.fields(Config):
        old, new = getattr(before, section.name), getattr(after, section.name)
        for setting in msgspec.structs.fields(new):
            if (value := getattr(new, setting.name)) != getattr(old, setting.name):
                changes.setdefault(section.name, {})[setting.name] = msgspec.to_builtins(value)
    return changes


def edit_file(path: Path, changes: Changes) -> None:
    """The file with these changes in it, put in place whole."""
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    text = edited(text, changes, str(path))
    with replacing(path) as stream:
        stream.write(text)


MARK = "# brought no page: "


def mark_seeds(path: Path, causes: Mapping[str, str]) -> None:
    """Says beside each seed that never answered why; takes it away where one has answered since.

    It is a note to whoever reads the file. Where the file is written so that it cannot be put in, it is left out.
    """
    try:
        text = path.read_bytes().decode()
        wanted = tomllib.loads(text)
    except (OSError, ValueError):
        return
    marked = "\n".join(_marked(line, causes) for line in _a_seed_a_line(text, causes).split("\n"))
    if marked != text and _says(marked, wanted):
        with replacing(path) as stream:
            stream.write(marked)


def _a_seed_a_line(text: str, causes: Mapping[str, str]) -> str:
    document = tomlkit.parse(text)
    seeds = document.get("crawl", {}).get("seeds")
    if not causes or not isinstance(seeds, Array) or "\n" in seeds.as_string():
        return text
    seeds.multiline(True)
    return tomlkit.dumps(document)


def _marked(line: str, causes: Mapping[str, str]) -> str:
    seed = _SEED_LINE.match(line)
    if seed is None:
        return line
    note = causes.get(seed["url"])
    return f"{seed['entry']}  {MARK}{' '.join(note.split())}" if note else seed["entry"]


_SEED_LINE = re.compile(rf"""(?P<entry>\s+(?P<quote>["'])(?P<url>[^"'\\]+)(?P=quote),?)\s*(?:{MARK}.*)?$""")


def edited(text: str, changes: Changes, where: str) -> str:
    """The text of a topic.toml with these changes in it, and everything else as it was."""
    document = tomlkit.parse(text if not text or text.endswith("\n") else f"{text}\n")
    for section, values in changes.items():
        table: Any = document.get(section)
        if table is None:
            table = document.setdefault(section, tomlkit.table())
        for key, value in values.items():
            if value is None:
                table.pop(key, None)
            elif isinstance(there := table.get(key), Array) and _only_longer(there, value):
                _extend(there, value[len(there) :])
            else:
                _set(table, key, _item(value))
    found = tomlkit.dumps(document)
    if not _says(found, _wanted(text, changes)):
        raise ConfigError(f"{where} could not be changed without touching the rest of it, so it was left alone.")
    return found


def _says(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _wanted(text: str, changes: Changes) -> dict[str, Any]:
    wanted = tomllib.loads(text)
    for section, values in changes.items():
        there = {**wanted.get(section, {}), **values}
        wanted[section] = {key: value for key, value in there.items() if value is not None}
    return wanted


def _only_longer(there: Array, value: Any) -> bool:
    return isinstance(value, list) and value[: len(there)] == there.unwrap()


def _extend(there: Array, more: Sequence[Any]) -> None:
    if "\n" not in there.as_string():  # so there is no comment in it either
        there.multiline(True)
    for value in more:
        there.append(_item(value))


def _set(table: Any, key: str, item: Item) -> None:
    """A new key goes below the last one, not below the comment on the next section, which counts as this one's."""
    tail = []
    if isinstance(table, Table) and key not in table:
        while table.value.body and table.value.body[-1][0] is None:
            tail.append(table.value.body.pop())
    table[key] = item
    if tail:
        table.value.body.extend(reversed(tail))


def _item(value: Any) -> Item:
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        array.extend([_item(each) for each in value])
        return array.multiline(bool(value))
    plain: Item = tomlkit.item(value)
    return plain
