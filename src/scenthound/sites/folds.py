"""Cross-validation by site: every site is tested once, by what was learned from the others.

Folds are cut through sites and never through one: pages of a site share its menu, its footer and its name, so that a
classifier which has seen the neighbours of a page has nearly seen the page.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random

FOLDS = 10


def fold_numbers(labels: Sequence[Hashable], random: Random, folds: int = FOLDS) -> list[int]:
    """The fold of each site, 0 ... folds - 1. Each class is shuffled and dealt out, so all folds are much alike.

    Dealing goes on with the next class where it stopped: folds differ by one site at most, and with fewer sites than
    folds some folds are empty.
    """
    numbers = [0] * len(labels)
    place = 0
    for label in dict.fromkeys(labels):
        members = [index for index, own in enumerate(labels) if own == label]
        random.shuffle(members)
        for member in members:
            numbers[member] = place % folds
            place += 1
    return numbers
