"""What it means that a page is not where it was: missing for now, gone, or moved.

    404, soft 404            missing; gone when a look at least a day later finds the same
    410                      gone at once: the server says so on purpose
    301, 308                 moved at once
    302, 303, 307            missing; moved when a look at least a day later finds the same
    to the front page        as 404: a page did not become the front page

Servers have bad days, and a page called gone is hardly ever looked at again; so one look is not enough. Looks that
failed for another reason (timeouts, 5xx) neither confirm nor deny.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenthound import urls
from scenthound.model import Outcome
from scenthound.protocols.records import LookSummary

CONFIRM = 86_400.0
"""Seconds between the first look that misses a page and the one that may call it gone."""

PERMANENT = frozenset({301, 308})
ABSENT = frozenset({404, 410})
STILL, BACK = "still gone", "back"
"""Kinds of looks at pages that were gone already."""

_SILENT = frozenset({"failed", "refused", "nothing"})

Looks = Sequence[LookSummary]


def missing_since(looks: Looks) -> float | None:
    """When the page was first missed, of the looks that missed it and nothing else since; None if it was there."""
    first = None
    for at, outcome, _ in reversed(looks):
        if outcome in _SILENT:
            continue
        if outcome != "missing":
            break
        first = at
    return first


def absent(looks: Looks, now: float, status: int) -> Outcome:
    """Missing, or gone: for a page that this look did not find."""
    return "gone" if status == 410 or confirmed(looks, now) else "missing"


def confirmed(looks: Looks, now: float) -> bool:
    first = missing_since(looks)
    return first is not None and now - first >= CONFIRM


def is_front_page(url: str) -> bool:
    return urls.path(url) == "/" and "?" not in url


def lost_in_front(url: str, target: str) -> bool:
    """Whether a redirect throws away what was asked for: from a page within a site to a front page."""
    return is_front_page(target) and not is_front_page(url)
