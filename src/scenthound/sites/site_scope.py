"""The scope of a website crawl: as the user says, and a link to another site is no page to be fetched.

It speaks for its site, which is looked at from its homepage when its turn comes. Said here, because what a scope
refuses is stored with its reason, and `explain` can tell.
"""

from __future__ import annotations

from scenthound.config import Config
from scenthound.model import Link
from scenthound.scope.scope import Scope
from scenthound.sites.definition import SiteKind, site_of

PASSED = frozenset({"redirect", "refresh", "canonical", "seed"})
"""Kinds of links that stand for the page they come from: a homepage may have moved to another host."""


class SiteScope(Scope):
    by_url_alone = False  # but by the page a link stands on

    def __init__(self, config: Config) -> None:
        rules = config.scope
        super().__init__(rules.allow, rules.deny, config.crawl.depth, config.topic.language, rules.html_only)
        self.kind: SiteKind = config.sites.kind

    def refuses(self, link: Link, depth: int, language: str = "") -> str | None:
        """As the user says, and by the page a link stands on: the same link is refused there and followed here."""
        reason = super().refuses(link, depth, language)
        if reason is None and link.source and link.kind not in PASSED:
            site = site_of(link.url, self.kind)
            if site != site_of(link.source, self.kind):
                return f"another site: {site} is looked at from its homepage"
        return reason
