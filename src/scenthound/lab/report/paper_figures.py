"""The charts of an experiment as files for a paper: SVG and PDF, in print colours, a column or a page wide."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.report.charts import scatter_frame, spread
from scenthound.lab.report.summary import ExperimentSummary
from scenthound.lab.report.tables import title
from scenthound.lab.statistics import Band
from scenthound.report.charts import Frame, decimal, nice_ceiling, ticks, whole
from scenthound.report.figure import Area, Dot, Figure, Point, Shape, Stroke, Word, text_width

FOLDER = "figures"
WIDTH, HEIGHT = 340.0, 210.0
"""Points; a little more than a column of a paper."""

LEFT, TOP, BOTTOM, GAP = 38.0, 10.0, 32.0, 6.0
SIZE, LINE = 8.0, 10.0
COLOURS = ("#1f7a5c", "#c2571a", "#3b6fb6", "#a83f7c", "#8a7410", "#6a52b3", "#0f8a9d", "#b23a3a")
BOUND, GRID, INK = "#8c867a", "#dddddd", "#333333"
SMALL_COLUMNS, SMALL_HEIGHT = 4, 74.0
CURVES = ("target-recall", "harvest-rate", "average-similarity")

Curve = NDArray[np.float64]
Place = Callable[[float, float], Point]


class Pens:
    """A colour for each contestant, in the order of the leaderboard; bounds are grey and dotted."""

    def __init__(self, summary: ExperimentSummary) -> None:
        contestants = [strategy for strategy in summary.strategies if strategy not in summary.bounds]
        self._nth = {strategy: nth for nth, strategy in enumerate(contestants)}

    def colour(self, strategy: str) -> str:
        return COLOURS[self._nth[strategy] % len(COLOURS)] if strategy in self._nth else BOUND

    def dash(self, strategy: str) -> tuple[float, ...]:
        if strategy not in self._nth:
            return (1.0, 2.0)
        return (4.0, 2.0) if self._nth[strategy] // len(COLOURS) % 2 else ()


def write_figures(summary: ExperimentSummary, folder: Path) -> list[Path]:
    """Each chart as .svg and .pdf; returns where they are."""
    place, written = folder / FOLDER, []
    place.mkdir(exist_ok=True)
    for name, figure in figures(summary).items():
        for ending, content in ((".svg", figure.svg().encode()), (".pdf", figure.pdf())):
            path = place / f"{name}{ending}"
            path.write_bytes(content)
            written.append(path)
    return written


def figures(summary: ExperimentSummary) -> dict[str, Figure]:
    pens = Pens(summary)
    found = {name: curves_figure(summary, name, pens) for name in CURVES if name in summary.bands}
    if name := next((name for name in CURVES if name in summary.curves), ""):
        found["topics"] = topics_figure(summary, name, pens)
    found["cost-and-benefit"] = cost_figure(summary, pens)
    return found


def curves_figure(summary: ExperimentSummary, name: str, pens: Pens) -> Figure:
    """Mean curves over the pages downloaded, each in the band of its 95 % interval, its name at its end."""
    bands = {
        strategy: summary.bands[name][strategy] for strategy in summary.strategies if strategy in summary.bands[name]
    }
    highs = [band.high[np.isfinite(band.high)] for band in bands.values()]
    top = max((float(high.max()) for high in highs if len(high)), default=1.0)
    frame = Frame(float(summary.positions[-1]), min(1.0, nice_ceiling(max(top, 0.01))))
    height = _height(len(bands))
    place, right = _placed(frame, bands, height)
    shapes = [*_axes(frame, place, right, height, "pages", _named(name))]
    for strategy, band in bands.items():
        if strategy not in summary.bounds:
            shapes += _ribbon(place, summary.positions, band, pens.colour(strategy))
    ends = {}
    for strategy, band in reversed(list(bands.items())):
        runs = list(_runs(place, summary.positions, band.mean))
        shapes += [Stroke(run, pens.colour(strategy), 1.2, pens.dash(strategy)) for run in runs]
        if runs:
            ends[strategy] = runs[-1][-1]
    return Figure(WIDTH, height, f"{_named(name)} over pages", [*shapes, *_names(ends, right, height, pens)])


def cost_figure(summary: ExperimentSummary, pens: Pens) -> Figure:
    """A dot a strategy: what it costs to the right, what it brings upwards."""
    points = {
        strategy: (summary.of("cpu", strategy).mean, summary.of(summary.leading, strategy).mean)
        for strategy in summary.strategies
        if strategy not in summary.bounds
    }
    known = {name: point for name, point in points.items() if all(map(math.isfinite, point))}
    frame, height = scatter_frame(known), _height(len(known))
    place, right = _placed(frame, known, height)
    dots = {name: place(*point) for name, point in known.items()}
    shapes = [*_axes(frame, place, right, height, "CPU ms a page", title(summary.leading), decimal)]
    shapes += [*_names(dots, right, height, pens), *(Dot(dot, pens.colour(name)) for name, dot in dots.items())]
    return Figure(WIDTH, height, f"{title(summary.leading)} against CPU time", shapes)


def topics_figure(summary: ExperimentSummary, name: str, pens: Pens) -> Figure:
    """A small chart a topic, all to one scale, and the names of the lines below."""
    curves, cell = summary.curves[name], WIDTH / SMALL_COLUMNS
    known = [line[np.isfinite(line)] for topics in curves.values() for line in topics.values()]
    top = max((float(line.max()) for line in known if len(line)), default=1.0) or 1.0
    shapes: list[Shape] = []
    for nth, topic in enumerate(summary.topics):
        left, above = nth % SMALL_COLUMNS * cell + 3, nth // SMALL_COLUMNS * SMALL_HEIGHT + 12
        place = _scaled(Frame(float(summary.positions[-1]), top), left, above, cell - 9, SMALL_HEIGHT - 22)
        shapes.append(Word((left, above - 4), _fitted(topic, cell - 9), SIZE - 1, colour=INK))
        shapes += [Stroke([place(0, y), place(summary.positions[-1], y)], GRID, 0.5) for y in (0, top)]
        for strategy in reversed(summary.strategies):
            if topic in curves.get(strategy, {}):
                runs = _runs(place, summary.positions, curves[strategy][topic])
                shapes += [Stroke(run, pens.colour(strategy), 0.9, pens.dash(strategy)) for run in runs]
    below = math.ceil(len(summary.topics) / SMALL_COLUMNS) * SMALL_HEIGHT + 8
    note = f"{_named(name)}, 0 to {decimal(top)}, over {whole(summary.positions[-1])} pages"
    shapes.append(Word((3, below), note, SIZE - 1, colour=INK))
    key, end = _key(summary, pens, below + LINE + 2)
    return Figure(WIDTH, end + 4, f"{_named(name)}, topic by topic", [*shapes, *key])


# Parts of them


def _named(measure: str) -> str:
    """A measure as a curve has it: the table's `final recall` is where the curve of the target recall ends."""
    return "target recall" if measure == "target-recall" else title(measure)


def _height(names: int) -> float:
    return max(HEIGHT, TOP + BOTTOM + LINE * names)


def _placed(frame: Frame, names: Mapping[str, object], height: float) -> tuple[Place, float]:
    """Where a point of the frame lies on the sheet, and where the plot ends: names want room beside it."""
    right = WIDTH - max((text_width(name, SIZE) for name in names), default=0.0) - 3 * GAP
    return _scaled(frame, LEFT, TOP, right - LEFT, height - TOP - BOTTOM), right


def _scaled(frame: Frame, left: float, top: float, width: float, height: float) -> Place:
    def place(x: float, y: float) -> Point:
        return left + width * x / frame.x_max, top + height * (1 - min(y, frame.y_max) / frame.y_max)

    return place


def _axes(
    frame: Frame,
    place: Place,
    right: float,
    height: float,
    x_title: str,
    y_title: str,
    x_format: Callable[[float], str] = whole,
) -> Iterator[Shape]:
    for y in ticks(frame.y_max):
        left, level = place(0, y)
        yield Stroke([(left, level), (right, level)], GRID, 0.5)
        yield Word((left - 4, level + 2.5), decimal(y), SIZE - 1, "end", INK)
    for x in ticks(frame.x_max):
        yield Word((place(x, 0)[0], height - BOTTOM + 11), x_format(x), SIZE - 1, "middle", INK)
    yield Word(((LEFT + right) / 2, height - 6), x_title, SIZE, "middle", INK)
    yield Word((10, (TOP + height - BOTTOM) / 2), y_title, SIZE, "middle", INK, upwards=True)


def _names(ends: Mapping[str, Point], right: float, height: float, pens: Pens) -> Iterator[Shape]:
    """Names in a column beside the plot, none over another, each with a line to what it names."""
    room = height - TOP - BOTTOM
    places = spread({name: 1 - (y - TOP) / room for name, (_, y) in ends.items()}, LINE / room)
    for name, (x, y) in ends.items():
        level = TOP + room * (1 - places[name])
        yield Stroke(
            [(x, y), (right, y) if x > right - 1 else (x, y), (right + 2 * GAP, level)], pens.colour(name), 0.4
        )
        yield Word((right + 2 * GAP + 2, level + 2.5), name, SIZE, colour=pens.colour(name))


def _key(summary: ExperimentSummary, pens: Pens, top: float) -> tuple[list[Shape], float]:
    shapes: list[Shape] = []
    x, y = 3.0, top
    for name in summary.strategies:
        wide = 18 + text_width(name, SIZE - 1)
        if x + wide > WIDTH and x > 3:
            x, y = 3.0, y + LINE
        shapes.append(Stroke([(x, y - 2.5), (x + 12, y - 2.5)], pens.colour(name), 1.2, pens.dash(name)))
        shapes.append(Word((x + 15, y), name, SIZE - 1, colour=INK))
        x += wide + 8
    return shapes, y


def _runs(place: Place, positions: Sequence[int], values: Curve) -> Iterator[list[Point]]:
    """The line, in pieces where points are not known."""
    run: list[Point] = []
    for position, value in zip(positions, values.tolist(), strict=True):
        if math.isfinite(value):
            run.append(place(position, value))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _ribbon(place: Place, positions: Sequence[int], band: Band, colour: str) -> list[Shape]:
    known = np.isfinite(band.low) & np.isfinite(band.high)
    places = np.asarray(positions)[known].tolist()
    upper = [place(x, y) for x, y in zip(places, band.high[known].tolist(), strict=True)]
    lower = [place(x, y) for x, y in zip(places, band.low[known].tolist(), strict=True)]
    return [Area([*upper, *reversed(lower)], colour)] if len(upper) > 1 else []


def _fitted(text: str, width: float) -> str:
    if text_width(text, SIZE - 1) <= width:
        return text
    while text and text_width(f"{text}...", SIZE - 1) > width:
        text = text[:-1]
    return f"{text.rstrip()}..."
