"""Weights for ranking links, bred rather than computed: what ranks best in trial crawls of the training graph survives.

    individual   one weight, -1..1, for each feature of a link; a link's score is their weighted sum
    fitness      mean over trial crawls of the mean of target recall over their pages: a recall area
    generation   the better half survives; the rest are children of two survivors, each weight from either parent
                 (uniform crossover), moved by a little normal noise with probability `MUTATION`

A trial crawl goes best first over the training graph from one of its pages, as a real one would.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

POPULATION, GENERATIONS = 16, 12
MUTATION, NOISE = 0.3, 0.3
TRIALS, TRIAL_PAGES = 3, 60


class TrialWeb:
    """A training graph that is crawled again and again: `features` has a row for each edge."""

    def __init__(self, pages: int, edges: Sequence[tuple[int, int]], features: Floats, targets: Sequence[int]) -> None:
        self.features, self.targets = features, frozenset(targets)
        self.out: list[list[tuple[int, int]]] = [[] for _ in range(pages)]
        for number, (source, target) in enumerate(edges):
            self.out[source].append((number, target))

    def fitness(self, weights: Floats, starts: Sequence[int]) -> float:
        scores = (self.features @ weights).tolist()
        return sum(self._crawl(scores, start) for start in starts) / max(len(starts), 1)

    def _crawl(self, scores: Sequence[float], start: int) -> float:
        waiting, seen, found, area = [(-np.inf, 0, start)], {start}, 0, 0
        order = 0
        for _ in range(TRIAL_PAGES):
            if waiting:
                _, _, page = heapq.heappop(waiting)
                found += page in self.targets
                for edge, target in self.out[page]:
                    if target not in seen:
                        seen.add(target)
                        order += 1
                        heapq.heappush(waiting, (-scores[edge], order, target))
            area += found
        return area / (TRIAL_PAGES * max(len(self.targets), 1))


def breed(web: TrialWeb, starts: Sequence[int], random: np.random.Generator) -> tuple[Floats, tuple[float, ...]]:
    """The fittest weights, and the best fitness of each generation. The first individual weighs all features alike."""
    size = web.features.shape[1]
    people = random.uniform(-1.0, 1.0, (POPULATION, size))
    people[0] = 1.0
    drawn = [starts[int(random.integers(len(starts)))] for _ in range(TRIALS)]
    curve: list[float] = []
    for generation in range(GENERATIONS + 1):
        fit = np.array([web.fitness(one, drawn) for one in people])
        people = people[np.argsort(-fit, kind="stable")]
        curve.append(float(fit.max()))
        if generation < GENERATIONS:
            half = POPULATION // 2
            parents = random.integers(half, size=(2, POPULATION - half))
            mixed = random.random((POPULATION - half, size)) < 0.5
            children = np.where(mixed, people[parents[0]], people[parents[1]])
            moved = random.random(children.shape) < MUTATION
            people[half:] = np.clip(children + moved * random.normal(0.0, NOISE, children.shape), -1.0, 1.0)
    return people[0].copy(), tuple(curve)
