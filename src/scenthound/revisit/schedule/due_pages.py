"""Which pages to look at now: those that were missed once and must be confirmed, then what the policy says.

A page is left alone for an hour after a look; for longer after one that failed, twice as long each time; and after
one that missed it, until a look can confirm that it is gone. What is gone is looked for after a month, two, four ...
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scenthound.protocols.library import StoredPages
from scenthound.protocols.records import WatchedPage
from scenthound.report.formatting import ago, plural
from scenthound.revisit.detect.gone_or_moved import CONFIRM, missing_since
from scenthound.revisit.schedule.page_history import PageHistory, Sighting
from scenthound.revisit.schedule.policies import build

Links = Mapping[str, tuple[int, int]]

ALIASES = {"documents": "pvalue"}
LEAST = 0.02
"""Relevance that every page is taken to have: what is off the topic may come to it, and links to what is on it."""

PAUSE = 3600.0
"""Seconds between two looks at a page, whatever a policy says."""

PATIENCE = 6 * 3600.0
"""Seconds after a look that failed before the next one."""

MOST_PATIENCE = 30 * 86_400.0

RETURN, MOST_RETURN = 30 * 86_400.0, 365 * 86_400.0
"""Seconds until a page that is gone is looked for once more, twice as long each time, up to a year: hosts come back."""

FOR_GONE = 0.05
"""Share of the looks for them, at most."""

_TROUBLE = frozenset({"failed", "refused"})
_SEEN = frozenset({"same", "noise", "changed"})


class SortedPages(NamedTuple):
    """Pages to be confirmed, longest missed first; pages a policy may choose from; pages that may have come back."""

    missed: list[WatchedPage]
    free: list[WatchedPage]
    gone: list[WatchedPage]


def sort_out(pages: Iterable[WatchedPage], now: float, *, rested: bool = True) -> SortedPages:
    missed: list[tuple[float, WatchedPage]] = []
    free: list[WatchedPage] = []
    gone: list[WatchedPage] = []
    for page in pages:
        if rested and now < rests_until(page):
            continue
        since = missing_since(page.looks)
        if page.gone:
            gone.append(page)
        elif since is None:
            free.append(page)
        else:
            missed.append((since, page))
    missed.sort(key=lambda entry: (entry[0], entry[1].seq))
    gone.sort(key=lambda page: (page.looks[-1].at if page.looks else 0.0, page.seq))
    return SortedPages([page for _, page in missed], free, gone)


def rests_until(page: WatchedPage) -> float:
    """Unix time before which a page is not looked at, whatever a policy says."""
    if page.gone:
        times = sum(look.outcome == "gone" for look in page.looks)
        return page.looks[-1].at + min(RETURN * 2.0 ** min(times - 1, 20), MOST_RETURN) if times else 0.0
    since = missing_since(page.looks)
    confirm = since + CONFIRM if since is not None else page.checked_at + PAUSE
    failures = 0
    for _, outcome, _ in reversed(page.looks):
        if outcome not in _TROUBLE:
            break
        failures += 1
    pause = min(PATIENCE * 2.0 ** min(failures - 1, 20), MOST_PATIENCE) if failures else 0.0
    return max(confirm, page.looks[-1][0] + pause if failures else 0.0)


def last_look(page: WatchedPage) -> float:
    """When anything was last learned about the page."""
    return max([page.checked_at, *(look.at for look in page.looks if look.outcome not in _TROUBLE)])


def why_due(page: WatchedPage, now: float) -> str:
    """Why a page is looked at, for a person."""
    if page.gone:
        return "was gone; may be back"
    if missing_since(page.looks) is not None:
        return "was not found; to be confirmed"
    when = ago(now - last_look(page))
    seen = [look for look in page.looks if look.outcome in _SEEN]
    if not seen:
        return f"not looked at since it came, {when}"
    changes = sum(look.outcome == "changed" for look in seen)
    return f"changed in {changes} of {plural(len(seen), 'look')}, the last {when}"


def next_due(pages: Iterable[WatchedPage]) -> float:
    """When the first of them may be looked at again; 0 where there is none."""
    return min((rests_until(page) for page in pages), default=0.0)


def choose(
    pages: Iterable[WatchedPage],
    now: float,
    policy: str,
    n: int,
    links: Links | None = None,
    *,
    rested: bool = True,
) -> list[WatchedPage]:
    """At most n pages to look at, in order. `links`: of each URL, for a policy that counts them.

    Without `rested`, also those that were looked at a moment ago.
    """
    missed, free, gone = sort_out(pages, now, rested=rested)
    first = [*missed, *gone[: math.ceil(n * FOR_GONE)]][:n]
    by_url = {page.url: page for page in free}
    pasts = [past_of(page, links) for page in free]
    chosen = build(ALIASES.get(policy, policy)).due(pasts, now, n - len(first)) if n > len(first) else []
    return [*first, *(by_url[url] for url in chosen)]


def past_of(page: WatchedPage, links: Links | None = None) -> PageHistory:
    """What a policy gets to see of a page. Looks that failed or missed it say nothing about change."""
    sightings: list[Sighting] = []
    for look in page.looks:
        if look.outcome in _SEEN:
            seen = Sighting(look.at, look.outcome == "changed", look.modified_at or 0.0)
            if sightings and look.at - sightings[-1].at < PAUSE:  # its images came later than the page
                last = sightings.pop()
                seen = Sighting(last.at, last.changed or seen.changed, max(last.modified, seen.modified))
            sightings.append(seen)
    forward, backward = (links or {}).get(page.url, (0, 0))
    return PageHistory(page.url, page.first_at, sightings, max(page.relevance, LEAST), forward, backward)


def count_links(history: StoredPages) -> Links:
    """(links on it, stored pages that link to it) of every page."""
    forward: dict[str, int] = {}
    backward: Counter[str] = Counter()
    for url, links in history.graph():
        targets = {link.url for link in links} - {url}
        forward[url] = len(targets)
        backward.update(targets)
    return {url: (count, backward[url]) for url, count in forward.items()}


def counts_links(policy: str) -> bool:
    return ALIASES.get(policy, policy) == "pvalue"
