"""Which pages to look at now: those that were missed once and must be confirmed, then what the policy says.

A page is left alone for an hour after a look; for longer after one that failed, twice as long each time; and after
one that missed it, until a look can confirm that it is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scenthound.library.history import History, Watched
from scenthound.revisit.pagehistory import PageHistory, Sighting
from scenthound.revisit.policies import build
from scenthound.revisit.verdict import CONFIRM, missing_since

Links = Mapping[str, tuple[int, int]]

ALIASES = {"documents": "pvalue"}
LEAST = 0.02
"""Relevance that every page is taken to have: what is off the topic may come to it, and links to what is on it."""

PAUSE = 3600.0
"""Seconds between two looks at a page, whatever a policy says."""

PATIENCE = 6 * 3600.0
"""Seconds after a look that failed before the next one."""

MOST_PATIENCE = 30 * 86_400.0
_TROUBLE = frozenset({"failed", "refused"})
_SEEN = frozenset({"same", "noise", "changed"})


def sort_out(pages: Iterable[Watched], now: float) -> tuple[list[Watched], list[Watched]]:
    """Pages that must be confirmed, longest missed first; and those a policy may choose from."""
    missed: list[tuple[float, Watched]] = []
    free: list[Watched] = []
    for page in pages:
        if now < rests_until(page):
            continue
        since = missing_since(page.looks)
        if since is None:
            free.append(page)
        else:
            missed.append((since, page))
    missed.sort(key=lambda entry: (entry[0], entry[1].seq))
    return [page for _, page in missed], free


def rests_until(page: Watched) -> float:
    """Unix time before which a page is not looked at, whatever a policy says."""
    since = missing_since(page.looks)
    confirm = since + CONFIRM if since is not None else page.checked_at + PAUSE
    failures = 0
    for _, outcome, _ in reversed(page.looks):
        if outcome not in _TROUBLE:
            break
        failures += 1
    pause = min(PATIENCE * 2.0 ** min(failures - 1, 20), MOST_PATIENCE) if failures else 0.0
    return max(confirm, page.looks[-1][0] + pause if failures else 0.0)


def last_look(page: Watched) -> float:
    """When anything was last learned about the page."""
    return max([page.checked_at, *(look.at for look in page.looks if look.outcome not in _TROUBLE)])


def choose(pages: Iterable[Watched], now: float, policy: str, n: int, links: Links | None = None) -> list[Watched]:
    """At most n pages to look at, in order. `links`: of each URL, for a policy that counts them."""
    confirm, free = sort_out(pages, now)
    confirm = confirm[:n]
    by_url = {page.url: page for page in free}
    pasts = [past_of(page, links) for page in free]
    chosen = build(ALIASES.get(policy, policy)).due(pasts, now, n - len(confirm)) if n > len(confirm) else []
    return [*confirm, *(by_url[url] for url in chosen)]


def past_of(page: Watched, links: Links | None = None) -> PageHistory:
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


def count_links(history: History) -> Links:
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
