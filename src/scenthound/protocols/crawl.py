"""Every extension point, on one screen. Implement one of these and the rest of Scenthound works with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from random import Random
from typing import Protocol

from msgspec import Struct

from scenthound.model import Failed, Lessons, Link, Page, Ranked, Refusal, Response, Topic, Visit, Waiting

Clock = Callable[[], float]
Idf = Callable[[str], float]

Progress = Callable[[int, int], None]
"""Told how much is done, and how much there is to do."""


class Context(Struct, frozen=True):
    """All that a strategy or judge may know before the first page: never an answer, never an unfetched page."""

    topic: Topic
    idf: Idf
    random: Random
    examples: tuple[Page, ...] = ()
    counterexamples: tuple[Page, ...] = ()
    lessons: Lessons | None = None  # what there is to train on, for strategies that do
    models: Path | None = None  # where models trained before are kept; read by whoever builds a strategy
    ontology: str = ""  # which one knows what the topic's words mean; see ontology/choosing.py


class Strategy(Protocol):
    """Turns what was visited into a number per waiting link. Register with `@strategy("name")`.

    Optional, found by name:

        train(ground)                  from `context.lessons`, ahead of the crawl; what it learned is in attributes that
                                       end in `_`, which a model file keeps; with such a file it is not trained again.
                                       `can_do_without = True`, where it may crawl untaught
        begin(ground)                  before the first page
        learn(visit)                   after each page, before its links are ranked; the only place to learn: a crawl
                                       that goes on after a restart lets its strategy relive all visits through it
        retopic(ground)                the topic was rebuilt from pages found; a strategy that has neither this nor
                                       `learn` begins anew, others go on as they are
        missed(link)                   a link that brought no page
        rescore(links) -> priorities   of the best links that wait, every `rescore_every` pages (1 where absent)
        gives_up(waiting) -> reason    not to follow, after all, a link whose turn has come; None where it is to be
                                       followed. One that is found again may come back
        merge                          a `MergeRule` for links found again; "max" where absent
        batch                          how many links are taken before ranking goes on
    """

    def rank(self, visit: Visit) -> Sequence[Ranked]: ...


class Judge(Protocol):
    """Says how relevant a page is to the topic, 0..1. Optional: `begin(context)`."""

    def __call__(self, page: Page) -> float: ...


class Fetcher(Protocol):
    """Makes one request: no redirects followed, nothing retried, nothing raised for what the web may do."""

    parallel: int  # how many requests may be under way at once

    async def __call__(self, link: Link) -> Response | Failed: ...

    async def close(self) -> None: ...


class RobotsRules(Protocol):
    """What a host's robots.txt says to us."""

    @property
    def delay(self) -> float | None: ...  # seconds between requests, if it asks for that

    @property
    def expires(self) -> float: ...  # unix time from which it must be read again

    def allows(self, url: str) -> bool: ...


class Frontier(Protocol):
    """Keeps waiting links in order and hosts in peace. Hands out leases; a lease ends with `done`."""

    def put(self, ranked: Sequence[Ranked], depth: int, hops: int = 0) -> list[Waiting]: ...  # rows to store

    def take(self, n: int, now: float, least: float = -inf) -> list[Waiting]: ...  # of priority `least` or more

    def done(self, lease: Waiting, now: float, retry: Waiting | None = None, slow: float = 0.0) -> None: ...

    def rest(self, host: str, until: float) -> None: ...  # ask this host nothing before then

    def robots_request(
        self, link: Link, owner: str, hops: int = 0
    ) -> None: ...  # a robots.txt, fetched for host `owner`

    def rules(self, host: str, rules: RobotsRules) -> None: ...

    def refused(self) -> list[Refusal]: ...  # by robots or limits, since last asked

    def best(self, n: int) -> list[Waiting]: ...

    def rescore(self, priorities: Sequence[tuple[int, float]]) -> list[Waiting]: ...

    def next_time(self, now: float, least: float = -inf) -> float | None: ...  # when to take; None: nothing waits

    def __len__(self) -> int: ...
