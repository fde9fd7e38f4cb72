"""The pages of a small crawl as they came, so that nobody has to read them back and parse them once more at its end.

To parse is most of what judging again costs. A page is some hundred kilobytes, so only a small library is kept so: one
whose pages are all in the sample that is shown to a judge at the end (`present_judge`), and in memory then anyway.
"""

from __future__ import annotations

from scenthound.config import Config
from scenthound.crawler.present_judge import SAMPLE
from scenthound.model import Page, Step
from scenthound.protocols.records import StoredPage

MOST_TEXT = 16_000_000
"""Characters of their texts together, above which even few pages are too much to keep."""


class KeptPages:
    """Hears of every step of a crawl. `stored`: pages that its library has already."""

    def __init__(self, config: Config, stored: int) -> None:
        self._language = config.topic.language
        # Without answers on record, or with pages made to look as if they could be, another page would be read back.
        self._keeping = config.library.warc and not config.library.keep_noindex
        self._room = SAMPLE - stored
        self._text = MOST_TEXT
        self._pages: dict[str, tuple[float, Page]] = {}

    def __call__(self, step: Step) -> None:
        if not self._keeping or step.visit is None or step.response is None:
            return
        page = step.visit.page
        self._room -= 1
        self._text -= len(page.text)
        if self._room < 0 or self._text < 0:
            self._keeping = False
            self._pages.clear()
        elif page.url == step.lease.link.url and not page.noindex:
            self._pages[page.url] = (step.at, page)

    def page(self, stored: StoredPage, language: str) -> Page | None:
        """The stored page, if what was parsed is what would be read back: the same answer, for the same language."""
        at, page = self._pages.get(stored.url, (0.0, None))
        return page if at == stored.fetched_at and language == self._language and not stored.noindex else None
