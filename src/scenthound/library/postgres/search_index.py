"""The index behind `search`: the stems of every stored text, as PostgreSQL's full text finds them.

A crawl never writes here. A text is indexed once, however many pages have it. `stems` says which stems a text has, and
has an index; `title` and `body` have them in their order, each with a blank on both sides, so that a phrase is found
and counted as a stretch of them. PostgreSQL's own positions would end at 16,383 words and at 256 times a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenthound import urls
from scenthound.library.archive.compression import unpack
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.derived_tables import catch_up_with_versions
from scenthound.library.sql.bulk_insert import Insert
from scenthound.protocols.crawl import Progress
from scenthound.text.analysis import analyzer
from scenthound.text.languages import code

MOST_BYTES = 500_000
"""Of the stems that a text is found by: PostgreSQL takes a megabyte, what it notes about them included."""

_NEW_TEXTS = (
    "SELECT DISTINCT ON (p.content) p.content, p.language, p.title, c.text, u.url FROM versions v "
    "JOIN pages p ON p.id = v.url JOIN urls u ON u.id = p.id JOIN contents c ON c.id = p.content "
    "WHERE v.seq > ? AND v.seq <= ? AND NOT EXISTS (SELECT 1 FROM search_words w WHERE w.content = p.content)"
)
_HOSTS = "SELECT DISTINCT u.host FROM versions v JOIN urls u ON u.id = v.url WHERE v.seq > ? AND v.seq <= ?"


def catch_up(connection: PostgresConnection, progress: Progress | None = None) -> int:
    """Takes in the versions stored since the last time; how many there were."""
    return catch_up_with_versions(connection, "search", _take_in, progress)


def _take_in(connection: PostgresConnection, after: int, upto: int) -> None:
    rows, languages = [], set()
    for content, language, title, packed, _ in connection.execute(_NEW_TEXTS, (after, upto)).fetchall():
        terms = analyzer(language).terms
        heading, body = terms(title), terms(unpack(packed).decode())
        rows.append((content, _findable(heading, body), spaced(heading), spaced(body), len(heading) + len(body)))
        languages.add((code(language),))
    _WORDS(connection, rows)
    _LANGUAGES(connection, sorted(languages))
    hosts = [host for (host,) in connection.execute(_HOSTS, (after, upto)).fetchall()]
    _SITES(connection, [(host, urls.site(f"http://{host}/")) for host in hosts])


def spaced(terms: Iterable[str]) -> str:
    return "".join(f" {term} " for term in terms)


def _findable(heading: Sequence[str], body: Sequence[str]) -> list[str]:
    """Each stem once, those of the title first; of a text without end, as many as PostgreSQL takes."""
    stems = dict.fromkeys([*heading, *body])
    room, kept = MOST_BYTES, []
    for stem in stems:
        room -= len(stem.encode()) + 4
        if room < 0:
            break
        kept.append(stem)
    return kept


_WORDS = Insert("search_words", 5, values="(?, array_to_tsvector(CAST(? AS TEXT[])), ?, ?, ?)")
_LANGUAGES = Insert("search_languages", 1, "ON CONFLICT DO NOTHING")
_SITES = Insert("search_sites", 2, "ON CONFLICT DO NOTHING")
