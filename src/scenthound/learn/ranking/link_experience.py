"""What one page taught of links, for others who never saw it: a few hundred bytes.

| kept | for |
|---|---|
| which link was followed, to which page of which site, how relevant it was | counts, records of lists, what is done |
| the link's features, as they were weighed, and its words | the weights of features, and of words |
| the page's links to other hosts: what each says of itself | whoever these hosts belong to |
| mean and spread of the features over the links that wait, and how many | one scale for all |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scenthound.learn.relevance.word_places import Hashes
from scenthound.protocols.snapshots import Snapshot

VERSION = 1
FOUND = ("links", "values", "words", "blocks", "hosts")
MOST_FOUND = 64
"""Links to other hosts that are told of a page, the first ones."""

Floats = npt.NDArray[np.float64]


class Outcome(Struct):
    """A link was followed: what it looked like, and what came of it. Features and words are None where it was not
    known before it was followed, as a start page."""

    link: int
    page: int
    site: int
    start: bool
    relevance: float
    features: Floats | None = None
    words: Hashes | None = None


class LinkExperience(Struct):
    """Of one page; or of a link that brought none, which is `missed`."""

    outcome: Outcome | None = None
    missed: int | None = None
    found: Callable[[], Mapping[str, Any]] = dict  # arrays named as FOUND says; made when somebody asks for them
    scale: Floats | None = None  # mean and spread of each feature
    waiting: int = 0  # links that the scale was taken of

    def packed(self) -> Snapshot:
        values: dict[str, Any] = {"missed": self.missed, "waiting": self.waiting}
        arrays = {f"found {name}": array for name, array in self.found().items()}
        if self.scale is not None:
            arrays["scale"] = self.scale
        if (outcome := self.outcome) is not None:
            values["outcome"] = [outcome.link, outcome.page, outcome.site, outcome.start, outcome.relevance]
            if outcome.features is not None and outcome.words is not None:
                arrays |= {"features": outcome.features, "words": outcome.words}
        return Snapshot(VERSION, values, arrays)


def unpacked(snapshot: Snapshot) -> LinkExperience:
    values, arrays = snapshot.of_version(VERSION)
    outcome = None
    if (told := values.get("outcome")) is not None:
        link, page, site, start, relevance = told
        outcome = Outcome(link, page, site, start, relevance, arrays.get("features"), arrays.get("words"))
    found = {name.removeprefix("found "): array for name, array in arrays.items() if name.startswith("found ")}
    return LinkExperience(outcome, values["missed"], lambda: found, arrays.get("scale"), values["waiting"])
