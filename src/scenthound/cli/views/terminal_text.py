"""Texts and curves that fit a terminal: cells are counted, not characters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len, set_cell_size

BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int, top: float = 1.0) -> str:
    """A curve in one line of text, `width` cells at most; each cell is the mean of the values it stands for."""
    if not values or width < 1:
        return ""
    cells = min(width, len(values))
    edges = [round(index * len(values) / cells) for index in range(cells + 1)]
    means = [sum(values[low:high]) / (high - low) for low, high in pairwise(edges)]
    last = len(BARS) - 1
    return "".join(BARS[min(last, max(0, round(last * mean / top)))] for mean in means)


def fit(text: str, width: int) -> str:
    """Exactly `width` cells of the text, whatever script it is in; `…` where it is cut."""
    if width < 1:
        return ""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(set_cell_size(text, width - 1).rstrip() + "…", width)


def harmless(text: str) -> str:
    """Foreign text of many lines, with nothing in it that a terminal would obey: line ends and tabs stay."""
    lines = (line if line.isprintable() else _visible(line) for line in text.replace("\r\n", "\n").split("\n"))
    return "\n".join(lines)


def _visible(line: str) -> str:
    return "".join(char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in line)
