"""What a contestant is told, `{"start": ..., "folder": ...}`, and what it tells: a line of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

IN_FLIGHT = 64


class Task(NamedTuple):
    start: str  # URL of the front page
    folder: Path  # for whatever is stored
    topic: list[str]  # words

    @property
    def origin(self) -> str:
        return "/".join(self.start.split("/")[:3])


def task(told: str) -> Task:
    given = json.loads(told)
    return Task(given["start"], Path(given["folder"]), given["topic"])


def finish(pages: int, seconds: float, **more: float) -> None:
    """`seconds` are those of the crawl alone; starting Python and importing is left out for everybody."""
    print(json.dumps({"pages": pages, "seconds": seconds, **more}))
