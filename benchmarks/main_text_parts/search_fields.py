"""Indexes over the same pages that differ in what they take of a page, and questions whose answers are known."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from math import log2
from random import Random

from main_text_parts.main_pages import PagesOfMainText
from scenthound.lab.judges.web_pages import WebPages
from scenthound.lab.topics import LabTopic
from scenthound.library.search_words import wanted
from scenthound.library.sqlite.fts_query import fts_query
from scenthound.library.sqlite.search_index import BODY_WEIGHT, TITLE_WEIGHT
from scenthound.model import Page
from scenthound.text.analysis import analyzer

LANGUAGE = "en"
DEPTH = 10
"""Answers that a person looks at."""

INDEXES = {
    "whole page": ("fields", (TITLE_WEIGHT, BODY_WEIGHT, BODY_WEIGHT)),
    "main text": ("alone", (TITLE_WEIGHT, BODY_WEIGHT)),
    "the rest counts a half": ("fields", (TITLE_WEIGHT, BODY_WEIGHT, BODY_WEIGHT / 2)),
    "the rest counts a fifth": ("fields", (TITLE_WEIGHT, BODY_WEIGHT, BODY_WEIGHT / 5)),
}
"""Table and weights of its fields. The first is what `search` has: to FTS5 two fields of one weight are one field."""

Scores = dict[str, dict[str, float]]
"""Of each index, what each question got."""


class SearchFields:
    """Two tables in memory: title, main text and the rest of a page; title and main text alone."""

    def __init__(self, whole: WebPages, main: PagesOfMainText, addresses: Sequence[str]) -> None:
        self.pages: dict[int, Page] = {}
        self.numbers: dict[str, int] = {}
        self._database = sqlite3.connect(":memory:")
        for table, columns in (("fields", "title, main, rest"), ("alone", "title, main")):
            self._database.execute(f"CREATE VIRTUAL TABLE {table} USING fts5({columns}, content='', tokenize='ascii')")
        for url in addresses:
            page, said = whole.page(url, LANGUAGE), main.page(url, LANGUAGE)
            if page is not None and said is not None and page.url not in self.numbers:
                self._take(page, said)

    def _take(self, page: Page, said: Page) -> None:
        number = self.numbers[page.url] = len(self.numbers) + 1
        self.pages[number] = page
        terms = analyzer(page.language or LANGUAGE).terms
        title, main = " ".join(terms(page.title)), terms(said.text)
        rest = list((Counter(terms(page.text)) - Counter(main)).elements())
        row = (number, title, " ".join(main), " ".join(rest))
        self._database.execute("INSERT INTO fields (rowid, title, main, rest) VALUES (?, ?, ?, ?)", row)
        self._database.execute("INSERT INTO alone (rowid, title, main) VALUES (?, ?, ?)", row[:3])

    def ranked(self, words: Sequence[str], index: str) -> list[int]:
        """As `search` does: pages with all words, or where there is none, those with some."""
        table, weights = INDEXES[index]
        query = fts_query(wanted(words, [LANGUAGE]))
        order = f"bm25({table}, {', '.join(map(str, weights))})"
        for expression in filter(None, (query.every, query.some)):
            sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY {order}, rowid"
            found = [number for (number,) in self._database.execute(sql, (expression,))]
            if found:
                return found
        return []


class Questions:
    def __init__(self, fields: SearchFields, topics: Sequence[LabTopic], links: int) -> None:
        self.fields = fields
        self.topics = topics
        self.links = sample_of(links_asked(fields), links)

    def asked(self) -> dict[str, Scores]:
        """By measure."""
        precision: Scores = {index: {} for index in INDEXES}
        gain: Scores = {index: {} for index in INDEXES}
        reciprocal: Scores = {index: {} for index in INDEXES}
        for index in INDEXES:
            for topic in self.topics:
                words = [keyword.term for keyword in topic.keywords]
                answers = {self.fields.numbers[url] for url in topic.targets if url in self.fields.numbers}
                ranked = [number for number in self.fields.ranked(words, index) if self._in_scope(number, topic)]
                precision[index][topic.name] = average_precision(ranked, answers)
                gain[index][topic.name] = ndcg(ranked, answers)
            for words_of_link, answer in self.links:
                ranked = self.fields.ranked(words_of_link.split(), index)[:DEPTH]
                place = ranked.index(answer) + 1 if answer in ranked else 0
                reciprocal[index][words_of_link] = 1 / place if place else 0.0
        return {
            "topics, average precision": precision,
            f"topics, nDCG of {DEPTH}": gain,
            f"links, reciprocal rank of {DEPTH}": reciprocal,
        }

    def _in_scope(self, number: int, topic: LabTopic) -> bool:
        host = self.fields.pages[number].url.split("/")[2]
        return not topic.scope or any(host == each or host.endswith(f".{each}") for each in topic.scope)


def links_asked(fields: SearchFields) -> dict[str, int]:
    """Words of links -> the one page that is called so by others, and that does not have them as its title."""
    called: dict[str, set[int]] = {}
    for page in fields.pages.values():
        for link in page.links:
            number = fields.numbers.get(link.url)
            if number is not None and link.url != page.url:
                called.setdefault(" ".join(link.anchor.lower().split()), set()).add(number)
    terms = analyzer(LANGUAGE).terms
    return {
        words: number
        for words, (number, *others) in ((words, sorted(numbers)) for words, numbers in called.items())
        if not others and 2 <= len(terms(words)) <= 6 and terms(words) != terms(fields.pages[number].title)
    }


def sample_of(links: dict[str, int], size: int) -> list[tuple[str, int]]:
    known = sorted(links.items())
    return Random(20).sample(known, min(size, len(known)))


def average_precision(ranked: Sequence[int], answers: set[int]) -> float:
    """Answers that are not found count as never."""
    found, total = 0, 0.0
    for place, number in enumerate(ranked, 1):
        if number in answers:
            found += 1
            total += found / place
    return total / len(answers) if answers else 0.0


def ndcg(ranked: Sequence[int], answers: set[int]) -> float:
    gained = sum(1 / log2(place + 1) for place, number in enumerate(ranked[:DEPTH], 1) if number in answers)
    best = sum(1 / log2(place + 1) for place in range(1, min(DEPTH, len(answers)) + 1))
    return gained / best if best else 0.0
