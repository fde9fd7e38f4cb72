"""Ways through a web graph, drawn at random, as a crawler might have gone them (Liu 3.1).

    start     a page drawn at random, among those that have anywhere to go
    step      to a child drawn at random: in the same layer or a lower one, and no page twice
    length    drawn evenly from 2..10; a way that ends sooner counts if it has two pages

The layer of a page is where the collection found it; its state is how far a target really is, which may be less once
pages like the targets were made targets. Liu's rule is about layers (the example there goes T1, T0, T1, T1, T0): it is
what keeps a way going down to the targets and yet lets it pass one on the way. Where only states are known they are the
layers. Liu does not say what becomes of a way that can go no further before it has its length; here it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from scenthound.learn.graphs.hops import Edge

SEQUENCES = 10_000
SHORTEST, LONGEST = 2, 10


def walks(
    edges: Iterable[Edge],
    states: Sequence[int],
    n: int = SEQUENCES,
    shortest: int = SHORTEST,
    longest: int = LONGEST,
    random: Random | None = None,
    *,
    layers: Sequence[int] | None = None,
) -> tuple[tuple[int, ...], ...]:
    """`n` ways, the same for the same seed; none where no edge leads down or across. Small graphs repeat themselves."""
    random = random or Random(0)
    children = downhill(edges, states, states if layers is None else layers)
    starts = sorted(children)
    found: list[tuple[int, ...]] = []
    misses = 0
    while len(found) < n and starts and misses < 100 * n:
        way = _walk(children, random.choice(starts), random.randint(shortest, longest), random)
        if len(way) >= shortest:
            found.append(way)
        else:
            misses += 1
    return tuple(found)


def downhill(edges: Iterable[Edge], states: Sequence[int], layers: Sequence[int]) -> dict[int, list[int]]:
    """Page -> the children a way may go on to. Pages without any, or from which no target is in reach, are left out."""
    children: dict[int, list[int]] = {}
    for source, target in sorted(set(edges)):
        if source != target and layers[source] >= layers[target] and min(states[source], states[target]) >= 0:
            children.setdefault(source, []).append(target)
    return children


def _walk(children: dict[int, list[int]], start: int, length: int, random: Random) -> tuple[int, ...]:
    way = [start]
    while len(way) < length:
        onward = [child for child in children.get(way[-1], ()) if child not in way]
        if not onward:
            break
        way.append(random.choice(onward))
    return tuple(way)
