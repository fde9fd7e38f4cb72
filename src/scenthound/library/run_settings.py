"""The settings a library was crawled with."""

from __future__ import annotations

import msgspec

from scenthound import config as toml
from scenthound.config import Config
from scenthound.errors import ConfigError
from scenthound.protocols.library import Library

SETTINGS = "topic.toml"


def last_settings(library: Library) -> Config:
    """As the last run had them, options included; else as topic.toml says."""
    runs = library.runs()
    if runs:
        try:
            return msgspec.json.decode(runs[-1].config, type=Config)
        except ConfigError:
            return toml.from_stored(runs[-1].config)  # a number that was allowed once
        except msgspec.MsgspecError:
            pass  # written by a version with other settings
    path = library.folder / SETTINGS if library.folder is not None else None
    return toml.load(path) if path is not None and path.is_file() else Config()
