from __future__ import annotations

from itertools import pairwise

import numpy as np

from scenthound.learn.links.genetic import TRIAL_PAGES, TrialWeb, breed


def two_armed(good: int = 30, bad: int = 60) -> TrialWeb:
    """A start with one link to a good arm and many to bad pages; feature 0 marks good links, feature 1 bad ones."""
    edges = [(0, 1)] + [(n, n + 1) for n in range(1, good)] + [(0, good + 1 + n) for n in range(bad)]
    features = np.array([[1.0, 0.0]] * good + [[0.0, 1.0]] * bad)
    return TrialWeb(good + bad + 1, edges, features, range(1, good + 1))


def test_fitness_is_the_recall_area_of_a_crawl() -> None:
    web = two_armed()
    # good first: after page n there are n - 1 found, up to 30, then it stays
    found = [min(n, 30) for n in range(TRIAL_PAGES)]
    assert web.fitness(np.array([1.0, -1.0]), [0]) == sum(found) / (30 * TRIAL_PAGES)
    assert web.fitness(np.array([-1.0, 1.0]), [0]) == 0.0


def test_breeding_finds_what_leads_to_targets() -> None:
    weights, curve = breed(two_armed(), [0], np.random.default_rng(1))
    assert weights[0] > weights[1]
    assert all(b >= a for a, b in pairwise(curve))
    again, _ = breed(two_armed(), [0], np.random.default_rng(1))
    assert (weights == again).all()
