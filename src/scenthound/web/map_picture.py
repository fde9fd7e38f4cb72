"""The map of sites as shapes: how large a site is drawn, how thick a line, and which names fit beside their sites."""

from __future__ import annotations

from math import log2, sqrt

from msgspec import Struct

from scenthound.app.site_map import MapSite, SiteMap

WIDTH, HEIGHT, MARGIN = 1000, 620, 70
SMALLEST, LARGEST = 5.0, 26.0
LETTER, LINE = 7.0, 15.0  # what a name takes up, about
LONGEST = 26  # letters of a name

Box = tuple[float, float, float, float]


class MapShape(Struct, frozen=True):
    """A site: a disc, filled to the share of its pages that is relevant, and perhaps its name."""

    site: MapSite
    x: float
    y: float
    radius: float
    inner: float  # radius of the relevant part: its area is the relevant pages' share
    name: str
    label: tuple[float, float, str] | None  # x, y, text-anchor; None: there is no room for the name


class MapLine(Struct, frozen=True):
    """The links between two sites, there and back, as one line."""

    path: str
    width: float
    source: str
    target: str
    links: int
    back: int


class MapPicture(Struct, frozen=True):
    width: int
    height: int
    shapes: list[MapShape]
    lines: list[MapLine]


def drawn(found: SiteMap) -> MapPicture:
    most = max((1, *(site.pages for site in found.sites)))
    places = {site.host: _place(site) for site in found.sites}
    radii = {site.host: SMALLEST + (LARGEST - SMALLEST) * sqrt(site.pages / most) for site in found.sites}
    taken: list[Box] = [_disc(places[site.host], radii[site.host]) for site in found.sites]
    shapes = []
    for site in found.sites:  # those with most relevant pages first: they get their names
        x, y = places[site.host]
        radius, name = radii[site.host], _name(site.host)
        label = _room((x, y), radius, name, taken)
        inner = radius * sqrt(site.relevant / site.pages) if site.pages else 0.0
        shapes.append(MapShape(site, x, y, round(radius, 1), round(inner, 1), name, label))
    return MapPicture(WIDTH, HEIGHT, shapes, _lines(found, places))


def _lines(found: SiteMap, places: dict[str, tuple[float, float]]) -> list[MapLine]:
    """One for each two sites, in the order of the stronger of their links: the strongest are on top."""
    links = {(link.source, link.target): link.links for link in found.links}
    lines = []
    for (source, target), there in links.items():
        back = links.get((target, source), 0)
        if (back, target) > (there, source):
            continue  # drawn when its other end comes
        width = round(0.8 + 0.55 * log2(1 + there + back), 2)
        lines.append(MapLine(_curve(places[source], places[target]), width, source, target, there, back))
    return lines


def _place(site: MapSite) -> tuple[float, float]:
    return (
        round(MARGIN + site.x * (WIDTH - 2 * MARGIN), 1),
        round(MARGIN / 2 + site.y * (HEIGHT - MARGIN), 1),
    )


def _name(host: str) -> str:
    name = host.removeprefix("www.")
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _disc(place: tuple[float, float], radius: float) -> Box:
    x, y = place
    return x - radius, y - radius, x + radius, y + radius


def _room(place: tuple[float, float], radius: float, name: str, taken: list[Box]) -> tuple[float, float, str] | None:
    """Where a name fits: below, above, below to one side, right or left of its site; that place is taken then."""
    x, y = place
    wide = LETTER * len(name)
    for at, box in (
        ((x, y + radius + 13, "middle"), (x - wide / 2, y + radius + 1, x + wide / 2, y + radius + LINE)),
        ((x, y - radius - 5, "middle"), (x - wide / 2, y - radius - LINE, x + wide / 2, y - radius - 1)),
        ((x - radius, y + radius + 13, "start"), (x - radius, y + radius + 1, x - radius + wide, y + radius + LINE)),
        ((x + radius, y + radius + 13, "end"), (x + radius - wide, y + radius + 1, x + radius, y + radius + LINE)),
        ((x + radius + 5, y + 4, "start"), (x + radius + 3, y - LINE / 2, x + radius + 5 + wide, y + LINE / 2)),
        ((x - radius - 5, y + 4, "end"), (x - radius - 5 - wide, y - LINE / 2, x - radius - 3, y + LINE / 2)),
    ):
        inside = box[0] >= 2 and box[2] <= WIDTH - 2 and box[1] >= 2 and box[3] <= HEIGHT - 2
        if inside and not any(_overlap(box, other) for other in taken):
            taken.append(box)
            return round(at[0], 1), round(at[1], 1), at[2]
    return None


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Bent a little, so that a line between two sites does not run through those between them."""
    (x1, y1), (x2, y2) = start, end
    bend = 0.08
    middle = (x1 + x2) / 2 - bend * (y2 - y1), (y1 + y2) / 2 + bend * (x2 - x1)
    return f"M{x1} {y1}Q{middle[0]:.1f} {middle[1]:.1f} {x2} {y2}"
