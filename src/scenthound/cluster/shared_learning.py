"""What one worker fetched, all learn from.

Every `EVERY` seconds a worker reads back the pages that others have stored since the last time, at most `MOST` of them,
the newest where there are more; they are shown to its judge and learned from by its strategy, in the order they were
stored, as after a restart. Pages of its own it has learned from already. So every learner sees, some seconds later,
what one that sees everything would, up to that bound. It costs a worker the parsing of those pages.

Nothing is read back where neither strategy nor judge learns.
"""

from __future__ import annotations

from collections import deque

from scenthound.config import Config
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.crawl_snapshots import learn_again
from scenthound.crawler.link_filter import LinkFilter
from scenthound.library.shards import shard_of
from scenthound.library.stored_pages import visit_of
from scenthound.protocols.crawl import Learns, Watches
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage

EVERY = 5.0
MOST = 200


class SharedLearning:
    """Lets the parts of one worker learn from what others store, from the page after `last` on."""

    def __init__(self, parts: CrawlParts, config: Config, library: Library, shards: frozenset[int], last: int) -> None:
        self._parts = parts
        self._config = config
        self._library = library
        self._shards = shards
        self._last = last
        self._links = LinkFilter(config, parts.scope)
        self._watcher = hook(parts.judge, Watches)
        self.is_any = self._watcher is not None or hook(parts.strategy, Learns) is not None

    def catch_up(self) -> int:
        """How many pages of others were learned from."""
        if not self.is_any:
            return 0
        newest: deque[StoredPage] = deque(maxlen=MOST)
        for page in self._library.pages(after=self._last):
            self._last = page.seq
            if shard_of(page.host) not in self._shards:
                newest.append(page)
        learned = 0
        for page in newest:
            if (each := visit_of(self._library, page, self._config.topic.language, whole=True)) is None:
                continue
            if self._watcher is not None:
                self._parts.judge(each.visit.page)  # it may have something to learn before it speaks
                self._watcher.saw(each.visit.page)
            learn_again(self._parts.strategy, each.visit, each.hops, self._links)
            learned += 1
        return learned
