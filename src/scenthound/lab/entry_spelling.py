"""How a strategy or judge with its parameters is spelt in experiments: `best-n-first(n=8)`."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from scenthound.config import named
from scenthound.errors import ConfigError

_SPELT = re.compile(r"\s*([^\s(),]+)\s*(?:\(([^()]*)\))?\s*")


def read_entry(given: str | dict[str, Any], noun: str) -> tuple[str, dict[str, Any]]:
    """Name and parameters, from their spelling or from a table."""
    if isinstance(given, dict):
        return named(given, noun)
    match = _SPELT.fullmatch(given)
    if match is None:
        raise ConfigError(f"The {noun} {given!r} is not spelt like name or name(parameter=8).")
    name, inside = match.groups()
    return name, dict(_param(part, given) for part in (inside or "").split(",") if part.strip())


def entry_label(name: str, params: dict[str, Any]) -> str:
    """The spelling of a name with parameters: what results and reports call it."""
    if not params:
        return name
    return f"{name}({', '.join(f'{key}={_as_text(value)}' for key, value in params.items())})"


def split_list(text: str) -> list[str]:
    """`a,b(n=8,m=2),c` in parts; commas inside brackets belong to the entry."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text) if part.strip()]


def _param(text: str, where: str) -> tuple[str, Any]:
    """`n=8` as TOML would read it; what TOML cannot read is a word."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not key or not equals:
        raise ConfigError(f"In {where!r}, {text.strip()!r} is not of the form name=value.")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
