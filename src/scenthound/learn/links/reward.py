"""What following a link is worth: targets later on count less (Rennie, McCallum 1999).

A crawler can go to any link it has seen, one page a step. From the page a link leads to it fetches the nearest target
first, then the next, at steps t_1 < t_2 < ...; the link's reward is

    Q = sum over i of discount^t_i,     t_i = max(hops to the i-th nearest target, t_{i-1} + 1)

with t = 0 for the page itself, and targets more than `depth` hops away left out. So a link to a target is worth 1 and
more, one to a page that links to two targets 0.5 + 0.25 at a discount of 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scenthound.model import Lessons

DEPTH = 4


def of_pages(lessons: Lessons, discount: float, depth: int = DEPTH) -> npt.NDArray[np.float64]:
    """Q of a link to each page of the lessons."""
    children: list[list[int]] = [[] for _ in lessons.pages]
    for source, target in lessons.edges:
        children[source].append(target)
    goals = [state == 0 for state in lessons.states]
    return np.array([_value(page, children, goals, discount, depth) for page in range(len(lessons.pages))])


def _value(page: int, children: Sequence[Sequence[int]], goals: Sequence[bool], discount: float, depth: int) -> float:
    seen, layer, value, step = {page}, [page], 0.0, -1
    for hops in range(depth + 1):
        for _ in range(sum(goals[one] for one in layer)):
            step = max(hops, step + 1)
            value += discount**step
        if step > 20:
            break  # what comes later is worth nothing
        layer = list(dict.fromkeys(target for one in layer for target in children[one] if target not in seen))
        seen.update(layer)
    return value


def bins(values: npt.NDArray[np.float64], count: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
    """The bin of each value, and the mean of each bin: nothing at all is one bin, the others hold equally many."""
    some = values > 0
    edges = np.unique(np.quantile(values[some], np.linspace(0, 1, count)[1:-1])) if some.any() else np.zeros(0)
    found = np.where(some, 1 + np.searchsorted(edges, values, side="right"), 0)
    distinct, which = np.unique(found, return_inverse=True)
    means = np.array([values[found == one].mean() for one in distinct])
    return which.astype(np.intp), means
