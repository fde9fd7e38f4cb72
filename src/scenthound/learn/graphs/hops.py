"""How far it is to a target: the hidden state of a page (Batsakis 2.5, Liu 3.1).

    state(p) = fewest hops along edges from p to a target;  0 for a target;  -1 where no way leads to one

The same rule serves both kinds of graph: the one a person browsed, and the one collected backwards from target pages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from scenthound.model import Lessons, Page

NO_WAY = -1

Edge = tuple[int, int]


def hops(pages: int, edges: Iterable[Edge], targets: Iterable[int]) -> tuple[int, ...]:
    """The state of each of so many pages: a walk against the direction of the edges, from all targets at once."""
    parents: list[list[int]] = [[] for _ in range(pages)]
    for source, target in edges:
        parents[target].append(source)
    states = [NO_WAY] * pages
    waiting: deque[int] = deque()
    for target in targets:
        if states[target] == NO_WAY:
            states[target] = 0
            waiting.append(target)
    while waiting:
        page = waiting.popleft()
        for parent in parents[page]:
            if states[parent] == NO_WAY:
                states[parent] = states[page] + 1
                waiting.append(parent)
    return tuple(states)


def merged(parts: Sequence[Lessons]) -> Lessons:
    """Lessons of several kinds as one: pages by URL, all edges and sequences, states anew on the whole graph."""
    if len(parts) == 1:
        return parts[0]
    place: dict[str, int] = {}
    pages: list[Page] = []
    edges: dict[Edge, None] = {}
    targets: dict[int, None] = {}
    sequences: list[tuple[int, ...]] = []
    for part in parts:
        for page in part.pages:
            if page.url not in place:
                place[page.url] = len(pages)
                pages.append(page)
        moved = [place[page.url] for page in part.pages]
        edges.update(dict.fromkeys((moved[source], moved[target]) for source, target in part.edges))
        targets.update((moved[number], None) for number, state in enumerate(part.states) if state == 0)
        sequences += (tuple(moved[number] for number in sequence) for sequence in part.sequences)
    return Lessons(tuple(pages), tuple(edges), hops(len(pages), edges, targets), tuple(sequences))
