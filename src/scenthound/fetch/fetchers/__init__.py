"""Fetchers of other packages: who answers in place of the network, by a name in `[fetch] fetcher`.

    @own_fetcher("archive")
    @dataclass
    class ArchiveFetcher:
        "Asks an archive in place of the web."

        address: str = "https://archive.example.org"

        def open(self, config: Config) -> Fetcher: ...

What `open` returns makes one request a call, raises nothing, and follows no redirect (`protocols.crawl.Fetcher`); the
frontier sees to delays and robots.txt as ever. It must guard itself against private addresses.
"""

from __future__ import annotations

from typing import Protocol

from scenthound.config import Config
from scenthound.protocols.crawl import Fetcher
from scenthound.registry import Registry


class OpensFetcher(Protocol):
    def open(self, config: Config) -> Fetcher: ...


own_fetcher = Registry("own_fetcher", "scenthound.fetch.fetchers", OpensFetcher, group="fetchers")
