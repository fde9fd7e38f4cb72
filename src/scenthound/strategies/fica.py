from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log10
from typing import ClassVar

from scenthound.model import MergeRule, Ranked, Visit
from scenthound.protocols.crawl import Presets
from scenthound.registry import strategy

_DISTANCE = struct.Struct("<d")


@strategy("fica")
@dataclass
class Fica:
    """The fewest clicks first, a click counting by how many links there were to choose from (Mali 5; Bidoki et al.).

    Believes that a page is important if a surfer who clicks at random soon comes across it: a click on a page with
    many links is a long way, one on a page with few a short one. Knows nothing of the topic.

        priority    = -distance(link)
        distance(v) = min over pages u read so far that link to v of  log10(links(u)) + g * distance(u)

    | symbol | parameter or meaning |
    |---|---|
    | links(u) | distinct URLs that u links to |
    | g | `discount`: what the way so far counts for; 1 adds up all clicks |
    | distance(seed) | 0 |

    Mali's table calls it the intelligent crawler, whose priority is "the distance of least no of clicks". The distance
    of a page travels with its link, and of a link found again the shortest counts. A page read before a shorter way
    to it turns up hands on the longer one, as in the source.

    Source: Mali, reference 1: Bidoki, Yazdani, Ghodsnia, "FICA: a fast intelligent crawling algorithm" (2007).
    """

    published: ClassVar[Presets] = {"mali": {}}
    merge: ClassVar[MergeRule] = "max"

    discount: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.discount <= 1.0:
            raise ValueError("discount must be between 0 and 1")

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        links = visit.page.links
        click = log10(max(len({link.url for link in links}), 1))
        distance = click + self.discount * _unpack(visit.memory)
        memory = _DISTANCE.pack(distance)
        return [Ranked(link=link, priority=-distance, memory=memory) for link in links]


def _unpack(memory: bytes | None) -> float:
    """How far a page is; 0 for a seed, and for what another strategy remembered."""
    if memory is None or len(memory) != _DISTANCE.size:
        return 0.0
    distance: float = _DISTANCE.unpack(memory)[0]
    return distance if isfinite(distance) and distance >= 0.0 else 0.0
