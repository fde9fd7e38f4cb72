"""The rest of a repaired library: links that waited and whose rows are lost, the figures of hosts, the counters."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

from scenthound import urls
from scenthound.library.sql.row_batch import unpack_links
from scenthound.library.sql.url_table import COLUMNS, MOVED, WAITING
from scenthound.library.sqlite.database_check import Told
from scenthound.model import Link, Page
from scenthound.text.surrogates import encodable

ChooseLinks = Callable[[Page, int], Iterable[Link]]
"""Which links of a page, found at that depth, a crawl with these settings would follow."""

_PAGES = (
    "SELECT u.url, p.language, p.depth, p.relevance, l.packed FROM pages p JOIN urls u ON u.id = p.id "
    "JOIN links l ON l.version = p.version ORDER BY p.seq"
)
_HOSTS = (
    "INSERT INTO hosts SELECT u.host, count(*), count(*), coalesce(sum(p.relevant AND p.duplicate_of IS NULL), 0), 0, "
    "sum(iif(p.wire > 0, p.wire, p.bytes)), max(p.fetched_at), -1.0 FROM pages p JOIN urls u ON u.id = p.id "
    "GROUP BY u.host ON CONFLICT (host) DO UPDATE SET pages = excluded.pages, relevant = excluded.relevant, "
    "asked = max(asked, excluded.asked), bytes = max(bytes, excluded.bytes), "
    "last_asked = max(last_asked, excluded.last_asked)"
)
_COUNTERS = {
    "page": "(SELECT max(seq) FROM pages)",
    "version": "max((SELECT max(seq) FROM versions), (SELECT coalesce(max(version), 0) FROM checks))",
    "content": "(SELECT max(id) FROM contents)",
    "order": "(SELECT max(nth) FROM urls)",
}


def find_links_again(new: sqlite3.Connection, choose: ChooseLinks, told: Told) -> int:
    """Links of stored pages that have no row wait, by the relevance of the first page that has them; how many."""
    found = 0
    (order,) = new.execute("SELECT coalesce(max(nth), -1) + 1 FROM urls").fetchone()
    pages = new.execute(_PAGES).fetchall()
    for done, (url, language, depth, relevance, packed) in enumerate(pages):
        told("Looking for links of page", done, len(pages))
        page = Page(url=url, language=language, links=tuple(unpack_links(packed, url)))
        for link in choose(page, depth + 1):
            found += _insert(new, link, relevance, order + found, depth + 1)
    for url, target, depth in new.execute(f"SELECT url, reason, depth FROM urls WHERE state = {MOVED}").fetchall():
        if urls.canonical(target) == target:
            found += _insert(new, Link(url=target, source=url, kind="redirect"), 0.5, order + found, depth)
    return found


def _insert(new: sqlite3.Connection, link: Link, priority: float, order: int, depth: int) -> int:
    row = {
        "id": urls.fingerprint(link.url), "url": link.url, "host": urls.host(link.url), "state": WAITING, "reason": "",
        "priority": priority, "nth": order, "depth": depth, "memory": None, "evidence": 1, "tries": 0, "hops": 0,
        "not_before": 0.0, "source": urls.fingerprint(link.source) if link.source else None, "anchor": link.anchor,
        "title": link.title, "context": link.context, "block": link.block, "position": link.position, "rel": link.rel,
        "kind": link.kind, "found_at": 0.0, "changed_at": 0.0, "version": None,
    }  # fmt: skip
    values = encodable([row[name] for name in COLUMNS])
    return new.execute(f"INSERT OR IGNORE INTO urls VALUES ({', '.join('?' * len(COLUMNS))})", values).rowcount


def count_again(new: sqlite3.Connection) -> None:
    """Figures of hosts and counters follow from the other tables."""
    new.execute("UPDATE hosts SET pages = 0, relevant = 0")
    new.execute(_HOSTS)
    for name, last in _COUNTERS.items():
        first = 0 if name == "order" else 1
        new.execute(f"INSERT OR REPLACE INTO counters SELECT ?, coalesce({last} + 1, {first})", (name,))
