"""The scope of a website crawl: as the user says, and a link to another site is no page to be fetched.

It speaks for its site, which is looked at from its homepage when its turn comes. Said here, because what a scope
refuses is stored with its reason, and `explain` can tell.
"""

from __future__ import annotations

from typing import ClassVar

from scenthound.model import Link
from scenthound.scope.conditions import Condition
from scenthound.sites.definition import SiteKind, site_of

PASSED = frozenset({"redirect", "refresh", "canonical", "seed"})
"""Kinds of links that stand for the page they come from: a homepage may have moved to another host."""


class WithinItsSite(Condition, frozen=True):
    """The same link is refused on one page and followed on another: by the site it stands on."""

    by_url_alone: ClassVar[bool] = False

    kind: SiteKind = "host"

    def __call__(self, link: Link, depth: int, language: str) -> str | None:
        if link.source and link.kind not in PASSED:
            site = site_of(link.url, self.kind)
            if site != site_of(link.source, self.kind):
                return f"another site: {site} is looked at from its homepage"
        return None
