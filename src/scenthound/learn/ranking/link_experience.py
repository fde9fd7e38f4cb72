"""What one page taught of links, for others who never saw it: a few hundred bytes.

| kept | for |
|---|---|
| which link was followed, to which page of which site, how relevant it was | counts, records of lists, what is done |
| the link's features, as they were weighed, and its words | the weights of features, and of words |
| the page's links to other hosts: what each says of itself | whoever these hosts belong to |
| mean and spread of the features over the links that wait, and how many | one scale for all |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import astuple

from scenthound.learn.ranking.link_evidence import SITE, FoundLinks
from scenthound.learn.ranking.own_features import OwnFeatures
from scenthound.learn.relevance.word_places import Hashes
from scenthound.model import Link, Page
from scenthound.protocols.snapshots import Snapshot

VERSION = 2
FOUND = ("links", "values", "words", "blocks", "places")
MOST_FOUND = 64
"""Links to other hosts that are told of a page, the first ones."""

Floats = npt.NDArray[np.float64]


def told_links(
    says: OwnFeatures, page: Page, links: Sequence[Link], found: FoundLinks, depth: int, led: float, home: int
) -> dict[str, Any]:
    """What a page says of its links to other hosts; `home`: the place of its own."""
    chosen = np.flatnonzero(found.places[:, SITE] != home)[:MOST_FOUND].tolist()
    if not chosen:
        return {}
    told = [links[number] for number in chosen]
    texts = says.read(told)
    parts = (
        np.array([found.links[number] for number in chosen], np.int64),
        says(page, told, texts, depth, led),  # whole: whoever hears of them may not have met them
        texts.rows(range(len(told))),
        np.array([link.block for link in told]),
        found.places[chosen],
    )
    return dict(zip(FOUND, parts, strict=True))


class Outcome(Struct):
    """A link was followed: what it looked like, and what came of it. Features and words are None where it was not
    known before it was followed, as a start page."""

    link: int
    page: int
    site: int
    section: int
    start: bool
    relevance: float
    features: Floats | None = None
    words: Hashes | None = None


class Move(Struct):
    """A link redirects: which one, and to where."""

    link: int
    target: int
    home: int  # the site of the link
    site: int
    section: int
    start: bool  # whether it is a start page


class LinkExperience(Struct):
    """Of one page; or of a link that brought none, which is `missed`, or `moved`."""

    outcome: Outcome | None = None
    missed: tuple[int, int] | None = None  # a link, and its section
    found: Callable[[], Mapping[str, Any]] = dict  # arrays named as FOUND says; made when somebody asks for them
    scale: Floats | None = None  # mean and spread of each feature
    waiting: int = 0  # links that the scale was taken of
    moved: Move | None = None

    def packed(self) -> Snapshot:
        moved = list(astuple(self.moved)) if self.moved is not None else None
        values: dict[str, Any] = {"missed": self.missed, "waiting": self.waiting, "moved": moved}
        arrays = {f"found {name}": array for name, array in self.found().items()}
        if self.scale is not None:
            arrays["scale"] = self.scale
        if (outcome := self.outcome) is not None:
            numbers = outcome.link, outcome.page, outcome.site, outcome.section, outcome.start, outcome.relevance
            values["outcome"] = list(numbers)
            if outcome.features is not None and outcome.words is not None:
                arrays |= {"features": outcome.features, "words": outcome.words}
        return Snapshot(VERSION, values, arrays)


def unpacked(snapshot: Snapshot) -> LinkExperience:
    values, arrays = snapshot.of_version(VERSION)
    outcome = None
    if (told := values.get("outcome")) is not None:
        link, page, site, section, start, relevance = told
        outcome = Outcome(link, page, site, section, start, relevance, arrays.get("features"), arrays.get("words"))
    found = {name.removeprefix("found "): array for name, array in arrays.items() if name.startswith("found ")}
    moved = Move(*told) if (told := values["moved"]) is not None else None
    missed = tuple(told) if (told := values["missed"]) is not None else None
    return LinkExperience(outcome, missed, lambda: found, arrays.get("scale"), values["waiting"], moved)
