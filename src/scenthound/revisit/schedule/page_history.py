"""What a crawler knows of a page it keeps an eye on: when it looked, and whether something was new."""

from __future__ import annotations

from msgspec import Struct, field

from scenthound.revisit.schedule.change_rates import Observation

DAY = 86_400.0


class Sighting(Struct, frozen=True, gc=False):
    """One look at a page after the first; noise is no change. `modified`: the server's Last-Modified, 0 if unknown."""

    at: float  # unix time
    changed: bool
    modified: float = 0.0


class PageHistory(Struct):
    """A page and the looks at it, in the order of time. Links are those of the copy at hand."""

    url: str
    since: float  # unix time of the first fetch
    sightings: list[Sighting] = field(default_factory=list)
    relevance: float = 1.0  # how much we care, 0..1
    forward: int = 0  # links on it
    backward: int = 0  # stored pages that link to it
    gone: bool = False  # a look showed that it is no longer there

    @property
    def last(self) -> float:
        return self.sightings[-1].at if self.sightings else self.since


def observations(page: PageHistory) -> list[Observation]:
    """The looks as the estimator wants them: days between them, and the age of a change where the server told it."""
    return [
        Observation(
            interval=max(look.at - before, 0.0) / DAY,
            changed=look.changed,
            age=(look.at - look.modified) / DAY if look.changed and look.modified > 0 else None,
        )
        for before, look in zip([page.since, *(look.at for look in page.sightings)], page.sightings, strict=False)
    ]
