"""What there is to choose from: the strategies, each with what it believes and its parameters."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

from scenthound import registry
from scenthound.protocols.crawl import Trains
from scenthound.protocols.hooks import hook

WHY_DEFAULT = (
    "auto is the default: it finds out during the crawl what leads to relevant pages here, and found most of them on "
    "every kind of web it was measured on (docs/auto.md). Of the others, blocks and embedding do well where pages on a "
    "topic link to each other, as in an encyclopaedia; best-first-anchor and url-rules where links and addresses say "
    "what they lead to; memm, crf and apprentice where they were trained on sites of the same kind."
)


def trainable() -> list[str]:
    """Strategies that learn ahead of a crawl."""
    return [name for name in registry.strategy.names() if hook(registry.strategy.get(name), Trains) is not None]


def describe(name: str) -> dict[str, Any]:
    cls = registry.strategy.get(name)
    story = inspect.cleandoc(cls.__doc__ or "")
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    return {
        "name": name,
        "summary": story.partition("\n")[0].rstrip("."),
        "story": story,
        "published": {form: dict(params) for form, params in registry.strategy.presets(name).items()},
        "parameters": [
            {"name": field.name, "type": _type_name(field.type), "default": _default(field)}
            for field in fields
            if field.init and not field.name.endswith("_")
        ],
    }


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default is not dataclasses.MISSING:
        value = field.default
    elif field.default_factory is not dataclasses.MISSING:
        value = field.default_factory()
    else:
        return None
    return value if isinstance(value, (bool, int, float, str, list, dict, type(None))) else repr(value)


def _type_name(kind: Any) -> str:
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
