"""Spaces without end: URLs that a server makes up as fast as a crawler asks for them.

Some traps can be read off one URL, and are refused at sight:

    /a/b/a/b/a/b          the same segments in a row, three times; one segment in six places
    /x/x1/x2/...          more than 20 segments
    ?a=1&a=2&...          more than 50 parameters, or a query of more than 1,000 characters
    /calendar/2099/05     a calendar that shows years nobody has plans for

Others show only in what they bring. Visits are counted by host and by the *shape* of the URL, which is the URL with
its numbers, its last name and the values of its query left out:

    http://h.test/day/2026-11-15/r7?month=3&view=day    /day/0/*?month&view

    near-duplicates   of the last 40 to 80 visits of a shape, 80 % repeated a stored page
                      of the last 100 to 200 visits of a host, 90 % did
    calendar          45 visits of a shape in a row asked for a date and nothing else, found nothing relevant, and
                      brought no new links but to other dates

Pages that only lead on to each other are left sooner, whatever their URLs look like: see `barren_lines`.

A shape is judged by its recent visits, so one that betters itself (links to it may still be waiting) is let go again.
On 125,000 URLs of three real webs the rules that need no learning refuse none.

What is remembered is bounded: the hosts visited last, and for each the shapes visited last. It has snapshots.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from scenthound import urls
from scenthound.protocols.crawl import Clock
from scenthound.protocols.snapshots import Snapshot

MAX_SEGMENTS = 20
MAX_PARAMETERS = 50
MAX_QUERY = 1_000
SAME_SEGMENT = 6  # Jenkins writes /job/a/job/b/job/c/job/d
IN_A_ROW = 3
LONGEST_UNIT = 4  # segments in a sequence that is looked for in a row

SHAPE_VISITS, SHAPE_SHARE = 40, 0.8
HOST_VISITS, HOST_SHARE = 100, 0.9
FRUITLESS_DATES = 45
YEARS_AHEAD = 2
FIRST_YEAR = 2026  # no crawl was earlier, whatever its clock says: those of experiments begin at 0

MAX_HOSTS = 4_096
SHAPES_A_HOST = 32
MAX_SHAPE = 160  # characters

_DATE = r"(?:0[1-9]|1[0-2]|[1-9](?!\d))(?:[-/_.]?(?:[012]\d|3[01]|\d))?(?!\d)"  # what may follow a year
_DATE_KEY = r"(?:^|[?&])(?:[a-z_\-]*(?:year|month|week|date|day|cal)[a-z_\-]*|yr?|mon)="
_number = re.compile(r"[^/]*\d[^/]*")
_numbers = re.compile(r"(?:/0){2,}")
_date_at_end = re.compile(rf"(?<!\d)(?:1[5-9]|2\d)\d\d[-/_.]?{_DATE}(?:/|\.[a-z]{{2,5}})?$")
_date_asked = re.compile(rf"{_DATE_KEY}\d", re.IGNORECASE)
_year = re.compile(r"2[01]\d\d")
_date = re.compile(rf"[/_\-](\d{{4}})[-/_.]?{_DATE}|{_DATE_KEY}(\d{{4}})", re.IGNORECASE)
_calendar = re.compile(
    r"(?<![a-z])(?:calendar|kalender|agenda|event|termine|schedule|cal|date|year|month|week|day)s?(?![a-z])|[?&]yr?=",
    re.IGNORECASE,
)


class _Record:
    """What one shape, or one host, brought of late. The counts are halved when they reach twice the `visits` needed."""

    __slots__ = ("duplicates", "fruitless", "visits")

    def __init__(self, visits: int = 0, duplicates: int = 0, fruitless: int = 0) -> None:
        self.visits = visits
        self.duplicates = duplicates
        self.fruitless = fruitless  # visits in a row that asked for a date and brought nothing but other dates

    def figures(self) -> tuple[int, int, int]:
        return self.visits, self.duplicates, self.fruitless

    def add(self, duplicate: bool, fruitless: bool, enough: int) -> None:
        if self.visits >= 2 * enough:
            self.visits //= 2
            self.duplicates //= 2
        self.visits += 1
        self.duplicates += duplicate
        self.fruitless = self.fruitless + 1 if fruitless else 0


class _Host(_Record):
    __slots__ = ("shapes", "trapped")

    def __init__(self, visits: int = 0, duplicates: int = 0, fruitless: int = 0) -> None:
        super().__init__(visits, duplicates, fruitless)
        self.shapes: dict[str, _Record] = {}  # the shape visited last stands last
        self.trapped: dict[str, str] = {}  # shape -> reason; "" stands for the whole host

    def shape(self, name: str) -> _Record:
        record = self.shapes.pop(name, None) or _Record()
        if len(self.shapes) >= SHAPES_A_HOST:
            # Shapes known as traps are visited no more; they would be the first to be forgotten, and sprung again.
            oldest = next((known for known in self.shapes if known not in self.trapped), next(iter(self.shapes)))
            del self.shapes[oldest]
            self.trapped.pop(oldest, None)
        self.shapes[name] = record
        return record


class Traps:
    """Says which links lead into a trap. `learn` from every visit; ask `refuses` for every link. URLs are canonical."""

    def __init__(self, clock: Clock = time.time) -> None:
        self._last_year = max(datetime.fromtimestamp(clock(), UTC).year, FIRST_YEAR) + YEARS_AHEAD
        self._hosts: dict[str, _Host] = {}  # the host visited last stands last
        self._trapped: dict[str, dict[str, str]] = {}  # host -> its traps, of hosts that have any
        self.known = 0  # grows whenever what `refuses` says changes

    def refuses(self, url: str) -> str | None:
        """Why the link is not followed, or None. Nearly every link costs a look at its length and its slashes."""
        if (len(url) > 110 or url.count("/") > 6) and (reason := _endless(url)) is not None:
            return reason
        for year in _year.findall(url, 8):
            if int(year) > self._last_year and _is_calendar(url, year):
                return f"trap: a calendar that shows {year}"
        if self._trapped and (traps := self._trapped.get(urls.host(url))) is not None:
            return traps.get("") or traps.get(shape(url))
        return None

    def learn(self, url: str, *, duplicate: bool, relevant: bool, new: Sequence[str] = ()) -> None:
        """Take note of a visit: whether it nearly repeats a stored page, is on the topic, and which links are new."""
        name = urls.host(url)
        host = self._hosts.pop(name, None) or _Host()
        if len(self._hosts) >= MAX_HOSTS:
            self._forget(next(iter(self._hosts)))
        self._hosts[name] = host
        before = host.trapped.copy()
        form = shape(url)
        record = host.shape(form)
        fruitless = (duplicate or not relevant) and bool(new) and is_dated(url) and all(map(is_dated, new))
        record.add(duplicate, fruitless, SHAPE_VISITS)
        host.add(duplicate, False, HOST_VISITS)
        self._judge(host, form, _verdict(record, form))
        self._judge(host, "", _verdict_on_host(host))
        self.known += host.trapped != before
        if host.trapped:
            self._trapped[name] = host.trapped
        else:
            self._trapped.pop(name, None)

    def _judge(self, host: _Host, form: str, reason: str | None) -> None:
        if reason is not None:
            host.trapped[form] = reason
        elif host.trapped:
            host.trapped.pop(form, None)

    def _forget(self, name: str) -> None:
        del self._hosts[name]
        self.known += self._trapped.pop(name, None) is not None

    # Going on

    def snapshot(self) -> Snapshot:
        hosts = [
            [name, host.figures(), [[form, *shape.figures()] for form, shape in host.shapes.items()], host.trapped]
            for name, host in self._hosts.items()
        ]
        return Snapshot(1, {"hosts": hosts})

    def restore(self, snapshot: Snapshot) -> None:
        values, _ = snapshot.of_version(1)
        self._hosts, self._trapped = {}, {}
        for name, figures, shapes, trapped in values["hosts"]:
            host = self._hosts[name] = _Host(*figures)
            host.shapes = {form: _Record(*counts) for form, *counts in shapes}
            host.trapped = dict(trapped)
            if host.trapped:
                self._trapped[name] = host.trapped
        self.known += 1


def shape(url: str) -> str:
    """What URLs that one program makes have in common: `/day/0/*?month&view`."""
    start = url.find("/", 8)
    path, _, query = url[start:].partition("?") if start >= 0 else ("/", "", "")
    directory, _, last = path.rpartition("/")
    if any(map(str.isdigit, directory)):
        directory = _numbers.sub("/0", _number.sub("0", directory))
    name = f"{directory}/{_kind_of(last)}" if last else f"{directory}/"
    if query:
        keys = dict.fromkeys(pair.partition("=")[0] for pair in query.split("&", MAX_PARAMETERS))
        name = f"{name}?{'&'.join(sorted(keys))}"
    return name[:MAX_SHAPE]


def _kind_of(last: str) -> str:
    """`0` for a number or a date, `*` for any other name, with the extension it has."""
    name, dot, extension = last.rpartition(".")
    if not dot or len(extension) > 5 or not extension.isalpha():
        name, extension = last, ""
    kind = "*" if name.upper() != name.lower() else "0"
    return f"{kind}.{extension}" if extension else kind


def _verdict(record: _Record, form: str) -> str | None:
    if record.visits >= SHAPE_VISITS and record.duplicates >= SHAPE_SHARE * record.visits:
        return f"trap: endless near-duplicates of the form {form}"
    if record.fruitless >= FRUITLESS_DATES:
        return f"trap: a calendar without end, of the form {form}"
    return None


def _verdict_on_host(host: _Host) -> str | None:
    if host.visits >= HOST_VISITS and host.duplicates >= HOST_SHARE * host.visits:
        return "trap: endless near-duplicates on this host"
    return None


def is_dated(url: str) -> bool:
    """Whether the URL asks for a date and nothing else: `/2026/11/`, `/day/2026-11-15.html`, `?year=2026&month=11`."""
    path, _, query = url[8:].partition("?")
    return _date_at_end.search(path) is not None or (bool(query) and _date_asked.search(query) is not None)


def _is_calendar(url: str, year: str) -> bool:
    """Whether the year is part of a date, and the URL speaks of dates: four digits alone are more often a number."""
    return any(year in found for found in _date.findall(url, 8)) and _calendar.search(url, 8) is not None


def _endless(url: str) -> str | None:
    """The reason of the rules that need no learning, for URLs long enough to break one."""
    path, _, query = url.partition("?")
    if len(query) > MAX_QUERY:
        return f"trap: a query of {len(query)} characters"
    if query.count("&") >= MAX_PARAMETERS:
        return f"trap: {query.count('&') + 1} parameters"
    segments = path.split("/")[3:]
    if len(segments) > MAX_SEGMENTS:
        return f"trap: a path of {len(segments)} segments"
    if len(segments) - len(set(segments)) >= IN_A_ROW - 1 and _repeats(segments):
        return "trap: a path that repeats itself"
    return None


def _repeats(segments: list[str]) -> bool:
    words = [segment for segment in segments if segment]
    if any(words.count(word) >= SAME_SEGMENT for word in set(words)):
        return True
    for unit in range(1, LONGEST_UNIT + 1):
        row = 0  # segments in a row that equal the one `unit` places before
        for before, segment in zip(words, words[unit:], strict=False):
            row = row + 1 if before == segment else 0
            if row >= (IN_A_ROW - 1) * unit and not (unit == 1 and segment.isdigit()):
                return True
    return False
