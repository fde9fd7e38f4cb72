"""A web of sites made from a seed: what a crawler that looks for websites, not pages, is measured on.

    web = SiteWeb(seed=1, sites=500)
    web.relevant("orchids")                # keys of the sites of that class: the truth
    web.respond("http://www.oak-works-17.test/about.html").body

The same bytes for the same numbers, in any order. A site is some twenty pages of mixed use: half of the
homepages say little or nothing, the pages that tell are below, contact pages and terms are alike everywhere, people
write about what they like, and a calendar goes on for a long time. See site_plan.py and site_pages.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scenthound.lab.generated.hash_random import mix
from scenthound.lab.generated.oddities import HTML, NOWHERE, OddAnswer, not_found, redirect
from scenthound.lab.generated.site_pages import SitePages
from scenthound.lab.generated.site_plan import PlannedSite, SitePlan
from scenthound.lab.generated.vocabulary import THEMES, TOPICS

_URL = re.compile(r"http://([A-Za-z0-9.-]{1,253})(?::80)?(/[^?#]*)?(?:\?[^#]*)?(?:#.*)?", re.DOTALL)
ROBOTS = b"User-agent: *\nDisallow: /private/\n"


class SiteWeb:
    """`classes`: how many topics have sites of their own, from `vocabulary.TOPICS` on; `tenants`: see site_plan.py."""

    def __init__(self, seed: int = 1, sites: int = 500, classes: int = 8, tenants: int = 0) -> None:
        self.plan = SitePlan(mix(seed, 0), sites, classes, tenants)
        self.pages = SitePages(self.plan)
        self._by_key = {site.key: site for site in self.plan.sites}
        self._hosts = {site.host for site in self.plan.sites}
        self._bare = {host.removeprefix("www."): host for host in self._hosts}

    # What there is

    @property
    def sites(self) -> list[PlannedSite]:
        return self.plan.sites

    @property
    def classes(self) -> list[str]:
        """Names of the classes a crawl may look for."""
        return [TOPICS[number].name for number in range(self.plan.classes)]

    def relevant(self, name: str) -> list[str]:
        """Keys of the sites of a class, in order."""
        return [site.key for site in self.sites if site.theme >= 0 and THEMES[site.theme].name == name]

    def site(self, key: str) -> PlannedSite | None:
        return self._by_key.get(key)

    def urls(self) -> Iterator[str]:
        """Every page, the calendars' left out."""
        for site in self.sites:
            yield from (f"http://{site.host}{site.root}{path}" for path in self.pages.paths(site))

    def hosts(self) -> list[str]:
        return sorted(self._hosts | self._bare.keys())

    def resolves(self, host: str) -> bool:
        return host.lower() in self._hosts or host.lower() in self._bare

    # What it answers

    def respond(self, url: str) -> OddAnswer:
        """The answer to a GET of any string; never raises. Status 0 where nobody would answer."""
        found = _URL.fullmatch(url)
        host = found[1].lower() if found else ""
        if found is None or not self.resolves(host):
            return NOWHERE
        path = found[2] or "/"
        if host in self._bare:
            return redirect(301, f"http://{self._bare[host]}{path}")
        if path == "/robots.txt":
            return OddAnswer(200, (("Content-Type", "text/plain"),), ROBOTS)
        root = path[: path.find("/", 1)] if path.startswith("/~") and path.find("/", 1) > 0 else ""
        site = self._by_key.get(host + root)
        text = self.pages.html(site, path[len(root) :]) if site else None
        return OddAnswer(200, HTML, text.encode()) if text is not None else not_found()
