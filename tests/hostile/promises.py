"""The lines of docs/promises.md about bad habits. What a crawl is held to stands there, and only there.

| behaviour | the web | the crawl | its page | requests | memory | disk |
|---|---|---|---|---|---|---|
| `gzip-bomb` | 50 MB of zeros in 50 KB | stops at `fetch.max_bytes` | failed: too-large | 3 | 40 MB | 200 KB |
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "promises.md"
COLUMNS = ["behaviour", "the web", "the crawl", "its page", "requests", "memory", "disk"]
UNITS = {"KB": 1_000, "MB": 1_000_000}


@dataclass(frozen=True)
class Promise:
    """One line: what becomes of the page that has the habit, and what it costs at most."""

    name: str
    web: str
    crawl: str
    state: str
    reasons: tuple[str, ...]  # one of which the reason begins with
    requests: int  # of the habit's own hosts, robots.txt included
    memory: int  # bytes
    disk: int  # bytes


def rows(text: str) -> list[list[str]]:
    """The cells of every line of a table, dashes left out."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("|") and not line.startswith("|--")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def promises() -> dict[str, Promise]:
    found: dict[str, Promise] = {}
    about_habits = False
    for row in rows(PAGE.read_text(encoding="utf-8")):
        if not row[0].startswith("`"):
            about_habits = row == COLUMNS
        elif about_habits:
            promise = _promise(row)
            assert promise.name not in found, f"{promise.name} stands there twice"
            found[promise.name] = promise
    return found


def _promise(row: list[str]) -> Promise:
    assert len(row) == len(COLUMNS), f"a cell too many or too few: {row}"
    name, web, crawl, page, requests, memory, disk = row
    state, _, reason = page.replace("`", "").partition(": ")
    reasons = tuple(reason.split(" or "))
    return Promise(name.strip("`"), web, crawl, state, reasons, int(requests), _bytes(memory), _bytes(disk))


def _bytes(cell: str) -> int:
    number, unit = cell.split()
    return int(number) * UNITS[unit]
