"""Text that can be written down: half a surrogate pair, which some pages have, has no form in UTF-8."""

from __future__ import annotations

from typing import Any


def encodable(value: Any) -> Any:
    """The same, with `?` for every half of a surrogate pair: in a text, or in all those of a list, tuple or dict."""
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-8", "replace").decode()
        case tuple() | list():
            return type(value)(map(encodable, value))
        case dict():
            return {encodable(key): encodable(entry) for key, entry in value.items()}
    return value
