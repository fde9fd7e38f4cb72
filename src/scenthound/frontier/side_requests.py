"""Requests beside the queue: what a leased page asks for while it is put together, with the manners of any other.

They are not links, wait in no queue, and nobody leases them. But a server sees requests, whatever they are for: so they
begin only when their host may be asked, count as requests to it while they are under way, and it rests after each. The
host of the page itself is leased; that request is over, and does not stand in the way of these.
"""

from __future__ import annotations

from scenthound.config import PolitenessSection
from scenthound.frontier.host_state import HostState
from scenthound.frontier.host_table import HostTable
from scenthound.protocols.crawl import RobotsRules

SOON = 0.05
"""Seconds after which to try again where another request has to end first."""


class SideRequests:
    def __init__(self, hosts: HostTable, politeness: PolitenessSection) -> None:
        self._hosts = hosts
        self._politeness = politeness

    def page_came(self, host: str, now: float) -> None:
        """The answer to a lease on this host is here, and others will be asked for before it ends: its rest begins."""
        self._hosts.now = max(self._hosts.now, now)
        self._hosts.get(host).ended = self._hosts.now

    def begin(self, name: str, now: float, page_host: str) -> float | None:
        """Begins a request to the host for a page of `page_host`; None if it has begun, else when to try again."""
        hosts, host = self._hosts, self._hosts.get(name)
        hosts.now = max(hosts.now, now)
        if host.free_at > hosts.now:
            return host.free_at
        if host.out - (name == page_host) >= max(self._politeness.connections, 1):
            return hosts.now + SOON
        hosts.begin(host)
        hosts.settle(host)
        return None

    def end(self, name: str, now: float, slow: float, struggles: bool = False) -> None:
        """A request that has begun is over. As `PoliteFrontier.done` has it for leases."""
        hosts, host = self._hosts, self._hosts.get(name)
        hosts.now = max(hosts.now, now)
        hosts.end(host)
        host.answered(slow, struggles, self._politeness)
        hosts.settle(host)

    def knows_rules(self, name: str, now: float) -> bool:
        """Whether it is known what the host's robots.txt says, as far as that is to be obeyed."""
        return not self._politeness.robots or not self._unknown(self._hosts.get(name), now)

    def is_asking_rules(self, name: str) -> bool:
        """Whether somebody has asked for them already."""
        host = self._hosts.get(name)
        return host.asking and host.held is None

    def take_rules(self, name: str, rules: RobotsRules) -> None:
        self._hosts.rules(name, rules)

    def refusal(self, name: str, url: str) -> str | None:
        """Why robots.txt does not let us ask for the URL, or None."""
        return self._hosts.get(name).refusal(url) if self._politeness.robots else None

    @staticmethod
    def _unknown(host: HostState, now: float) -> bool:
        return host.rules is None or not now < host.rules.expires
