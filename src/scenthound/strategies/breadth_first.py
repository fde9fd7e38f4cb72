from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Presets
from scenthound.registry import strategy


@strategy("breadth-first")
@dataclass
class BreadthFirst:
    """First found, first fetched: the reference of every comparison (Batsakis 2.2).

    Believes nothing about the topic; near the seeds is good enough.

        priority = -depth(link)

    | symbol | meaning |
    |---|---|
    | depth(link) | hops from the seed, along the way taken; the links of a seed have depth 1 |

    Links of one depth tie, and ties go by order of discovery: a queue, first in, first out.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        priority = -float(visit.depth + 1)
        return [Ranked(link=link, priority=priority) for link in visit.page.links]
