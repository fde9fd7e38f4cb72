"""Draws the table of scripts/layers.py: docs/layers.svg, and the list in docs/how-it-works.md.

    ./run python -m scripts.layers_picture

A test fails when either is older than the table.
"""

from __future__ import annotations

import textwrap
from html import escape
from math import ceil
from pathlib import Path

from scripts.layers import LAYERS, NEIGHBOURS

DOCS = Path(__file__).parents[1] / "docs"
PICTURE, PAGE = DOCS / "layers.svg", DOCS / "how-it-works.md"
BEGIN, END = "<!-- Made by scripts/layers_picture.py; do not edit. -->", "<!-- End of the layers. -->"

WIDTH, GAP, EDGE, BETWEEN = 860, 7, 14, 20
MOST = 5  # boxes in a row
LETTER = 5.7  # pixels that a letter of the small text takes, about
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1d2b36 } .name { font-weight: 600; font-size: 14px }
  .small { fill: #5b6b77; font-size: 11px } .box { fill: #f4f7f9; stroke: #b9c6cf } .layer { fill: #b5541c12 }
  .arrow { stroke: #b5541c; stroke-width: 1.6; fill: none } .head { fill: #b5541c }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf2 } .small { fill: #9fb0bc }
    .box { fill: #1d2730; stroke: #46555f } .layer { fill: #e0884f1c }
    .head { fill: #e0884f } .arrow { stroke: #e0884f } }
"""


def lines_of(purpose: str, width: float) -> list[str]:
    return textwrap.wrap(purpose, int((width - 16) / LETTER))


def box(x: float, y: float, width: float, height: float, name: str, purpose: str) -> str:
    small = "".join(
        f'<text class="small" x="{x + 9:.0f}" y="{y + 35 + 13 * number:.0f}">{escape(line, quote=False)}</text>'
        for number, line in enumerate(lines_of(purpose, width))
    )
    return (
        f'<rect class="box" x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="7"/>'
        f'<text class="name" x="{x + 9:.0f}" y="{y + 19:.0f}">{name}</text>{small}'
    )


def rows(parts: dict[str, str]) -> list[list[tuple[str, str]]]:
    """The boxes of a layer, at most so many in a row, and about as many in each."""
    count = ceil(len(parts) / MOST)
    length = ceil(len(parts) / count)
    return [list(parts.items())[start : start + length] for start in range(0, len(parts), length)]


def layer(top: float, parts: dict[str, str]) -> tuple[list[str], float]:
    """A layer drawn from `top` down, and where it ends."""
    drawn, y = [], top + GAP
    for row in rows(parts):
        width = (WIDTH - 2 * EDGE - GAP * (len(row) + 1)) / len(row)
        height = 30 + 13 * max(len(lines_of(purpose, width)) for _, purpose in row)
        drawn += [box(EDGE + GAP + at * (width + GAP), y, width, height, *each) for at, each in enumerate(row)]
        y += height + GAP
    band = f'<rect class="layer" x="{EDGE}" y="{top:.0f}" width="{WIDTH - 2 * EDGE}" height="{y - top:.0f}" rx="10"/>'
    return [band, *drawn], y


def arrow(y: float) -> str:
    """From a layer down to the one it builds on."""
    return f'<path class="arrow" d="M{WIDTH // 2} {y + 2:.0f} v{BETWEEN - 5}" marker-end="url(#head)"/>'


def picture() -> str:
    head = (
        '<marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="head" d="M0 0 L8 4 L0 8 z"/></marker>'
    )
    drawn, y = [], float(EDGE)
    for number, parts in enumerate(reversed(LAYERS)):
        if number:
            drawn.append(arrow(y))
            y += BETWEEN
        boxes, y = layer(y, parts)
        drawn += boxes
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + EDGE:.0f}" role="img" '
        f'aria-label="The layers of the program"><style>{STYLE}</style><defs>{head}</defs>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def text() -> str:
    """The same as a chain to read, with the exceptions."""
    chain = textwrap.wrap(" ◀ ".join(", ".join(parts) for parts in LAYERS), 112, subsequent_indent="  ")
    allowed = [f"- `{part}` imports `{other}`: {why}." for (part, other), why in NEIGHBOURS.items()]
    return "\n".join(
        [BEGIN, "", "![The layers](layers.svg)", "", "```", *chain, "```", "", "Within a layer:", "", *allowed, "", END]
    )


def page(old: str) -> str:
    """The page with its list made anew."""
    before, _, rest = old.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + text() + after


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PICTURE.name} and the layers in {PAGE.name}")
