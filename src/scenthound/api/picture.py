"""Pictures that a notebook shows by itself and a program can write to a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from scenthound.atomic_write import replacing
from scenthound.report.charts import thinned
from scenthound.report.curves_picture import draw


class Picture:
    """A drawing as SVG text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | Path) -> Path:
        """Writes it to a file, whole or not at all; returns where."""
        path = Path(path)
        with replacing(path) as stream:
            stream.write(self.svg)
        return path

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg):,} characters of SVG; .save('harvest.svg') writes it>"


def harvest_picture(counted: Sequence[bool]) -> Picture:
    """Relevant pages found over pages fetched, beside the line of a crawl that finds nothing else."""
    total, sums = len(counted), list(accumulate(counted, initial=0))
    found = [(float(n), float(sums[n])) for n in thinned(total + 1)]
    best = float(max(1, sums[-1]))
    lines = {"relevant": found, "every page": [(0.0, 0.0), (min(best, total) or 1.0, min(best, total) or 1.0)]}
    return Picture(draw(lines, "pages fetched", "relevant pages", best * 1.1))
