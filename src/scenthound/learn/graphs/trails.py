"""A person's browsing as lessons (Batsakis 2.5, 3.4; Liu 7.1).

    visits as a browser notes them ──sessions──▶ trails ──lessons──▶ pages, edges, states, sequences

A trail is what was visited in one sitting: pages in order, each with the step it was reached from. One goes back, opens
three links of a page in tabs, types an address in between; so a trail is a tree rather than a line, and its sequences
are the chains from a start to where the person turned back. The trail graph is all steps of all trails together, and
the state of a page is how many hops it is from a relevant page *there*: what was not clicked is no edge.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from scenthound.learn.graphs.hops import Edge, hops
from scenthound.model import Lessons, Page

GAP = 30 * 60.0
"""Seconds without a visit after which a new trail begins."""

BACK = "<"
"""The back button, in a click path."""

START = -1
"""The origin of a step that no other led to."""


class Trail(Struct, frozen=True):
    """One sitting. `origins[i]` is the place of the step that led to `urls[i]`, START for none; always below i."""

    urls: tuple[str, ...]
    origins: tuple[int, ...]
    begun: float = 0.0  # unix time of the first step; 0: not known


class Click(Struct, frozen=True):
    """A visit as a browser's history has it."""

    key: int
    url: str
    at: float  # unix time
    origin: int = 0  # key of the visit that led here; 0: none
    redirect: bool = False  # `origin` only passed on to this one, by a redirect


def click_path(steps: Iterable[str], begun: float = 0.0) -> Trail:
    """The trail of clicks one after the other, `<` for the back button, as the lab's topics have them.

    A B < C is A to B, and from A to C. Going back from the start stays there.
    """
    urls: list[str] = []
    origins: list[int] = []
    way: list[int] = []
    for step in steps:
        if step == BACK:
            del way[max(1, len(way) - 1) :]
            continue
        if way and urls[way[-1]] == step:
            continue
        origins.append(way[-1] if way else START)
        way.append(len(urls))
        urls.append(step)
    return Trail(tuple(urls), tuple(origins), begun)


def sessions(clicks: Iterable[Click], keep: Callable[[str], bool] = bool, gap: float = GAP) -> list[Trail]:
    """Trails from a browser's visits. What `keep` refuses is in none of them, and what it led to begins anew.

    A page that was only a redirect is left out, and the page it led to takes its place. A reload is no step.
    """
    ordered = sorted(clicks, key=lambda click: (click.at, click.key))
    redirected = _Redirects(ordered)
    trails: list[Trail] = []
    sitting = _Session()
    last = 0.0
    for click in ordered:
        if click.at - last > gap and sitting.urls:
            trails.append(sitting.trail())
            sitting = _Session()
        last = click.at
        if not redirected.passed_on(click.key) and keep(click.url):
            sitting.add(click, redirected.origin(click))
    if sitting.urls:
        trails.append(sitting.trail())
    return trails


def narrowed(trail: Trail, keep: Callable[[str], bool]) -> Trail:
    """The trail without the steps that `keep` refuses; what they led to begins anew."""
    place: dict[int, int] = {}
    kept = [step for step, url in enumerate(trail.urls) if keep(url)]
    for step in kept:
        place[step] = len(place)
    origins = tuple(place.get(trail.origins[step], START) for step in kept)
    return Trail(tuple(trail.urls[step] for step in kept), origins, trail.begun)


class _Redirects:
    """Which visits were passed on by a redirect, to which, and where the last of them really came from."""

    def __init__(self, clicks: Sequence[Click]) -> None:
        self._clicks = {click.key: click for click in clicks}
        self._passed = {
            click.origin: click.key
            for click in clicks
            if click.redirect and click.origin in self._clicks and click.origin != click.key
        }

    def passed_on(self, key: int) -> bool:
        return key in self._passed

    def origin(self, click: Click) -> int:
        """The key of the visit that led here, redirects on the way skipped; 0: none."""
        met = {click.key}
        while click.redirect and click.origin in self._clicks and click.origin not in met:
            met.add(click.origin)
            click = self._clicks[click.origin]
        origin = click.origin
        while origin in self._passed and origin not in met:
            met.add(origin)
            origin = self._passed[origin]
        return origin


class _Session:
    """A trail in the making."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.origins: list[int] = []
        self.begun = 0.0
        self._place: dict[int, int] = {}

    def add(self, click: Click, origin: int) -> None:
        place = self._place.get(origin, START) if origin else START
        if place != START and self.urls[place] == click.url:
            self._place[click.key] = place
            return
        self.begun = self.begun or click.at
        self._place[click.key] = len(self.urls)
        self.urls.append(click.url)
        self.origins.append(place)

    def trail(self) -> Trail:
        return Trail(tuple(self.urls), tuple(self.origins), self.begun)


def lessons(trails: Sequence[Trail], pages: Mapping[str, Page], relevant: Collection[str]) -> Lessons:
    """What the trails teach. `pages`: what is known of each URL visited; a step without its page is left out.

    Two URLs with the same page (one redirects to the other) are one page. A chain breaks where a page is missing: to
    bridge the gap would claim a link that is not there, and a distance that is too short.
    """
    place: dict[str, int] = {}
    found: list[Page] = []
    targets: list[int] = []
    for url in (url for trail in trails for url in trail.urls if url in pages):
        page = pages[url]
        if page.url not in place:
            place[page.url] = len(found)
            found.append(page)
        if url in relevant or page.url in relevant:
            targets.append(place[page.url])

    def number(url: str) -> int | None:
        return place[pages[url].url] if url in pages else None

    edges: dict[Edge, None] = {}
    sequences: list[tuple[int, ...]] = []
    for trail in trails:
        for chain in chains(trail):
            for way in _whole_parts([number(trail.urls[step]) for step in chain]):
                edges.update(dict.fromkeys(pairwise(way)))
                sequences.append(way)
    return Lessons(tuple(found), tuple(edges), hops(len(found), edges, targets), tuple(sequences))


def chains(trail: Trail) -> Iterator[list[int]]:
    """The ways of a trail from a start to each step that led nowhere further, as places in it."""
    led_on = set(trail.origins)
    for step in range(len(trail.urls)):
        if step in led_on:
            continue
        chain = [step]
        while (origin := trail.origins[chain[-1]]) != START:
            chain.append(origin)
        yield chain[::-1]


def _whole_parts(way: Sequence[int | None]) -> Iterator[tuple[int, ...]]:
    """The stretches of two or more pages between missing ones; a page that follows itself counts once."""
    part: list[int] = []
    for page in (*way, None):
        if page is None:
            if len(part) > 1:
                yield tuple(part)
            part = []
        elif not part or part[-1] != page:
            part.append(page)
