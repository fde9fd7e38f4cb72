from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scenthound.protocols.crawl import Presets
from scenthound.registry import strategy
from scenthound.strategies.best_first import BestFirst


@strategy("best-n-first")
@dataclass
class BestNFirst(BestFirst):
    """Best-first, N links at a step (Batsakis 2.3; Pant, Srinivasan, Menczer 2002).

    Believes what best-first believes, but less firmly: scores are guesses, and taking the N best before looking again
    keeps a crawl from running after the first good guess.

        priority = (cosine(page, query) + cosine(anchor, query)) / 2

    | symbol | parameter |
    |---|---|
    | N | `n`: links taken from the frontier before newly found ones are ranked among them |

    With n = 1 it is best-first.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    n: int = 16

    def __post_init__(self) -> None:
        if not 1 <= self.n <= 10_000:
            raise ValueError("n must be from 1 to 10,000")

    @property
    def batch(self) -> int:
        return self.n
