"""The pages that came last, as somebody who watches sees them: each with the words that made it relevant.

To ask a judge for these words is most of what a view of a crawl costs. So a view asks for some pages only, the newest;
of a crawl that brings more a second nobody reads every one.
"""

from __future__ import annotations

from collections import deque

from scenthound import urls
from scenthound.app.crawl_progress import ArrivedPage
from scenthound.app.crawl_view import ArrivedLine
from scenthound.app.judgement_words import WordWeight, as_words, speaking_terms
from scenthound.bounded_cache import BoundedCache
from scenthound.model import Page
from scenthound.protocols.crawl import Judge
from scenthound.report.failure_words import in_words

SHOWN, WORDS = 20, 3
EXPLAINED_AT_ONCE = 4
"""Pages of which a view says the words that no view before it did."""


class ArrivedPages:
    """What came last in one crawl."""

    def __init__(self) -> None:
        self._pages: deque[Page] = deque(maxlen=SHOWN)
        self._words: BoundedCache[str, list[WordWeight]] = BoundedCache(4 * SHOWN)

    def clear(self) -> None:
        self._pages.clear()

    def saw(self, page: Page) -> None:
        self._pages.append(page)

    def lines(self, count: int, last: list[ArrivedPage], judge: Judge | None) -> list[ArrivedLine]:
        """`last` as lines, of which the newest has the number `count`."""
        words = self._words_of(last, judge)
        return [
            ArrivedLine(
                number=number,
                url=seen.url,
                host=urls.host(seen.url),
                title=seen.title,
                relevance=seen.relevance,
                relevant=seen.relevant,
                repeats=seen.repeats,
                trouble=in_words(seen.trouble) if seen.trouble else "",
                words=words.get(seen.url, []),
            )
            for number, seen in enumerate(last, count - len(last) + 1)
        ]

    def _words_of(self, last: list[ArrivedPage], judge: Judge | None) -> dict[str, list[WordWeight]]:
        """Of the relevant ones, as far as they are known or it is their turn: the newest first."""
        pages = {page.url: page for page in self._pages}
        found: dict[str, list[WordWeight]] = {}
        asked = 0
        for seen in reversed(last):
            page = pages.get(seen.url) if seen.relevant else None
            words = self._words.get(seen.url) if page is not None else None
            if page is not None and words is None and judge is not None and asked < EXPLAINED_AT_ONCE:
                asked += 1
                words = [word for word in as_words(speaking_terms(judge, page, WORDS), page) if word.part > 0]
                self._words.put(seen.url, words)
            if words is not None:
                found[seen.url] = words
        return found
