"""What keys do to a crawl that one watches: pause it, give it more or fewer requests, sort, stop, help."""

from __future__ import annotations

from collections.abc import Callable

from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_view import CrawlChange
from scenthound.app.live_crawl import change_crawl
from scenthound.cli.views.live_screen import ORDERS, Screen
from scenthound.errors import UsageError
from scenthound.report.formatting import plural


class CrawlKeys:
    """`press` a key; those that mean nothing do nothing. `stop` is what Ctrl-C does."""

    def __init__(self, session: CrawlSession, screen: Screen, stop: Callable[[], None]) -> None:
        self.session = session
        self.screen = screen
        self.stop = stop

    def press(self, key: str) -> None:
        deeds: dict[str, Callable[[], None]] = {
            "p": self._pause,
            "+": lambda: self._parallel(1),
            "=": lambda: self._parallel(1),  # + without the shift key
            "-": lambda: self._parallel(-1),
            "s": self._sort,
            "q": self.stop,
            "?": self._help,
        }
        if (deed := deeds.get(key.lower())) is not None:
            deed()

    def _pause(self) -> None:
        crawl = self.session.crawl
        if crawl is None or self.session.stopping:
            return
        if crawl.paused:
            crawl.go_on()
            self.screen.notice = ""
        else:
            crawl.pause()
            self.screen.notice = "Paused: what is under way is finished, nothing more is asked. p goes on."

    def _parallel(self, step: int) -> None:
        crawl = self.session.crawl
        if crawl is None:
            return
        wanted = crawl.fetcher.parallel + step
        if wanted < 1:
            self.screen.notice = "One request at a time is the least; p pauses."
            return
        try:
            change_crawl(self.session, CrawlChange(parallel=wanted))
        except UsageError as error:
            self.screen.notice = str(error)
        else:
            self.screen.notice = f"Up to {plural(wanted, 'request')} at once from now on; hosts are asked as gently."

    def _sort(self) -> None:
        self.screen.order = ORDERS[(ORDERS.index(self.screen.order) + 1) % len(ORDERS)]

    def _help(self) -> None:
        self.screen.help = not self.screen.help
