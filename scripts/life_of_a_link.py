"""Draws docs/life-of-a-link.svg: the stations of a link, in a ring.

./run python scripts/life_of_a_link.py
"""

from pathlib import Path

WIDTH, HEIGHT, BOX_W, BOX_H = 860, 330, 150, 62
STATIONS = [
    # column, row, number, name, what it does
    (0, 0, 1, "frontier", "best first, politely"),
    (1, 0, 2, "engine", "leases a link"),
    (2, 0, 3, "fetcher", "one request"),
    (3, 0, 4, "parser", "bytes to page"),
    (3, 1, 5, "judge", "how relevant, 0..1"),
    (2, 1, 6, "strategy", "ranks the links"),
    (1, 1, 7, "library", "one transaction"),
]
ARROWS = [
    ((0, 0), (1, 0), "link"),
    ((1, 0), (2, 0), "lease"),
    ((2, 0), (3, 0), "response"),
    ((3, 0), (3, 1), "page"),
    ((3, 1), (2, 1), "visit"),
    ((2, 1), (1, 1), "step"),
    ((1, 1), (0, 0), "ranked links"),
]
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1d2b36 } .name { font-weight: 600; font-size: 15px }
  .small { fill: #5b6b77; font-size: 12px } .box { fill: #f4f7f9; stroke: #b9c6cf }
  .number { fill: #b5541c; font-weight: 700 } .arrow { stroke: #b5541c; stroke-width: 1.6; fill: none }
  .head { fill: #b5541c } .strategy { fill: #fdf1e7; stroke: #b5541c }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf2 } .small { fill: #9fb0bc }
    .box { fill: #1d2730; stroke: #46555f } .strategy { fill: #3a2618; stroke: #e0884f }
    .number, .head { fill: #e0884f } .arrow { stroke: #e0884f } }
"""


def corner(column: int, row: int) -> tuple[int, int]:
    return 20 + column * 222, 50 + row * 170


def box(column: int, row: int, number: int, name: str, does: str) -> str:
    x, y = corner(column, row)
    kind = "box strategy" if name == "strategy" else "box"
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{BOX_W}" height="{BOX_H}" rx="9"/>'
        f'<text x="{x + 14}" y="{y + 26}">'
        f'<tspan class="number">{number}</tspan> <tspan class="name">{name}</tspan></text>'
        f'<text class="small" x="{x + 14}" y="{y + 47}">{does}</text>'
    )


def arrow(start: tuple[int, int], end: tuple[int, int], label: str) -> str:
    (x1, y1), (x2, y2) = corner(*start), corner(*end)
    middle = BOX_H / 2
    if y1 == y2:
        side = 1 if x2 > x1 else -1
        x1, x2 = (x1 + BOX_W, x2 - 4) if side > 0 else (x1, x2 + BOX_W + 4)
        path, at = f"M{x1} {y1 + middle} H{x2}", ((x1 + x2) / 2, y1 + middle - 8)
    elif x1 == x2:
        path, at = f"M{x1 + BOX_W / 2} {y1 + BOX_H} V{y2 - 4}", (x1 + BOX_W / 2 + 26, (y1 + BOX_H + y2) / 2 + 4)
    else:
        x = x2 + BOX_W / 2
        path, at = f"M{x1} {y1 + middle} H{x} V{y2 + BOX_H + 4}", (x + 52, (y1 + BOX_H + y2) / 2 + 4)
    return (
        f'<path class="arrow" d="{path}" marker-end="url(#head)"/>'
        f'<text class="small" text-anchor="middle" x="{at[0]}" y="{at[1]}">{label}</text>'
    )


def draw() -> str:
    head = (
        '<marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path class="head" d="M0 0 L8 4 L0 8 z"/></marker>'
    )
    parts = [box(*station) for station in STATIONS] + [arrow(*ends) for ends in ARROWS]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="The life of a link"><style>{STYLE}</style><defs>{head}</defs>\n' + "\n".join(parts) + "\n</svg>\n"
    )


if __name__ == "__main__":
    target = Path(__file__).parents[1] / "docs" / "life-of-a-link.svg"
    target.write_text(draw(), encoding="utf-8")
    print(f"wrote {target.name}")
