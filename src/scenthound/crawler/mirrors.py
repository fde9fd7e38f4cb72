"""Hosts that are other hosts once more: the same pages at the same paths (Mali 2.2.2: no page downloaded twice).

A page that repeats a stored one of another host, at the very same path, speaks for its host being a mirror of that one;
any other page of it with words speaks against. A host with `ENOUGH` of the first kind, and hardly any of the second, is
a mirror: what waits there is refused, with the name of the original. That a few pages agree proves nothing, as many
sites share a licence or a manual; that nearly all do is no chance.

Front pages are left out of the count: an empty index or a word of welcome is the same on many hosts.
"""

from __future__ import annotations

from scenthound import urls
from scenthound.bounded_cache import BoundedCache

ENOUGH = 5
SHARE = 0.9
"""Of a host's pages, how many must repeat one and the same host."""

HOSTS = 50_000
"""Hosts that are remembered; those seen longest ago are forgotten first."""


class Mirrors:
    """Which hosts repeat which, as far as their pages have shown."""

    def __init__(self) -> None:
        self._pages: BoundedCache[str, dict[str, int]] = BoundedCache(HOSTS)  # host -> original, or "" -> pages

    def learn(self, url: str, original: str, *, words: bool = True) -> None:
        """A page came, and repeats `original`, if anything. One without `words` cannot be compared: it says nothing."""
        if _path(url) == "/" or not words:
            return
        host = urls.host(url)
        twin = urls.host(original) if original and _path(original) == _path(url) else ""
        if twin == host:
            return  # a copy within the host says nothing about others
        counts = self._pages.get(host) or {}
        counts[twin] = counts.get(twin, 0) + 1
        self._pages.put(host, counts)

    def original(self, host: str) -> str | None:
        """The host that this one mirrors; None where it stands for itself."""
        counts = self._pages.get(host)
        if not counts:
            return None
        twin, most = max(counts.items(), key=lambda entry: (entry[1], entry[0]))
        return twin if twin and most >= ENOUGH and most >= SHARE * sum(counts.values()) else None

    def refuses(self, url: str) -> str | None:
        """Why nothing is asked of the host any more, for a link whose turn has come."""
        twin = self.original(urls.host(url))
        return f"mirror: of {twin}" if twin else None


def _path(url: str) -> str:
    """Path and query: what two hosts have in common."""
    return "/" + url.partition("://")[2].partition("/")[2]
