"""Trails written down by hand.

    # From the city to the tram museum.                     a comment
    https://example.org/city                                a start
    https://example.org/transport                           clicked on the page above
    <                                                       back to the city
    + https://example.org/city/museums/tram                 from there; relevant
                                                            a blank line ends the trail
    https://example.org/                                    an outline: indented lines
        https://example.org/a                               were reached from the nearest
            + https://example.org/a/tram                    line above that is less so
        - https://example.org/b                             looked at, and not relevant

Whatever stands behind a URL on its line is a note.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct, field

from scenthound import urls
from scenthound.errors import ConfigError
from scenthound.learn.graphs.trails import BACK, START, Trail, click_path

MARKS = {"+": True, "-": False}


class TrailOutline(Struct):
    """The trails of a file, and what it says of their pages."""

    trails: list[Trail] = field(default_factory=list)
    marks: dict[str, bool] = field(default_factory=dict)  # URL -> relevant


class _TrailLine(Struct, frozen=True):
    indent: int
    url: str  # or `<`


def read(text: str, where: str) -> TrailOutline:
    outline = TrailOutline()
    numbered = ((number, line.expandtabs(4)) for number, line in enumerate(text.splitlines(), 1))
    lines = [(number, line) for number, line in numbered if not line.lstrip().startswith("#")]
    for blank, block in groupby(lines, key=lambda entry: not entry[1].strip()):
        if not blank:
            parsed = [each for number, line in block for each in _parse(line, f"{where}, line {number}", outline.marks)]
            if any(line.url != BACK for line in parsed):
                outline.trails.append(_trail(parsed))
    return outline


def _parse(line: str, where: str, marks: dict[str, bool]) -> Iterable[_TrailLine]:
    words = line.split()
    indent = len(line) - len(line.lstrip())
    while words and words[0] == BACK:
        yield _TrailLine(indent, words.pop(0))
    if not words:
        return
    mark = MARKS.get(words[0])
    if mark is not None:
        words.pop(0)
    url = urls.canonical(words[0] if words else "")
    if isinstance(url, urls.Malformed):
        raise ConfigError(
            f"{where}: {line.strip()[:80]!r} is no usable URL: {url.reason}. "
            "A trail has one URL a line, + or - before it, and < for the back button."
        )
    if mark is not None:
        marks[url] = mark
    yield _TrailLine(indent, url)


def _trail(lines: list[_TrailLine]) -> Trail:
    depth = min(line.indent for line in lines)
    if all(line.indent == depth for line in lines):
        return click_path(line.url for line in lines)
    above: list[tuple[int, int]] = []  # (indent, place) of the lines that may lead to the next
    found: list[str] = []
    origins: list[int] = []
    for line in (line for line in lines if line.url != BACK):
        while above and above[-1][0] >= line.indent:
            above.pop()
        origins.append(above[-1][1] if above else START)
        above.append((line.indent, len(found)))
        found.append(line.url)
    return Trail(tuple(found), tuple(origins))
