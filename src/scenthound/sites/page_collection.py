"""From sites to pages: an ordinary page crawl, restricted to the sites that were found relevant, in the same folder.

The website crawl left each site as soon as it knew enough. What waited there was refused, so it is found once more: the
links of every page stored are ranked by the page crawl's strategy and put in its frontier.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from scenthound import registry
from scenthound.config import Config
from scenthound.crawler.assemble import build, make_scope, strategy_entry
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.link_filter import LinkFilter
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.judges.labelled import LabelledJudge, labels_of
from scenthound.library.stored_pages import visits
from scenthound.model import Link
from scenthound.protocols.crawl import Context, Strategy
from scenthound.protocols.library import Library
from scenthound.scope.conditions import Condition
from scenthound.sites.definition import SiteKind, site_of
from scenthound.sites.parts import record


class OnSites(Condition, frozen=True):
    """Nothing outside these sites."""

    sites: frozenset[str]
    kind: SiteKind = "host"

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        return self.denies(link.url)

    def denies(self, url: str) -> str | None:
        """Also for links that wait from before."""
        return None if site_of(url, self.kind) in self.sites else "scope: not on a site that was found relevant"


class PageCollectionParts:
    """Makes the parts of such a crawl."""

    def __init__(self, sites: Collection[str]) -> None:
        self.sites = sites

    def __call__(self, config: Config, context: Context) -> CrawlParts:
        strategy: Strategy = build(registry.strategy, strategy_entry(config), context)
        judge = LabelledJudge(build(registry.judge, config.crawl.judge, context), labels_of(context))
        there = OnSites(frozenset(self.sites), config.sites.kind)
        scope = make_scope(config, first=[there])

        def around(frontier: PoliteFrontier, library: Library) -> PoliteFrontier:
            find_again(frontier, library, strategy, LinkFilter(config, scope), config.topic.language)
            return frontier

        return CrawlParts(strategy=strategy, judge=judge, scope=scope, denies=there.denies, around=around)


def find_again(
    frontier: PoliteFrontier, library: Library, strategy: Strategy, link_filter: LinkFilter, language: str
) -> None:
    """Puts in the links of all pages stored, as if they had just been visited."""
    for visit in (each.visit for each in visits(library, language)):
        links = link_filter.sort(visit.page, visit.depth + 1, 0).links
        visit = replace(visit, page=replace(visit.page, links=links))
        if rows := frontier.put(strategy.rank(visit), visit.depth + 1):
            record(library, rows)
