from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.model import Link, Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text.query import Query

_SCORE = struct.Struct("<d")


@strategy("shark-search")
@dataclass
class SharkSearch:
    """Fish-search with scores instead of yes and no (Batsakis 2.3, Aastha 2.1; Hersovici et al. 1998).

    Believes that a page on the topic links to pages on the topic, that this wears off with every page that is not, and
    that an anchor, or else the text around it, says what lies behind it.

        priority = g * inherited + (1 - g) * (b * anchor + (1 - b) * around)

        inherited = d * cosine(page, query)     if that is above 0, else d * inherited of the page
        around    = 1 if anchor is above 0, else cosine(context, query)

    | symbol | parameter or meaning |
    |---|---|
    | g | `gamma`: how much the way to a link counts against what stands beside it |
    | b | `beta`: how much the anchor counts against the text around it |
    | d | `delta`: what remains of a score from one page to the next |
    | anchor | cosine of the link's text (its title and image texts where it has none) and the query |
    | context | the text around the link, the anchor included |

    Constants as in Hersovici et al. What a page inherited travels with its link, so a restart loses nothing. Decision:
    branches do not die after some depth, as fish do; a score that halves with every dry page already puts them last.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    beta: float = 0.8
    gamma: float = 0.8
    delta: float = 0.5
    query_: Query = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("beta", "gamma", "delta"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} must be between 0 and 1")

    def begin(self, context: Context) -> None:
        self.query_ = Query.of(context)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        page = self.query_.of_counts(visit.page.terms)
        inherited = self.delta * (page or _unpack(visit.memory))
        memory = _SCORE.pack(inherited)
        return [
            Ranked(
                link=link,
                priority=self.gamma * inherited + (1.0 - self.gamma) * self._neighbourhood(link),
                memory=memory,
            )
            for link in visit.page.links
        ]

    def _neighbourhood(self, link: Link) -> float:
        anchor = self.query_.of_link(link)
        around = 1.0 if anchor > 0.0 else self.query_.of_text(link.context)
        return self.beta * anchor + (1.0 - self.beta) * around


def _unpack(memory: bytes | None) -> float:
    """What the page inherited; 0 for a seed, and for what another strategy remembered."""
    if memory is None or len(memory) != _SCORE.size:
        return 0.0
    score: float = _SCORE.unpack(memory)[0]
    return score if 0.0 <= score <= 1.0 else 0.0
