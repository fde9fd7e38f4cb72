"""When a crawl has what it wants, as settings and the option `--until` say it: `recall=0.9`, `harvest=0.05`."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from msgspec import Struct

from scenthound.errors import ConfigError

LEAST_WINDOW = 50  # pages
EXPECTED = 5
"""Harvest is taken over as many pages as would bring so many relevant ones at the rate that is asked for."""


class StopRules(Struct, frozen=True):
    """What is enough; 0 = no such rule."""

    recall: float = 0.0  # of the relevant pages that can be reached
    harvest: float = 0.0  # share of relevant pages among the last `window`

    @property
    def window(self) -> int:
        return max(LEAST_WINDOW, ceil(EXPECTED / self.harvest)) if self.harvest else 0


def read_rules(until: Iterable[str]) -> StopRules:
    """The rules of entries as `recall=0.9`. Refuses what is none."""
    found: dict[str, float] = {}
    for entry in until:
        name, _, value = (part.strip() for part in entry.partition("="))
        if name not in ("recall", "harvest"):
            raise ConfigError(f"until = {entry!r} cannot be meant; say recall=0.9 or harvest=0.05.")
        if name in found:
            raise ConfigError(f"until names {name} twice; say it once.")
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = -1.0
        if not 0.0 < found[name] < 1.0:
            raise ConfigError(f"until = {entry!r} cannot be meant: {name} is a number between 0 and 1, as 0.9.")
    return StopRules(**found)
