"""The lab's pictures: curves with bands, a small one a topic, cost and benefit, reliability. Data in, markup out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.measures.judgements import ReliabilityBin
from scenthound.lab.statistics import Band
from scenthound.report.charts import HEIGHT, WIDTH, Frame, Point, decimal, nice_ceiling, plot, ticks
from scenthound.report.formatting import plural
from scenthound.report.markup import Html, el

COLOURS = 8
SCATTER_HEIGHT, NAME_HEIGHT = 240, 17
"""Pixels: of a plot of dots, and that a name beside it takes."""

Curve = NDArray[np.float64]


class Palette:
    """A colour for each contestant, in the order of the leaderboard; bounds are grey. Then dashes, then again."""

    def __init__(self, strategies: Sequence[str], bounds: Sequence[str]) -> None:
        contestants = [strategy for strategy in strategies if strategy not in bounds]
        self._style = {strategy: self._coloured(index) for index, strategy in enumerate(contestants)}
        self._style |= dict.fromkeys(bounds, "--c:var(--bound);--dash:2 4")

    @staticmethod
    def _coloured(index: int) -> str:
        dash = ";--dash:7 4" if index // COLOURS % 2 else ""
        return f"--c:var(--s{index % COLOURS}){dash}"

    def __getitem__(self, strategy: str) -> str:
        return self._style[strategy]


def curves(title: str, bands: Mapping[str, Band], positions: Sequence[int], palette: Palette) -> Html:
    """Mean curves over the pages downloaded, each in the band of its 95 % interval."""
    known = [band.high[np.isfinite(band.high)] for band in bands.values()]
    top = max((float(high.max()) for high in known if len(high)), default=1.0)
    frame = Frame(float(positions[-1]) if positions else 1.0, min(1.0, nice_ceiling(max(top, 0.01))))
    layers = [
        el("path", d=_ribbon(frame, positions, band), class_="band", style=palette[strategy])
        for strategy, band in bands.items()
        if "bound" not in palette[strategy]  # the grey ones are there to be compared with, not to be seen
    ]
    layers += [
        el(
            "path",
            el("title", strategy),
            d=_polyline(frame, positions, band.mean),
            class_="line",
            style=palette[strategy],
        )
        for strategy, band in reversed(list(bands.items()))
    ]
    ends = ", ".join(f"{strategy} {_last(band.mean)}" for strategy, band in bands.items())
    return plot(title, f"At the end: {ends}.", frame, layers, y_format=decimal)


def small(title: str, lines: Mapping[str, Curve], positions: Sequence[int], palette: Palette, top: float) -> Html:
    """One topic's curves, without numbers around: they are all drawn to one scale."""
    frame = Frame(float(positions[-1]) if positions else 1.0, top)
    drawn = [
        el("path", el("title", strategy), d=_polyline(frame, positions, line), class_="line", style=palette[strategy])
        for strategy, line in reversed(list(lines.items()))
    ]
    grid = "".join(f"M{frame.at((0, share * top))}H{WIDTH}" for share in (0, 0.5, 1))
    drawing = el(
        "svg",
        el("title", title),
        el("path", d=grid, class_="grid"),
        *drawn,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        role="img",
    )
    return el("figure", el("figcaption", title), el("div", drawing, class_="plot bare"))


def scatter(points: Mapping[str, Point], palette: Palette, x_title: str, y_title: str) -> Html:
    """A dot a strategy: what it costs to the right, what it brings upwards.

    Names stand in a column beside the plot, a line leads from each to its dot: dots may lie as close as they like.
    """
    known = {name: point for name, point in points.items() if all(map(math.isfinite, point))}
    frame = scatter_frame(known)
    height = max(SCATTER_HEIGHT, NAME_HEIGHT * (len(known) + 1))
    places = spread({name: y / frame.y_max for name, (_, y) in known.items()}, NAME_HEIGHT / height)
    leads = [
        el(
            "path",
            d=f"M{frame.at(point)}L{WIDTH} {round(HEIGHT * (1 - places[name]))}",
            class_="lead-line",
            style=palette[name],
        )
        for name, point in known.items()
    ]
    dots = [
        el(
            "span",
            class_="dot",
            title=f"{name}: {decimal(x)} {x_title}, {y_title} {decimal(y)}",
            style=f"{palette[name]};left:{100 * x / frame.x_max:.2f}%;bottom:{100 * y / frame.y_max:.2f}%",
        )
        for name, (x, y) in known.items()
    ]
    names = [el("span", name, style=f"{palette[name]};bottom:{100 * places[name]:.2f}%") for name in known]
    widest = max(map(len, known), default=0)
    names.append(el("b", "x" * widest, aria_hidden="true"))  # makes the column as wide as its longest name
    return _with_axes(f"{y_title} against {x_title}", frame, x_title, leads, dots, names, height)


def scatter_frame(points: Mapping[str, Point]) -> Frame:
    return Frame(
        nice_ceiling(max([x for x, _ in points.values()], default=1.0) * 1.05 or 1.0),
        nice_ceiling(max([y for _, y in points.values()], default=1.0) * 1.05 or 1.0),
    )


def spread(wanted: Mapping[str, float], gap: float) -> dict[str, float]:
    """Places from 0 to 1 near the wanted ones, in the same order, at least `gap` apart as long as there is room."""
    order = sorted(wanted, key=lambda name: (wanted[name], name))
    gap = min(gap, 1 / max(1, len(order) - 1))
    places: dict[str, float] = {}
    lowest = 0.0
    for name in order:  # upwards, nobody too near the one below
        places[name] = lowest = max(wanted[name], lowest)
        lowest += gap
    highest = 1.0
    for name in reversed(order):  # and down again, where the last ones came too high
        places[name] = highest = min(places[name], highest)
        highest -= gap
    return places


def reliability(judge: str, diagram: Sequence[ReliabilityBin], style: str) -> Html:
    """What was said to the right, what was true upwards: on the diagonal, a judge means what it says.

    A dot is a bin, the larger the more pages are in it.
    """
    frame = Frame(1.0, 1.0)
    points = [(each.score, each.relevant) for each in diagram]
    most = math.log1p(max((each.pages for each in diagram), default=1))
    layers = [
        el("path", d=f"M{frame.at((0, 0))}L{frame.at((1, 1))}", class_="ideal"),
        el("path", d="M" + "L".join(map(frame.at, points)) if points else "", class_="line", style=style),
    ]
    dots = [
        el(
            "span",
            class_="bin",
            title=f"{plural(each.pages, 'page')}: {each.score:.3f} said, {each.relevant:.3f} true",
            style=f"{style};left:{100 * each.score:.2f}%;bottom:{100 * each.relevant:.2f}%;"
            f"--size:{4 + 8 * math.log1p(each.pages) / most:.1f}px",
        )
        for each in diagram
    ]
    return _with_axes(f"Reliability of {judge}", frame, "said", layers, dots)


def over_answers(lines: Mapping[str, Mapping[int, float]], palette: Palette) -> Html:
    """F1 after so many answers, a line a judge."""
    last = max((n for found in lines.values() for n in found), default=1)
    frame = Frame(float(max(1, last)), 1.0)
    layers = [
        el(
            "path",
            el("title", judge),
            d=_polyline(frame, list(found), np.array(list(found.values()))),
            class_="line",
            style=palette[judge],
        )
        for judge, found in lines.items()
    ]
    return _with_axes("F1 over answers", frame, "answers", layers, ())


def _with_axes(
    title: str,
    frame: Frame,
    x_title: str,
    layers: Sequence[Html],
    dots: Sequence[Html],
    names: Sequence[Html] = (),
    height: int = SCATTER_HEIGHT,
) -> Html:
    """Layers over a grid, dots above them, numbers around; names to the right, where there are any."""
    grid = "".join(f"M{frame.at((0, y))}H{WIDTH}" for y in ticks(frame.y_max))
    drawing = el("svg", el("title", title), el("path", d=grid, class_="grid"), *layers,
                 viewBox=f"0 0 {WIDTH} {HEIGHT}", preserveAspectRatio="none", role="img")  # fmt: skip
    ys = (el("span", decimal(y), style=f"bottom:{100 * y / frame.y_max:.2f}%") for y in ticks(frame.y_max))
    marks = ticks(frame.x_max)
    xs = (
        el(
            "span",
            decimal(x) if x < marks[-1] else f"{decimal(x)} {x_title}",
            style=f"left:{100 * x / frame.x_max:.2f}%",
        )
        for x in marks
    )
    return el(
        "div",
        el("div", *ys, class_="ys", aria_hidden="true"),
        el("div", drawing, *dots, class_="field"),
        *([el("div", *names, class_="names")] if names else []),
        el("div", *xs, class_="xs", aria_hidden="true"),
        class_="plot named" if names else "plot",
        style=f"--height:{height}px" if names else None,
    )


def interval(low: float, mean: float, high: float, top: float, style: str) -> Html:
    """A mean with its interval as a dot on a line, in a cell of a table."""
    if not math.isfinite(mean) or top <= 0:
        return Html("")
    left, middle, right = (100 * max(0.0, min(value, top)) / top for value in (low, mean, high))
    return el(
        "svg",
        el("path", d=f"M0 5H{middle:.1f}", class_="lane"),
        el("path", d=f"M{left:.1f} 5H{right:.1f}", class_="whisker"),
        el("path", d=f"M{middle:.1f} 1V9", class_="mean"),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        class_="interval",
        style=style,
        aria_hidden="true",
    )


def _polyline(frame: Frame, positions: Sequence[int], values: Curve) -> str:
    """Points that are not known leave a gap."""
    parts, down = [], False
    for position, value in zip(positions, values.tolist(), strict=True):
        if math.isfinite(value):
            parts.append(f"{'L' if down else 'M'}{frame.at((position, value))}")
        down = math.isfinite(value)
    return "".join(parts)


def _ribbon(frame: Frame, positions: Sequence[int], band: Band) -> str:
    known = np.isfinite(band.low) & np.isfinite(band.high)
    places = np.asarray(positions)[known].tolist()
    upper = [frame.at(point) for point in zip(places, band.high[known].tolist(), strict=True)]
    lower = [frame.at(point) for point in zip(places, band.low[known].tolist(), strict=True)]
    return f"M{'L'.join(upper + lower[::-1])}Z" if upper else ""


def _last(values: Curve) -> str:
    known = values[np.isfinite(values)]
    return decimal(float(known[-1])) if len(known) else "unknown"
