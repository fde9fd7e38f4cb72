"""Curves as one SVG file that stands alone, for documents: no style sheet, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scenthound.report.charts import decimal, nice_ceiling, ticks
from scenthound.report.markup import Html, el

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 16, 44
COLOURS = ("#0a7f5a", "#2b6cb0", "#b7791f", "#c53030", "#6b46c1", "#4a5568")
GREY = "#8a8f98"

Point = tuple[float, float]
Line = Sequence[Point]
Place = Callable[[Point], Point]


def draw(lines: Mapping[str, Line], x_title: str, y_title: str, top: float) -> str:
    """A line a name, its name at its end. What lies above `top` is drawn at the edge."""
    right = max((x for line in lines.values() for x, _ in line), default=1.0)
    y_max = nice_ceiling(max(top, 1e-9))

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x, y = point
        across = LEFT + (WIDTH - LEFT - RIGHT) * x / right
        return across, TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(y, y_max) / y_max)

    parts = [*_grid(right, y_max, place), *_titles(x_title, y_title)]
    taken: list[float] = []
    for number, (name, line) in enumerate(lines.items()):
        if line:
            parts += _curve(name, [place(point) for point in line], COLOURS[number % len(COLOURS)], taken)
    words = "; ".join(f"{name} ends at {decimal(line[-1][1])}" for name, line in lines.items() if line)
    return str(
        el(
            "svg",
            el("title", f"{y_title} over {x_title}"),
            el("desc", words),
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            font_family="sans-serif",
            font_size="12",
            role="img",
        )
    )


def _grid(right: float, y_max: float, place: Place) -> list[Html]:
    parts = []
    for y in ticks(y_max):
        _, down = place((0.0, y))
        parts.append(el("path", d=f"M{LEFT} {down:.1f}H{WIDTH - RIGHT}", stroke=GREY, stroke_opacity="0.3"))
        parts.append(el("text", decimal(y), x=LEFT - 8, y=f"{down + 4:.1f}", fill=GREY, text_anchor="end"))
    for x in ticks(right):
        across, _ = place((x, 0.0))
        parts.append(el("text", decimal(x), x=f"{across:.1f}", y=HEIGHT - BOTTOM + 18, fill=GREY, text_anchor="middle"))
    return parts


def _titles(x_title: str, y_title: str) -> list[Html]:
    middle = (LEFT + WIDTH - RIGHT) / 2
    turned = f"translate(14 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)"
    return [
        el("text", x_title, x=f"{middle:.0f}", y=HEIGHT - 8, fill=GREY, text_anchor="middle"),
        el("text", y_title, transform=turned, fill=GREY, text_anchor="middle"),
    ]


def _curve(name: str, points: Sequence[tuple[float, float]], colour: str, taken: list[float]) -> list[Html]:
    """The line, and its name where no other name stands."""
    down = points[-1][1]
    while any(abs(down - other) < 15 for other in taken):
        down += 15
    taken.append(down)
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return [
        el("path", d=path, fill="none", stroke=colour, stroke_width="2", stroke_linejoin="round"),
        el("text", name, x=f"{points[-1][0] + 8:.1f}", y=f"{down + 4:.1f}", fill=colour),
    ]
