"""Pages in groups of like content, each named by the terms that tell it from the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from math import log, sqrt

import numpy as np

from scenthound.learn.pages.clusters import ClusteredPages, Terms, k_means, nearest

TERMS = 40
"""Terms of a page that are looked at: those it has most of."""

SAMPLE = 1_000
"""Pages that groups are found with; all others join the nearest."""

MOST = 30
NAMED_BY = 4


def clusters(pages: Sequence[Terms]) -> list[tuple[tuple[str, ...], list[int]]]:
    """The terms that tell each group, and its members; the largest first."""
    if not pages:
        return []
    holding = Counter(term for page in pages for term in page)
    sample = [pages[number * len(pages) // min(len(pages), SAMPLE)] for number in range(min(len(pages), SAMPLE))]
    space = ClusteredPages.of(sample, lambda term: log(1 + len(pages) / holding[term]))
    count = max(1, min(MOST, round(sqrt(len(pages) / 2))))
    _, centres = k_means(space.dense(), count, np.random.default_rng(0), tries=2)
    members: dict[int, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        row = np.zeros((1, len(space.columns)))
        where, weights = space.cells(page)
        row[0, where] = weights
        members[int(nearest(row, centres)[0])].append(number)
    usual = {term for term, number in holding.items() if 2 * number > len(pages)} if len(members) > 1 else set()
    terms = [("" if term in usual else term) for term in space.columns]
    found = [(_name(centres[place], terms), inside) for place, inside in members.items()]
    named: dict[tuple[str, ...], list[int]] = {}
    for name, inside in sorted(found, key=lambda each: (-len(each[1]), each[0])):
        named.setdefault(name, []).extend(inside)
    return list(named.items())


def _name(centre: np.ndarray[tuple[int, ...], np.dtype[np.float64]], terms: list[str]) -> tuple[str, ...]:
    """By what it has most of; words that most pages have tell nothing, and are empty here."""
    best = (terms[column] for column in np.argsort(-centre, kind="stable") if centre[column] > 0)
    return tuple(islice(filter(None, best), NAMED_BY))
