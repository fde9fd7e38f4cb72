"""Numbers, times and foreign texts as people read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len, set_cell_size

BARS = "▁▂▃▄▅▆▇█"


def count(number: int) -> str:
    return f"{number:,}"


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def sparkline(values: Sequence[float], width: int, top: float = 1.0) -> str:
    """A curve in one line of text, `width` cells at most; each cell is the mean of the values it stands for."""
    if not values or width < 1:
        return ""
    cells = min(width, len(values))
    edges = [round(index * len(values) / cells) for index in range(cells + 1)]
    means = [sum(values[low:high]) / (high - low) for low, high in pairwise(edges)]
    last = len(BARS) - 1
    return "".join(BARS[min(last, max(0, round(last * mean / top)))] for mean in means)


def printable(text: str) -> str:
    """Foreign text on one line, with nothing in it that a terminal would obey."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.split())


def fit(text: str, width: int) -> str:
    """Exactly `width` cells of the text, whatever script it is in; `…` where it is cut."""
    if width < 1:
        return ""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(set_cell_size(text, width - 1).rstrip() + "…", width)


def short_url(url: str) -> str:
    """A URL without what every URL has."""
    return re.sub(r"^https?://(www\.)?", "", printable(url)).rstrip("/")


def slug(text: str) -> str:
    """A folder name for a topic: `Dengue fever!` is kept in `dengue-fever`."""
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-")[:60].rstrip("-")
