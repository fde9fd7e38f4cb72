from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from scenthound.errors import ConfigError
from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Context, Presets
from scenthound.registry import strategy
from scenthound.text import idf
from scenthound.text.nearest import Nearest


@strategy("best-first-targets")
@dataclass
class BestFirstTargets:
    """Best-first on the likeness to example pages: the baseline "BFS" of Liu, section 6.

    Believes that a page like one of the targets links to more of them.

        priority = max over targets d of cosine(page, d)

    | symbol | meaning |
    |---|---|
    | page | tf vector of the page the link stands on (term frequency alone, as Liu has it) |
    | d | tf vector of an example page of the topic |
    """

    published: ClassVar[Presets] = {"liu": {}}

    targets_: Nearest = field(init=False, repr=False)

    def begin(self, context: Context) -> None:
        self.targets_ = Nearest([example.terms for example in context.examples], idf.none())
        if not len(self.targets_):
            raise ConfigError(
                'The strategy "best-first-targets" follows pages that look like examples, and the topic has none '
                'with text. Add examples = [...] under [topic], or use strategy = "best-first".'
            )

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        priority = self.targets_.similarity(visit.page.terms)
        return [Ranked(link=link, priority=priority) for link in visit.page.links]
