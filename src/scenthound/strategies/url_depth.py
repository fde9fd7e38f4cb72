from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scenthound.model import Ranked, Visit
from scenthound.protocols.crawl import Presets
from scenthound.registry import strategy


@strategy("url-depth")
@dataclass
class UrlDepth:
    """What stands high in the hierarchy of its site first (Batsakis 2.2; Cho, Garcia-Molina, Page 1998).

    Believes that the fewer slashes a URL has, the more important the page. Knows nothing of the topic.

        priority = -depth(link)

    | symbol | meaning |
    |---|---|
    | depth(link) | slashes in the path of its URL after the first: 0 for http://host/ and for http://host/page.html |

    Links of one depth are taken in the order in which they were found.
    """

    published: ClassVar[Presets] = {"batsakis": {}}

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        return [Ranked(link=link, priority=-float(url_depth(link.url))) for link in visit.page.links]


def url_depth(url: str) -> int:
    """Slashes in the path of a URL, without the one it begins with; those in a query say nothing of the hierarchy."""
    path = url.partition("://")[2].partition("?")[0].partition("#")[0]
    return max(path.count("/") - 1, 0)
