"""Changes to a topic.toml that leave its owner's hand visible: comments, order and spelling of the rest stay."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit
from tomlkit.items import Array, Item, Table

from scenthound.errors import ConfigError

Changes = Mapping[str, Mapping[str, Any]]
"""Section -> key -> its new value; None takes the key out."""


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
