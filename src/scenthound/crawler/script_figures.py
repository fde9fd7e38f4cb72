"""Pages that show nothing until their scripts have run: how many there were, what running them took and brought."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import asdict

from scenthound.model import Page, Rendering

PREFIX = "scripts_"
"""Of the counters that a run keeps of these."""


class ScriptFigures(Struct):
    unread: int = 0  # pages that showed nothing
    rendered: int = 0  # pages whose scripts ran, and then there was something to read
    relevant: int = 0  # among these
    seconds: float = 0.0
    requests: int = 0  # that scripts made
    refused: int = 0  # requests that they wanted made
    bytes: int = 0

    def count(self, page: Page, rendering: Rendering | None, relevant: bool) -> None:
        """Adds a page that has come."""
        self.unread += page.needs_scripts
        if rendering is not None:
            self.rendered += not page.needs_scripts
            self.relevant += relevant and not page.needs_scripts
            self.seconds += rendering.seconds
            self.requests += rendering.requests
            self.refused += rendering.refused
            self.bytes += rendering.bytes

    def counters(self) -> dict[str, float]:
        """As a run keeps them; nothing where there was nothing to count."""
        return {PREFIX + name: value for name, value in asdict(self).items() if value}


def of_runs(runs: Iterable[Mapping[str, float]]) -> ScriptFigures:
    """What the counters of some runs come to."""
    sums = dict.fromkeys(ScriptFigures.__struct_fields__, 0.0)
    for counters in runs:
        for name in sums:
            sums[name] += counters.get(PREFIX + name, 0)
    seconds = sums.pop("seconds")
    return ScriptFigures(seconds=seconds, **{name: int(value) for name, value in sums.items()})
