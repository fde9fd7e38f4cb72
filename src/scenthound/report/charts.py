"""Charts as inline SVG, drawn by hand: data in, markup out.

A plot stretches with the page while its letters and lines do not: what is drawn lies in an SVG that may be distorted
(lines keep their width), and all words stand around it as HTML. However long the crawl, a curve has at most
`MOST_POINTS` points and a cloud at most `MOST_DOTS`, so that a report stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, count
from math import ceil, floor, log10

from msgspec import Struct

from scenthound.report.formatting import plural
from scenthound.report.markup import Html, el

WIDTH, HEIGHT = 1000, 400
MOST_POINTS = 320
MOST_DOTS = 1500
FEW = 100
"""Pages up to which a dot has room to be seen from afar."""

_ids = count(1)

Point = tuple[float, float]
Format = Callable[[float], str]


class Frame(Struct, frozen=True):
    """The stretch of numbers a plot shows; both axes begin at 0."""

    x_max: float
    y_max: float

    def at(self, point: Point) -> str:
        x, y = point
        return f"{round(WIDTH * x / self.x_max)} {round(HEIGHT * (1 - min(y, self.y_max) / self.y_max))}"


def harvest(counted: Sequence[bool]) -> Html:
    """Relevant pages found over pages fetched, and how it would be if every page were relevant."""
    total, found = len(counted), sum(counted)
    sums = list(accumulate(counted, initial=0))
    frame = Frame(max(1, total), nice_ceiling(max(1.0, min(float(total), found * 1.15))))
    points = [(float(n), float(sums[n])) for n in thinned(total + 1)]
    corner = min(frame.x_max, frame.y_max)
    layers = [
        el("path", d=f"{_line(frame, points)}L{frame.at((points[-1][0], 0))}L{frame.at((0, 0))}Z", class_="area"),
        el("path", d=_line(frame, [(0, 0), (corner, corner)]), class_="ideal"),
        el("path", d=_line(frame, points), class_="curve"),
    ]
    told = f"{plural(total, 'page')} fetched, {found:,} relevant."
    return plot("Harvest curve", told, frame, layers, y_format=whole)


def relevance(values: Sequence[float], threshold: float) -> Html:
    """The relevance of each page in the order of fetching, and its moving average."""
    total = len(values)
    top = max([*values, threshold, 0.01])
    frame = Frame(max(1, total), min(1.0, nice_ceiling(top)) if top <= 1 else nice_ceiling(top))
    window = max(5, total // 40)
    average = moving_average(values, window)
    dots = [(n + 0.5, values[n]) for n in thinned(total, MOST_DOTS)]
    layers = [
        el("path", d="".join(f"M{frame.at(dot)}h0" for dot in dots), class_="dots few" if total <= FEW else "dots"),
        el("path", d=_line(frame, [(0, threshold), (frame.x_max, threshold)]), class_="ideal"),
        el("path", d=_line(frame, [(n + 0.5, average[n]) for n in thinned(total)]), class_="curve"),
    ]
    mean = sum(values) / total if total else 0.0
    told = f"Relevance of {plural(total, 'page')} in the order of fetching, {mean:.2f} on average."
    return plot("Relevance over time", told, frame, layers, y_format=decimal)


def plot(title: str, told: str, frame: Frame, layers: Sequence[Html], y_format: Format) -> Html:
    """Layers over a grid, with numbers around."""
    x_marks, y_marks = ticks(frame.x_max, whole=True), ticks(frame.y_max, whole=y_format is whole)
    grid = "".join(f"M{frame.at((0, y))}H{WIDTH}" for y in y_marks)
    name = f"plot-{next(_ids)}"
    drawing = el(
        "svg",
        el("title", title, id=f"{name}-title"),
        el("desc", told, id=f"{name}-desc"),
        el("path", d=grid, class_="grid"),
        *layers,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
    )
    ys = (el("span", y_format(y), style=f"bottom:{100 * y / frame.y_max:.2f}%") for y in y_marks)
    xs = (
        el(
            "span",
            whole(x) if x < x_marks[-1] else f"{whole(x)} {'page' if x == 1 else 'pages'}",
            style=f"left:{100 * x / frame.x_max:.2f}%",
        )
        for x in x_marks
    )
    return el(
        "div",
        el("div", *ys, class_="ys", aria_hidden="true"),
        drawing,
        el("div", *xs, class_="xs", aria_hidden="true"),
        class_="plot",
    )


def bar(part: float, whole: float, most: float, kind: str = "") -> Html:
    """A bar as long as `whole` is of `most`, filled as far as `part`. Silent: the numbers stand beside it."""
    scale = 100 / most if most else 0.0
    return el(
        "svg",
        el("rect", width=f"{whole * scale:.2f}", height="10", class_="all"),
        el("rect", width=f"{part * scale:.2f}", height="10", class_="part"),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        class_=f"bar {kind}".strip(),
        aria_hidden="true",
    )


def whole(number: float) -> str:
    """`60,000`, and from there on `100k`: what fits beside an axis."""
    return f"{number:,.0f}" if number < 100_000 else f"{number / 1000:,g}k"


def decimal(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".") or "0"


def thinned(total: int, most: int = MOST_POINTS) -> list[int]:
    """At most `most` numbers out of 0 .. total - 1, evenly, the first and the last among them."""
    if total <= most:
        return list(range(total))
    return [round(n * (total - 1) / (most - 1)) for n in range(most)]


def moving_average(values: Sequence[float], window: int) -> list[float]:
    """The mean of the `window` values around each, of fewer at the ends."""
    sums = list(accumulate(values, initial=0.0))
    half = window // 2
    spans = ((max(0, n - half), min(len(values), n + half + 1)) for n in range(len(values)))
    return [(sums[high] - sums[low]) / (high - low) for low, high in spans]


def nice_ceiling(number: float) -> float:
    """The next number a person would choose for the end of an axis."""
    size = 10.0 ** floor(log10(number))
    return float(
        next(size * step for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if size * step >= number * 0.9999)
    )


def ticks(end: float, whole: bool = False) -> list[float]:
    """Round numbers from 0 to the end of an axis, four to seven of them; fewer on one that counts up to two or so."""
    rough = end / 6
    size = 10.0 ** floor(log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.9999)
    if end >= 5 or whole:
        step = ceil(step)
    return [round(n * step, 10) for n in range(int(end / step + 1e-9) + 1)]


def _line(frame: Frame, points: Sequence[Point]) -> str:
    return "M" + "L".join(frame.at(point) for point in points) if points else ""
