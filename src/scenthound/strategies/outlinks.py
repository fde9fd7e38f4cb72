from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scenthound.model import MergeRule, Ranked, Visit
from scenthound.protocols.crawl import Presets
from scenthound.registry import strategy


@strategy("outlinks")
@dataclass
class OutlinkCount:
    """Links of pages that have many of them first: outlink count (Batsakis 2.2; Cho, Garcia-Molina, Page 1998).

    Believes that a page with many links is an important one, such as a directory, and that what important pages link
    to is worth having. Knows nothing of the topic.

        priority = number of links on the page that holds it

    The document gives "higher visit priority to URLs retrieved from more important pages", and names the number of
    outgoing links of a page as one measure of importance. How many links a page has that was not fetched yet nobody
    knows; `link-value` estimates it. A link on several pages has the priority that the best of them gives.
    """

    published: ClassVar[Presets] = {"batsakis": {}}
    merge: ClassVar[MergeRule] = "max"

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        count = float(len({link.url for link in visit.page.links}))
        return [Ranked(link=link, priority=count) for link in visit.page.links]
