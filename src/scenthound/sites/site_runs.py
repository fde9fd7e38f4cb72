"""Which runs of a library looked for sites."""

from __future__ import annotations

import msgspec

from scenthound.config import Config, from_stored, named
from scenthound.protocols.library import LibraryFigures

STRATEGY = "sites"
"""What a run of this kind calls its strategy in the library."""


def is_site_crawl(config: Config) -> bool:
    """Were these the settings of a run that looked for sites?"""
    return named(config.crawl.strategy, "strategy")[0] == STRATEGY


def settings_of(library: LibraryFigures) -> Config | None:
    """The settings of the last run that looked for sites, however many looked for pages since; None if none did."""
    for run in reversed(library.runs()):
        try:
            config = from_stored(run.config)
        except msgspec.DecodeError:
            continue  # no JSON
        if is_site_crawl(config):
            return config
    return None
