"""Full-text search in memory: what SQLite's FTS5 does in `sqlite/search`, in Python.

    score = sum over phrases of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))

with f how often the phrase stands in the text, in the title five times, and idf = ln((N - n + 0.5) / (n + 0.5)).
Texts are stemmed once, when they are first searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log

from msgspec import Struct

from scenthound import urls
from scenthound.library.memory.page_ledger import PageEntry, PageLedger
from scenthound.library.search_words import Reading, SearchQuery, TitleReading, wanted
from scenthound.library.snippets import snippet
from scenthound.model import State
from scenthound.protocols.crawl import Progress
from scenthound.protocols.records import UNDATED, SearchFilters, SearchHit, SearchMatch, SearchResult, StoredPage
from scenthound.text.analysis import analyzer
from scenthound.text.languages import code

K1, B = 1.2, 0.75
TITLE_WEIGHT, BODY_WEIGHT = 5.0, 1.0
LEAST_IDF = 1e-6

Parts = Sequence[Sequence[Reading]]


class IndexedText(Struct, frozen=True):
    """The stems of a text, each with a blank around it: a phrase is found as a stretch of them."""

    title: str
    body: str
    length: int

    def frequency(self, phrase: Reading) -> float:
        stems = f" {' '.join(phrase)} "
        in_body = 0 if isinstance(phrase, TitleReading) else _count(self.body, stems)
        return TITLE_WEIGHT * _count(self.title, stems) + BODY_WEIGHT * in_body

    def has(self, phrase: Reading) -> bool:
        stems = f" {' '.join(phrase)} "
        return stems in self.title or (stems in self.body and not isinstance(phrase, TitleReading))


class MemorySearch:
    """The search over one library's pages."""

    def __init__(self, ledger: PageLedger, state_of: Callable[[int], State]) -> None:
        self._ledger = ledger
        self._state_of = state_of
        self._texts: list[IndexedText] = []
        self._languages: dict[str, None] = {}
        self._seen = 0

    def catch_up(self, progress: Progress | None = None) -> int:
        """Takes in the texts stored since the last time; how many answers there were."""
        for content in self._ledger.contents[len(self._texts) :]:
            language = content.page.language
            terms = analyzer(language).terms
            title, body = terms(content.title), terms(content.text)
            self._texts.append(IndexedText(_spaced(title), _spaced(body), len(title) + len(body)))
            self._languages[code(language)] = None
        before, self._seen = self._seen, len(self._ledger.by_seq)
        new = self._seen - before
        if new and progress is not None:
            progress(new, new)
        return new

    def find(
        self, words: Sequence[str], language: str, filters: SearchFilters | None, limit: int, offset: int
    ) -> SearchResult:
        query = wanted(words, list(dict.fromkeys([language, *self._languages])))
        shown = self._shown(filters or SearchFilters())
        best = self._ranked(query, query.own, all, shown)
        if query.is_foreign:
            met = {content for content, _ in best}
            best += [each for each in self._ranked(query, query.sought, all, shown) if each[0] not in met]
        loosened = not best and len(query.sought) > 1
        if loosened:
            best = self._ranked(query, query.sought, any, shown)
        hits = [self._hit(shown[content], score, query) for content, score in best[offset : offset + limit]]
        return SearchResult(hits, len(best), loosened=loosened and bool(best))

    def matches(
        self, words: Sequence[str], language: str, filters: SearchFilters | None, limit: int
    ) -> list[SearchMatch]:
        query = wanted(words, list(dict.fromkeys([language, *self._languages])))
        shown = self._shown(filters or SearchFilters())
        found = [
            entry.page for content, _ in self._ranked(query, query.sought, all, shown) for _, entry in shown[content]
        ]
        return [
            SearchMatch(
                page.url, page.host, page.language, page.relevance, page.relevant, page.fetched_at, page.published
            )
            for page in found[:limit]
        ]

    def _shown(self, filters: SearchFilters) -> dict[int, list[tuple[int, PageEntry]]]:
        """Content -> the pages that show it now and may be found, the best first."""
        shown: dict[int, list[tuple[int, PageEntry]]] = {}
        for number, entry in self._ledger.pages.items():
            content = entry.version.content
            if content is not None and content.id <= len(self._texts) and _admits(filters, entry.page):
                shown.setdefault(content.id, []).append((number, entry))
        for pages in shown.values():
            pages.sort(key=self._precedence)
        return shown

    def _precedence(self, page: tuple[int, PageEntry]) -> tuple[bool, float, int]:
        number, entry = page
        return self._state_of(number) != "fetched", -entry.page.relevance, entry.page.seq

    def _ranked(
        self, query: SearchQuery, parts: Parts, quorum: Callable[[Iterable[bool]], bool], shown: Iterable[int]
    ) -> list[tuple[int, float]]:
        """(content, score) of what has all or any of the parts and nothing unwanted, the best first."""

        def fits(text: IndexedText) -> bool:
            return quorum(any(map(text.has, part)) for part in parts) and not any(
                text.has(phrase) for part in query.unwanted for phrase in part
            )

        phrases = [(phrase, self._idf(phrase)) for part in parts for phrase in part]
        mean = sum(text.length for text in self._texts) / max(1, len(self._texts))
        scores = [
            (content, sum(idf * _weight(text.frequency(phrase), text.length / mean) for phrase, idf in phrases))
            for content in shown
            if fits(text := self._texts[content - 1])
        ]
        return sorted(scores, key=lambda each: (-each[1], each[0]))

    def _idf(self, phrase: Reading) -> float:
        having = sum(text.has(phrase) for text in self._texts)
        return max(LEAST_IDF, log((len(self._texts) - having + 0.5) / (having + 0.5)))

    def _hit(self, pages: Sequence[tuple[int, PageEntry]], score: float, query: SearchQuery) -> SearchHit:
        number, entry = pages[0]
        page, content = entry.page, entry.version.content
        assert content is not None
        return SearchHit(
            url=page.url,
            title=page.title,
            host=page.host,
            language=page.language,
            score=round(score, 4),
            relevance=page.relevance,
            relevant=page.relevant,
            fetched_at=page.fetched_at,
            copies=len(pages) - 1,
            snippet=snippet(content.text, query.terms, query.words, page.language),
            state=self._state_of(number),
        )


def _admits(filters: SearchFilters, page: StoredPage) -> bool:
    return (
        page.relevance >= filters.relevance
        and (page.relevant or not filters.relevant)
        and (not filters.host or page.host == filters.host.lower())
        and (not filters.site or urls.site(page.url) == filters.site.lower())
        and (not filters.published or (page.published[:4] or UNDATED) == filters.published)
        and page.fetched_at >= filters.since
        and (page.fetched_at < filters.until or filters.until <= 0)
        and (not filters.language or page.language == filters.language)
        and filters.address.lower() in page.url.lower()
        and (filters.among is None or page.url in filters.among)
        and page.url not in filters.outside
    )


def _weight(frequency: float, relative_length: float) -> float:
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))


def _spaced(terms: Sequence[str]) -> str:
    return f" {' '.join(terms)} "


def _count(text: str, stems: str) -> int:
    """How often the stems stand there, also where one time shares its last with the next time's first."""
    found, start = 0, text.find(stems)
    while start >= 0:
        found += 1
        start = text.find(stems, start + 1)
    return found
