from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from xxhash import xxh3_64_intdigest

from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy


@strategy("random")
@dataclass
class RandomOrder:
    """Any waiting link, each as likely as the next: what a crawl finds by luck.

    Believes nothing at all.

        priority = hash(seed, url) / 2^64

    | symbol | parameter |
    |---|---|
    | seed | `seed`; drawn from the crawl's random seed where not given |

    A hash rather than a drawn number, so that it needs no memory: a crawl that was stopped goes on in the same order,
    and a link found twice keeps its place. Source: the random crawler of Menczer, Pant, Srinivasan (2004).
    """

    published: ClassVar[Presets] = {}

    seed: int | None = None
    seed_: int = field(init=False, repr=False, default=0)

    def begin(self, context: Context) -> None:
        self.seed_ = context.random.getrandbits(64) if self.seed is None else self.seed % 2**64

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return [
            Ranked(link=link, priority=xxh3_64_intdigest(link.url.encode("utf-8", "replace"), self.seed_) / 2**64)
            for link in visit.page.links
        ]
