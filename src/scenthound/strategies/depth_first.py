from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scenthound.model import MergeRule, Ranked, Visit
from scenthound.protocols.crawl import Presets
from scenthound.registry import strategy

BYTES = 4
"""Of a depth that travels with a link."""


@strategy("depth-first")
@dataclass
class DepthFirst:
    """On and on along the first link of every page, and back only where a page leads to nothing new (Mali 1).

    Believes nothing about the topic; it is named beside breadth-first as one of the two ways to walk a graph.

        priority = depth(link) = 1 + depth(page)

    | symbol | meaning |
    |---|---|
    | depth(page) | hops from the seed, along the way that was gone; 0 of a seed |

    The deepest links that wait are those of one page, the last that led on, and ties go by order of discovery: a stack
    of pages, the links of each from first to last. A link that is found again farther down is followed from there, so
    the depth of the way travels with it: that of the shortest way, which the crawl knows, would not do.
    """

    published: ClassVar[Presets] = {"mali": {}}
    merge: ClassVar[MergeRule] = "max"

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        depth = _unpack(visit.memory) + 1
        memory = min(depth, 256**BYTES - 1).to_bytes(BYTES, "little")
        return [Ranked(link=link, priority=float(depth), memory=memory) for link in visit.page.links]


def _unpack(memory: bytes | None) -> int:
    """How deep a page is; 0 for a seed, and for what another strategy remembered."""
    return int.from_bytes(memory, "little") if memory is not None and len(memory) == BYTES else 0
