"""Pages that change together count as one: a commit that touches a hundred pages is one event, not a hundred.

A test that pairs policies page by page takes pages as independent, and where one commit changed many of them it finds
differences that are none. So pages are put into groups, by single linkage: two whose changes fall at the same moments,
at least `SHARED` of all moments of both, are in one group. What is compared are then the means of the groups.

    share(p, q) = moments at which both changed / moments at which either did
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

SHARED = 0.5


def commit_groups(changes: Mapping[str, Sequence[Hashable]], shared: float = SHARED) -> list[list[str]]:
    """URLs in groups, by the moments at which each changed. A page that never changed stands alone."""
    moments = {url: frozenset(each) for url, each in changes.items()}
    at: dict[Hashable, list[str]] = defaultdict(list)
    for url, each in moments.items():
        for moment in each:
            at[moment].append(url)
    leader = {url: url for url in moments}

    def top(url: str) -> str:
        while leader[url] != url:
            leader[url] = leader[leader[url]]
            url = leader[url]
        return url

    for together in at.values():
        for one in together:
            for other in together:
                if top(one) != top(other) and _alike(moments[one], moments[other]) >= shared:
                    leader[top(other)] = top(one)
    groups: dict[str, list[str]] = defaultdict(list)
    for url in moments:
        groups[top(url)].append(url)
    return list(groups.values())


def group_means(values: Mapping[str, float], groups: Sequence[Sequence[str]]) -> dict[str, float]:
    """The mean of each group, named by its first page; pages without a value are left out."""
    found: dict[str, float] = {}
    for group in groups:
        known = [values[url] for url in group if url in values and values[url] == values[url]]
        if known:
            found[group[0]] = sum(known) / len(known)
    return found


def _alike(some: frozenset[Hashable], others: frozenset[Hashable]) -> float:
    return len(some & others) / len(some | others)
