"""A trail through stored pages, walked in the dashboard: what somebody opened one after the other, to learn from.

Batsakis' training component in a browser window: one follows links from stored page to stored page, and marks the
relevant ones as anywhere else. A trail that is walked is kept with those imported from browsers
(`training/trails.jsonl`), step by step, so that `train` and the learners among the strategies take it as they take
those.
"""

from __future__ import annotations

import time
from pathlib import Path
from threading import Lock

from msgspec import Struct

from scenthound.app.train import TrainedModel, kept_models, train_strategy
from scenthound.app.user_input import canonical
from scenthound.errors import UsageError
from scenthound.learn.graphs.trails import GAP, START, Trail
from scenthound.protocols.crawl import Clock
from scenthound.protocols.library import Library
from scenthound.training.training_store import TrainingStore

LOOKED_BACK = 25
"""Steps among which the page is looked for whose link was followed: nobody goes further back."""

SHOWN = 20


class TrailStep(Struct, frozen=True):
    url: str
    title: str
    origin: int  # the place of the step whose page links here; -1: none, it was opened by other means
    relevance: float | None  # None: not stored
    label: bool | None


class WalkedTrail(Struct, frozen=True):
    begun: float  # unix time; 0: not known
    steps: list[TrailStep]


class TrailsView(Struct, frozen=True):
    """The trail that is being walked, and those that there are."""

    walking: bool
    current: WalkedTrail | None
    trails: list[WalkedTrail]  # the last first, some of them
    number: int  # of all trails
    marked: int  # pages on them of which something was said
    models: list[str]  # strategies that were taught with what this folder has


class TrailWalk:
    """The trails of a folder, and the one that is being walked in it, if somebody does."""

    def __init__(self, folder: Path, clock: Clock = time.time) -> None:
        self.folder = folder
        self._clock = clock
        self._lock = Lock()
        self._trail: Trail | None = None
        self._last = 0.0

    @property
    def walking(self) -> bool:
        return self._trail is not None

    def begin(self) -> None:
        """From here on pages that are opened are steps."""
        with self._lock:
            self._trail, self._last = Trail((), (), self._clock()), self._clock()

    def end(self) -> None:
        with self._lock:
            self._trail = None

    def visit(self, library: Library, url: str) -> None:
        """A page was opened. After half an hour without one, another trail begins."""
        with self._lock:
            if self._trail is None:
                raise UsageError("No trail is being walked. Begin one first.")
            now, url = self._clock(), canonical(url)
            if library.url_row(url) is None:
                raise UsageError(f"{url} is no page of this library, and so no step of a trail through it.")
            if now - self._last > GAP:
                self._trail = Trail((), (), now)
            self._last = now
            if self._trail.urls and self._trail.urls[-1] == url:
                return  # it was only loaded again
            origin = self._origin(library, url)
            self._trail = Trail((*self._trail.urls, url), (*self._trail.origins, origin), self._trail.begun)
            TrainingStore(self.folder).add_trails([self._trail])

    def _origin(self, library: Library, url: str) -> int:
        assert self._trail is not None
        urls = self._trail.urls
        for place in range(len(urls) - 1, max(-1, len(urls) - 1 - LOOKED_BACK), -1):
            if any(link.url == url for link in library.outlinks(urls[place])):
                return place
        return START

    def view(self, library: Library) -> TrailsView:
        store = TrainingStore(self.folder)
        trails, marks = store.trails(), store.marks()
        pages = {url for trail in trails for url in trail.urls}
        latest = sorted(trails, key=lambda trail: -trail.begun)[:SHOWN]
        return TrailsView(
            walking=self.walking,
            current=_walked(self._trail, library, marks) if self._trail is not None else None,
            trails=[_walked(trail, library, marks) for trail in latest],
            number=len(trails),
            marked=sum(url in marks for url in pages),
            models=[model.strategy for model in kept_models(self.folder)],
        )

    def train(self, strategy: str) -> TrainedModel:
        """Teaches a strategy with all there is to learn from in the folder: trails, marks, labelled pages."""
        return train_strategy(self.folder, strategy)


def _walked(trail: Trail, library: Library, marks: dict[str, bool]) -> WalkedTrail:
    steps = []
    for url, origin in zip(trail.urls, trail.origins, strict=True):
        page = library.page(url)
        steps.append(
            TrailStep(url, page.title if page else "", origin, page.relevance if page else None, marks.get(url))
        )
    return WalkedTrail(trail.begun, steps)
