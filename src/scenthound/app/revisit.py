"""Keeping a library fresh: rounds of looks at its pages, as the command line and a dashboard start them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from scenthound import config as toml
from scenthound.app.crawl_plan import SETTINGS
from scenthound.app.events import Checked, Event, Listener, observer
from scenthound.app.show import find_page
from scenthound.app.user_input import stored_spelling
from scenthound.config import Config
from scenthound.errors import LibraryMissing, UsageError
from scenthound.library import is_library, open_library
from scenthound.protocols.crawl import Progress
from scenthound.protocols.records import WatchedPage
from scenthound.revisit.detect.image_code import require_decoder
from scenthound.revisit.rounds import RevisitOptions, RevisitRound, Revisits, budgeted, due_now
from scenthound.revisit.schedule.due_pages import ALIASES, next_due, why_due
from scenthound.revisit.schedule.policies import revisit_policy

REQUESTS = 100
"""Of a round that nothing else limits."""


def policies() -> list[str]:
    """How pages may be chosen."""
    return [*revisit_policy.names(), *ALIASES]


def check_options(options: RevisitOptions) -> RevisitOptions:
    """The options, with a limit if they have none. Refuses what cannot work."""
    if options.urls:
        options = msgspec.structs.replace(options, discover=0.0, requests=options.requests or 2 * len(options.urls))
    revisit_policy.get(ALIASES.get(options.policy, options.policy))
    if options.images:
        require_decoder()
    limited = options.requests or options.seconds or options.every
    return options if limited else msgspec.structs.replace(options, requests=REQUESTS)


def revisit_settings(folder: Path) -> Config:
    if not is_library(folder):
        raise LibraryMissing(f"There is no library in {folder}. Start one with: scenthound crawl TOPIC --into {folder}")
    if not (folder / SETTINGS).is_file():
        raise UsageError(f"{folder} has lost its topic.toml, and so what its pages are judged by.")
    return toml.load(folder / SETTINGS)


def make_revisits(
    folder: Path,
    options: RevisitOptions,
    *,
    listeners: Sequence[Listener] = (),
    choosing: Progress | None = None,
    looking: Progress | None = None,
) -> Revisits:
    """Rounds of looks, ready to run and to be stopped.

    `choosing` is told how far the choice of pages is, `looking` how many of the pages due were looked at.
    """
    config = revisit_settings(folder)
    if config.fetch.demo:
        raise UsageError("The demo's web never changes. Revisit a library of the live web.")
    rounds = Revisits(config, folder, options, progress=choosing)
    rounds.observers += [observer(listener) for listener in listeners]
    if looking is not None:
        rounds.observers.append(observer(_Looks(rounds, looking)))
    return rounds


class _Looks:
    """Counts the looks of a round."""

    def __init__(self, rounds: Revisits, progress: Progress) -> None:
        self._rounds = rounds
        self._progress = progress
        self._due: list[WatchedPage] = []
        self._done = 0

    def __call__(self, event: Event) -> None:
        if self._rounds.due is not self._due:  # another round
            self._due, self._done = self._rounds.due, 0
        if isinstance(event, Checked):
            self._done += 1
            self._progress(self._done, max(self._done, len(self._due)))


def due_pages(folder: Path, options: RevisitOptions) -> list[WatchedPage]:
    """What a round would ask for now."""
    revisit_settings(folder)
    with open_library(folder, write=False) as history:
        return list(due_now(history, budgeted(options, history), time.time()))


def pages_meant(folder: Path, given: Sequence[str]) -> tuple[str, ...]:
    """The stored pages that a person names, in the library's spelling."""
    with open_library(folder, write=False) as library:
        return tuple(find_page(library, stored_spelling(library, text)).url for text in given)


def next_look(folder: Path) -> float:
    """When the first page may be looked at again; 0 where there is none to look at."""
    with open_library(folder, write=False) as history:
        return next_due(history.watched())


def planned_times(pages: Sequence[WatchedPage], delay: float) -> list[float]:
    """Seconds from now at which each is asked for at the earliest: a host is asked one thing at a time."""
    turns: Counter[str] = Counter()
    times = []
    for page in pages:
        times.append(turns[page.host] * delay)
        turns[page.host] += 1
    return times


def plain_round(outcome: RevisitRound, again: float = 0.0) -> dict[str, Any]:
    """A round as plain data; `again`: when the next one is."""
    plain: dict[str, Any] = msgspec.to_builtins(outcome)
    return plain | {"looks": dict(outcome.looks), "next": again or None}


def plain_due(page: WatchedPage, wait: float, now: float) -> dict[str, Any]:
    return {
        "url": page.url,
        "in": wait,
        "why": why_due(page, now),
        "relevance": page.relevance,
        "checked_at": page.checked_at,
        "looks": [[look.at, look.outcome] for look in page.looks],
    }
