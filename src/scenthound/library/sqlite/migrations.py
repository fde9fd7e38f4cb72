"""The schema of `library.db`, as the list of steps that made it. The number of steps taken is in `user_version`.

URLs are linked by `id = urls.fingerprint(url)`, so a row can name another one without looking it up. Everything else
counts upwards and is appended. `versions.seq` grows with every answer stored and never changes: whoever derives
something from the library (search, backlinks) remembers the last one it has seen.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from scenthound.errors import LibraryVersion
from scenthound.library.damage import Damage, damaged_library
from scenthound.library.folder import DATABASE

Migration = Callable[[sqlite3.Connection], None]
MIGRATIONS: list[Migration] = []
MOST_VERSION = 999
"""A format number beyond this is no newer Scenthound's, but a damaged header."""


def migration(step: Migration) -> Migration:
    MIGRATIONS.append(step)
    return step


def migrate(connection: sqlite3.Connection, where: str) -> int:
    """Takes the steps this library has not seen, each in its own transaction; how many it had seen."""
    seen = check(connection, where)
    for number in range(seen, len(MIGRATIONS)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS[number](connection)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return seen


def check(connection: sqlite3.Connection, where: str) -> int:
    """The version of the schema; one from the future is refused, and a number that there will hardly be is damage."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if not 0 <= version <= MOST_VERSION:
        raise damaged_library(Path(where), [Damage(DATABASE, f"says that its format is {version}, which there is not")])
    if version > len(MIGRATIONS):
        raise LibraryVersion(
            f"{where} was made by a newer Scenthound (its format is {version}, this one knows {len(MIGRATIONS)}). "
            "Upgrade Scenthound to use it."
        )
    return version


@migration
def first(connection: sqlite3.Connection) -> None:
    for statement in FIRST.split(";"):
        connection.execute(statement)


@migration
def judged_again(connection: sqlite3.Connection) -> None:
    """Pages keep how they were first judged beside the present judgement."""
    connection.execute("ALTER TABLE pages ADD COLUMN first_relevance REAL NOT NULL DEFAULT 0")
    connection.execute("ALTER TABLE pages ADD COLUMN first_relevant INTEGER NOT NULL DEFAULT 0")
    connection.execute("UPDATE pages SET first_relevance = relevance, first_relevant = relevant")
    connection.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")


@migration
def held_back(connection: sqlite3.Connection) -> None:
    """Links wait again that were refused because a robots.txt could not be read: it was taken for a no.

    Who was refused by rules that were read is refused by them once more when its turn comes.
    """
    connection.execute(
        "UPDATE urls SET state = 0, reason = '' WHERE state = 3 AND reason = 'robots' AND host NOT IN "
        "(SELECT host FROM urls WHERE kind = 'robots' AND state = 1)"
    )


@migration
def snapshots(connection: sqlite3.Connection) -> None:
    """What strategy and judge had learned, and the links since that brought no page."""
    for statement in SNAPSHOTS.split(";"):
        connection.execute(statement)


@migration
def page_lists(connection: sqlite3.Connection) -> None:
    """Pages by relevance, by language and by host, so that a list of a million is read a stretch at a time."""
    connection.execute("CREATE INDEX pages_best ON pages (relevance DESC, seq)")
    connection.execute("CREATE INDEX pages_language ON pages (language, relevance DESC, seq)")
    # The state is in it so that a salvage does not take its rows (a text, a number) for those of `counters`.
    connection.execute("CREATE INDEX urls_answered ON urls (host, state) WHERE version IS NOT NULL")


@migration
def finds(connection: sqlite3.Connection) -> None:
    """What pages since the snapshots brought: with it traps are known again as if the crawl had not ended."""
    connection.execute("CREATE TABLE finds (page INTEGER PRIMARY KEY, urls BLOB NOT NULL)")


@migration
def figures(connection: sqlite3.Connection) -> None:
    """What `status` and `changes` count of pages, without the rest of their rows."""
    connection.execute(
        "CREATE INDEX pages_figures ON pages (seq, relevant, first_relevant, duplicate_of, noindex, bytes)"
    )
    connection.execute("CREATE INDEX pages_first ON pages (first_at, relevant)")


@migration
def published(connection: sqlite3.Connection) -> None:
    """When pages were published, and by what that is known. Of pages that are there already nothing is."""
    connection.execute("ALTER TABLE pages ADD COLUMN published TEXT NOT NULL DEFAULT ''")
    connection.execute("CREATE INDEX pages_published ON pages (substr(published, 1, 4), relevance DESC, seq)")


@migration
def endings(connection: sqlite3.Connection) -> None:
    """How a link ended that brought no page. What is there already failed: of others nothing was kept."""
    connection.execute("ALTER TABLE misses ADD COLUMN ending TEXT NOT NULL DEFAULT 'failed'")


SNAPSHOTS = """
CREATE TABLE snapshots (          -- see snapshot_format
    name TEXT PRIMARY KEY,        -- what it is of: strategy, judge ...
    made_with TEXT NOT NULL,
    page INTEGER NOT NULL,        -- pages.seq of the last page it knows
    manifest BLOB NOT NULL        -- JSON, zlib
) WITHOUT ROWID;
CREATE TABLE snapshot_pieces (    -- of their arrays, each once
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    packed BLOB NOT NULL
);
CREATE TABLE misses (             -- links that brought no page, since the snapshots
    nth INTEGER PRIMARY KEY,
    page INTEGER NOT NULL,        -- pages.seq of the last page before
    url INTEGER NOT NULL
)
"""

FIRST = """
CREATE TABLE urls (               -- every URL ever found
    id INTEGER PRIMARY KEY,       -- urls.fingerprint(url)
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    state INTEGER NOT NULL,       -- see url_table.STATES
    reason TEXT NOT NULL,         -- of a failure, refusal or retry, or the target of a redirect
    priority REAL NOT NULL,
    nth INTEGER NOT NULL,         -- order of discovery
    depth INTEGER NOT NULL,
    memory BLOB,                  -- the strategy's
    evidence INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    hops INTEGER NOT NULL,
    not_before REAL NOT NULL,
    source INTEGER,               -- the way to it: the URL it was found on, and how it looked there
    anchor TEXT NOT NULL,
    title TEXT NOT NULL,
    context TEXT NOT NULL,
    block INTEGER NOT NULL,
    position INTEGER NOT NULL,
    rel TEXT NOT NULL,
    kind TEXT NOT NULL,
    found_at REAL NOT NULL,
    changed_at REAL NOT NULL,
    version INTEGER               -- its latest answer
);
CREATE INDEX urls_waiting ON urls (state, host, priority DESC, nth) WHERE state = 0;
CREATE INDEX urls_finished ON urls (state, reason) WHERE state > 0;

CREATE TABLE pages (              -- every URL that turned out to be a page, as the latest visit left it
    seq INTEGER PRIMARY KEY,      -- order of the first visit
    id INTEGER NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    versions INTEGER NOT NULL,    -- how many visits
    status INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    charset TEXT NOT NULL,
    language TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    canonical TEXT NOT NULL,
    relevance REAL NOT NULL,
    relevant INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    first_at REAL NOT NULL,
    fetched_at REAL NOT NULL,
    checked_at REAL NOT NULL,     -- when it was last known to be as stored
    etag TEXT NOT NULL,           -- what its server wants to be asked with
    modified TEXT NOT NULL,
    digest BLOB NOT NULL,
    content INTEGER,
    simhash INTEGER NOT NULL,
    duplicate_of INTEGER,
    noindex INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    wire INTEGER NOT NULL,
    elapsed REAL NOT NULL
);

CREATE TABLE versions (           -- every answer, and where its bytes are
    seq INTEGER PRIMARY KEY,
    url INTEGER NOT NULL,
    previous INTEGER,             -- the answer before, of the same URL
    at REAL NOT NULL,
    status INTEGER NOT NULL,
    digest BLOB NOT NULL,         -- SHA-1 of the body
    content INTEGER,
    warc INTEGER,
    offset INTEGER,
    length INTEGER
);
CREATE TABLE contents (           -- every distinct body of a page, once
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    version INTEGER NOT NULL,     -- the answer that brought it first
    title TEXT NOT NULL,
    text BLOB NOT NULL            -- visible text: UTF-8, zlib
);
CREATE TABLE links (              -- the links of a version, packed: see row_batch.pack_links
    version INTEGER PRIMARY KEY,
    packed BLOB NOT NULL
);
CREATE TABLE checks (             -- every look at a page that was stored already
    seq INTEGER PRIMARY KEY,
    url INTEGER NOT NULL,
    at REAL NOT NULL,
    outcome TEXT NOT NULL,        -- see model.Outcome
    status INTEGER NOT NULL,
    kind TEXT NOT NULL,           -- of a change: which test noticed it
    size REAL NOT NULL,
    version INTEGER,              -- the answer it brought, if that was kept
    relevance REAL NOT NULL,      -- of the page after the look, and before
    relevant INTEGER NOT NULL,
    before REAL NOT NULL,
    was_relevant INTEGER NOT NULL,
    detail TEXT NOT NULL,
    modified_at REAL              -- by its Last-Modified, of a look that found the page
);
CREATE INDEX checks_url ON checks (url, seq);
CREATE INDEX checks_at ON checks (at);
CREATE TABLE missing (            -- what hosts answer to a URL that cannot exist
    host TEXT PRIMARY KEY,
    at REAL NOT NULL,
    status INTEGER NOT NULL,
    target TEXT NOT NULL,         -- of a redirect
    simhash INTEGER NOT NULL,
    digest BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE images (             -- pictures of watched pages, as they last were
    id INTEGER PRIMARY KEY,       -- urls.fingerprint(url)
    url TEXT NOT NULL,
    at REAL NOT NULL,
    etag TEXT NOT NULL,
    modified TEXT NOT NULL,
    digest BLOB NOT NULL,
    prints TEXT NOT NULL          -- codes and hashes, as JSON
);
CREATE TABLE hosts (
    host TEXT PRIMARY KEY,
    asked INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    relevant INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    last_asked REAL NOT NULL,
    delay REAL NOT NULL           -- seconds between requests that its robots.txt asks for
) WITHOUT ROWID;
CREATE TABLE warcs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL        -- whole records only, anything beyond is left over from a crash
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started_at REAL NOT NULL,
    ended_at REAL,
    reason TEXT NOT NULL,
    software TEXT NOT NULL,
    config TEXT NOT NULL,
    counters TEXT NOT NULL
);
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID
"""
