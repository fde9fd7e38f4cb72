"""The graph to learn from as a page to look at: a column a state, the targets to the right. No script, no network.

Every page is a dot that tells its title; links are faint curves. A column shows at most `MOST_DOTS` pages and the
picture at most `MOST_EDGES` links, evenly chosen, and says so: what one wants to see is the shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from random import Random

from scenthound.learn.graphs.hops import NO_WAY
from scenthound.model import Lessons, Page
from scenthound.report.charts import bar, thinned
from scenthound.report.crawl_page import POLICY
from scenthound.report.formatting import plural
from scenthound.report.markup import Html, el, join, safe_href, short

MOST_DOTS = 240
MOST_EDGES = 2500
SAMPLES = 12
LONGEST_TITLE = 60

WIDTH, HEIGHT, MARGIN, TOP = 1040, 620, 70, 34

STYLE = """
.web { width: 100%; height: auto; margin-top: 18px; display: block; }
.web path { fill: none; stroke: var(--soft); stroke-width: .6; opacity: .16; }
.web circle { fill: var(--rest); stroke: var(--card); stroke-width: .8; }
.web .s0 { fill: var(--good); } .web .s1 { fill: var(--good); opacity: .62; } .web .s2 { fill: var(--warn); }
.web .none { fill: none; stroke: var(--soft); }
.web text { fill: var(--soft); font-size: 13px; text-anchor: middle; }
.web text.strong { fill: var(--ink); font-weight: 600; }
.ways td { border-top: 1px solid var(--faint); }
.ways .pill { min-width: 30px; margin-right: 4px; }
.ways .arrow { color: var(--soft); padding: 0 4px; }
"""


def name_of(state: int) -> str:
    """`T0`, `T1`, ... as the papers write them."""
    return f"T{state}" if state >= 0 else "no way"


def told(page: Page) -> str:
    """What a page is called."""
    return short(" ".join(page.title.split()), LONGEST_TITLE) or short(page.url, LONGEST_TITLE)


def counts(lessons: Lessons) -> list[tuple[int, int]]:
    """(state, number of pages) from the targets outwards; pages with no way to a target come last."""
    counted = Counter(lessons.states)
    return sorted(counted.items(), key=lambda entry: (entry[0] == NO_WAY, entry[0]))


def samples(lessons: Lessons, number: int, seed: int = 0) -> list[tuple[int, ...]]:
    """Some sequences, drawn at random; the same for the same seed."""
    drawn = Random(seed).sample(range(len(lessons.sequences)), min(number, len(lessons.sequences)))
    return [lessons.sequences[place] for place in sorted(drawn)]


def render(lessons: Lessons, title: str) -> str:
    """The whole page."""
    css = files("scenthound.report").joinpath("report.css").read_text(encoding="utf-8")
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", f"{short(title, 120)} – what there is to learn from"),
        el("style", Html(css + STYLE)),
    )
    about = (
        f"{plural(len(lessons.pages), 'page')}, {plural(len(lessons.edges), 'link')} among them, "
        f"{plural(len(lessons.targets), 'target')}, "
        f"{len(lessons.sequences):,} sequences."
    )
    header = el(
        "header",
        el("p", "Scenthound training data", class_="brand"),
        el("h1", short(title, 160)),
        el("p", about, class_="lead"),
    )
    grid = el("div", _web(lessons), _states(lessons), _targets(lessons), _ways(lessons), class_="grid")
    return f"<!doctype html>\n{el('html', head, el('body', el('main', header, grid)), lang='en')}\n"


def _section(title: str, note: str, *content: Html, wide: bool = False) -> Html:
    return el("section", el("h2", title), el("p", note, class_="note"), *content, class_="wide" if wide else None)


def _web(lessons: Lessons) -> Html:
    columns = [state for state, _ in reversed(counts(lessons))]
    spots: dict[int, tuple[float, float]] = {}
    labels: list[Html] = []
    for column, state in enumerate(columns):
        members = [number for number, other in enumerate(lessons.states) if other == state]
        x = WIDTH / 2 if len(columns) == 1 else MARGIN + column * (WIDTH - 2 * MARGIN) / (len(columns) - 1)
        spots.update(_column([members[place] for place in thinned(len(members), MOST_DOTS)], x))
        labels.append(el("text", name_of(state), x=round(x), y=16, class_="strong"))
        labels.append(el("text", f"{len(members):,}", x=round(x), y=HEIGHT + TOP + 20))
    edges = [edge for edge in lessons.edges if edge[0] in spots and edge[1] in spots]
    shown = [edges[place] for place in thinned(len(edges), MOST_EDGES)]
    drawing = el(
        "svg",
        el("title", "The graph"),
        el("path", d="".join(_curve(spots[start], spots[end]) for start, end in shown)),
        *(_dot(lessons, number, spot) for number, spot in spots.items()),
        *labels,
        viewBox=f"0 0 {WIDTH} {HEIGHT + TOP + 30}",
        role="img",
        class_="web",
    )
    note = "A dot is a page, in the column of its state: how many links it is from a target, T0. Curves are links."
    if len(spots) < len(lessons.pages) or len(shown) < len(lessons.edges):
        note += f" {len(spots):,} of the pages and {len(shown):,} of the links are shown."
    return _section("The web around the targets", note, drawing, wide=True)


def _column(members: Sequence[int], x: float) -> dict[int, tuple[float, float]]:
    """Dots from top to bottom, swaying a little to both sides, so that links within a column can be seen."""
    step = HEIGHT / (len(members) + 1)
    sways = (0, 14, -14, 28, -28, 7, -21)
    return {
        number: (x + (sways[place % len(sways)] if len(members) > 12 else 0), TOP + (place + 1) * step)
        for place, number in enumerate(members)
    }


def _curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A bow; within a column it leaves and comes back on the left."""
    bend = (start[0] + end[0]) / 2 if abs(start[0] - end[0]) > 60 else min(start[0], end[0]) - 46
    return f"M{start[0]:.0f} {start[1]:.0f}C{bend:.0f} {start[1]:.0f} {bend:.0f} {end[1]:.0f} {end[0]:.0f} {end[1]:.0f}"


def _dot(lessons: Lessons, number: int, spot: tuple[float, float]) -> Html:
    page, state = lessons.pages[number], lessons.states[number]
    kind = "none" if state == NO_WAY else f"s{min(state, 3)}"
    tip = el("title", f"{name_of(state)}: {told(page)}\n{page.url}")
    return el("circle", tip, cx=f"{spot[0]:.1f}", cy=f"{spot[1]:.1f}", r=5.5 if state == 0 else 4, class_=kind)


def _states(lessons: Lessons) -> Html:
    counted = counts(lessons)
    most = max((number for _, number in counted), default=1)
    rows = [
        el(
            "tr",
            el("td", name_of(state)),
            el("td", bar(number if state == 0 else 0, number, most), class_="track"),
            el("td", el("b", f"{number:,}"), class_="number"),
        )
        for state, number in counted
    ]
    return _section("States", "Links to the nearest target, and how many pages have it so.", _table(rows, "bars"))


def _targets(lessons: Lessons) -> Html:
    targets = lessons.targets
    rows = [el("tr", el("td", _linked(page))) for page in targets[:SAMPLES]]
    note = f"The first {SAMPLES} of {len(targets):,}." if len(targets) > SAMPLES else "All of them."
    return _section("Targets", note, _table(rows))


def _ways(lessons: Lessons) -> Html:
    rows = []
    for way in samples(lessons, SAMPLES):
        parts: list[Html] = []
        for number in way:
            parts += [el("span", " → ", class_="arrow")] if parts else []
            parts += [
                el("span", name_of(lessons.states[number]), class_="pill"),
                el("span", told(lessons.pages[number])),
            ]
        rows.append(el("tr", el("td", *parts)))
    return _section("Sequences", "Some of the ways a model is trained on.", _table(rows, "ways"), wide=True)


def _table(rows: Sequence[Html], kind: str | None = None) -> Html:
    return el("table", *rows, class_=kind) if rows else el("p", "None.", class_="empty")


def _linked(page: Page) -> Html:
    href = safe_href(page.url)
    name = told(page)
    titled = el("a", name, href=href, class_="page", rel="noopener noreferrer nofollow") if href else el("span", name)
    return join(titled, el("span", short(page.url, 110), class_="address"))
