"""What people type: topics, searches and scope rules."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable
from functools import cache

from fuzz.targets.target import level, must, target
from scenthound.library.search_words import wanted
from scenthound.library.sqlite.fts_query import fts_query
from scenthound.scope import grammar
from scenthound.text.sentence import is_sentence, understood

LANGUAGES = ("en", "de", "ja", "", "fr", "xx")


@target(
    "scope",
    *(
        "site:",
        "host:",
        "path:",
        "depth<",
        "scheme:",
        "match:",
        "language:",
        "type:",
        " and ",
        " or ",
        "not ",
        "(",
        ")",
    ),
    *("*", "?", '"', "\\", "example.org", "/a/*", "https", "pdf", "de", "^a+$", "(a+)+$", "[a-"),
)
def try_scope(data: bytes) -> Hashable:
    rule = grammar.parse(data.decode("utf-8", "replace"))
    again = grammar.parse(str(rule))
    must(again == rule, "printed and read again it is another rule")
    said = [
        rule(url, 3, "en") for url in ("http://example.org/a/b.pdf?q", "https://de.b.test/", "http://[::1]/aaaaaaaa")
    ]
    must(
        said
        == [
            again(url, 3, "en")
            for url in ("http://example.org/a/b.pdf?q", "https://de.b.test/", "http://[::1]/aaaaaaaa")
        ],
        "another word",
    )
    return type(rule).__name__, *said, level(len(str(rule)))


@cache
def _index() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE pages USING fts5 (title, text)")
    database.execute("INSERT INTO pages VALUES ('coral reefs', 'warm water and what it does to coral')")
    return database


@target(
    "topics",
    *(
        "I am looking for pages about ",
        "coral bleaching",
        " and ",
        "not",
        '"',
        "what is ",
        "?",
        ",",
        " OR ",
        "NEAR(",
        "*",
    ),
    *("die Geschichte der ", "quarks", "C++", "日本", "-", "^", "title:", "{", "'", "ﬁ", "ı", "ẞ"),
)
def try_topics(data: bytes) -> Hashable:
    kind, text = (data[0], data[1:].decode("utf-8", "replace")) if data else (0, "")
    language = LANGUAGES[kind % len(LANGUAGES)]
    if not text.strip():
        return "nothing said"
    topic = understood(text, language)
    weights = [keyword.weight for keyword in topic.keywords]
    must(all(0 < weight <= 1 for weight in weights), "a weight out of bounds")
    must(not weights or abs(sum(weights) - 1) < 1e-6, "weights that do not sum to 1")
    must(all(keyword.term.strip() for keyword in topic.keywords), "a keyword of nothing")
    query = fts_query(wanted([text], [language or "en"]))
    asked = [value for value in (getattr(query, name) for name in query.__struct_fields__) if isinstance(value, str)]
    for match in filter(None, asked):
        _index().execute("SELECT count(*) FROM pages WHERE pages MATCH ?", (match,)).fetchone()
    return is_sentence(text, language), level(len(weights)), language, level(len(asked))
