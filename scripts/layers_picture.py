"""Draws the table of scripts/layers.py: docs/layers.svg, and the list in docs/how-it-works.md.

    ./run python -m scripts.layers_picture

A test fails when either is older than the table.
"""

from __future__ import annotations

import textwrap
from html import escape
from pathlib import Path

from scripts.layers import LAYERS, NEIGHBOURS

DOCS = Path(__file__).parents[1] / "docs"
PICTURE, PAGE = DOCS / "layers.svg", DOCS / "how-it-works.md"
BEGIN, END = "<!-- Made by scripts/layers_picture.py; do not edit. -->", "<!-- End of the layers. -->"

WIDTH, BOX_H, STEP, GAP, EDGE = 860, 66, 84, 10, 16
LETTER = 6.0  # pixels that a letter of the small text takes, about
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1d2b36 } .name { font-weight: 600; font-size: 14px }
  .small { fill: #5b6b77; font-size: 11px } .box { fill: #f4f7f9; stroke: #b9c6cf }
  .arrow { stroke: #b5541c; stroke-width: 1.6; fill: none } .head { fill: #b5541c }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf2 } .small { fill: #9fb0bc }
    .box { fill: #1d2730; stroke: #46555f } .head { fill: #e0884f } .arrow { stroke: #e0884f } }
"""


def box(x: float, y: float, width: float, name: str, purpose: str) -> str:
    lines = textwrap.wrap(purpose, int((width - 16) / LETTER))
    small = "".join(
        f'<text class="small" x="{x + 9:.0f}" y="{y + 36 + 13 * number}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<rect class="box" x="{x:.0f}" y="{y}" width="{width:.0f}" height="{BOX_H}" rx="8"/>'
        f'<text class="name" x="{x + 9:.0f}" y="{y + 20}">{name}</text>{small}'
    )


def layer(y: int, parts: dict[str, str]) -> list[str]:
    width = (WIDTH - 2 * EDGE - GAP * (len(parts) - 1)) / len(parts)
    return [box(EDGE + at * (width + GAP), y, width, *each) for at, each in enumerate(parts.items())]


def arrow(y: int) -> str:
    """From a layer down to the one it builds on."""
    return f'<path class="arrow" d="M{WIDTH // 2} {y} v{STEP - BOX_H - 4}" marker-end="url(#head)"/>'


def picture() -> str:
    head = (
        '<marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="head" d="M0 0 L8 4 L0 8 z"/></marker>'
    )
    tops = [EDGE + STEP * number for number in range(len(LAYERS))]
    boxes = [drawn for y, parts in zip(tops, reversed(LAYERS), strict=True) for drawn in layer(y, parts)]
    arrows = [arrow(y + BOX_H) for y in tops[:-1]]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {tops[-1] + BOX_H + EDGE}" role="img" '
        f'aria-label="The layers of the program"><style>{STYLE}</style><defs>{head}</defs>\n'
        + "\n".join(boxes + arrows)
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
