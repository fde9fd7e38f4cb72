"""Do the files that are derived from `library.db` agree with it? They may be deleted at any time, and are made anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from scenthound.library.damage import Damage, repair_command
from scenthound.library.folder import DATABASE
from scenthound.library.sqlite import backlink_index, main_texts, search_index
from scenthound.library.sqlite.database_check import SQLITE_ERRORS, connect_raw

_MATCHING = (
    "SELECT count(*) FROM main.pages s JOIN library.pages l ON l.id = s.id AND l.content = s.content "
    "WHERE l.version <= (SELECT version FROM main.seen)"
)
_EXPECTED = (
    "SELECT count(*) FROM library.pages WHERE content IS NOT NULL AND version <= (SELECT version FROM main.seen)"
)


def check_indexes(folder: Path) -> list[Damage]:
    """What is wrong with the search index, that of who links to whom, and the main texts."""
    found = []
    checks = {search_index.NAME: _search_fault, backlink_index.NAME: _backlink_fault, main_texts.NAME: _no_fault}
    for name, wrong in checks.items():
        if (folder / name).exists() and (what := _asked(wrong, folder, name)):
            remedy = f"Delete it, and it is made anew when it is needed; so does {repair_command(folder)}"
            found.append(Damage(name, what, remedy=remedy))
    return found


def remove_indexes(folder: Path) -> None:
    search_index.remove(folder)
    backlink_index.remove(folder)
    main_texts.remove(folder)


def _asked(wrong: Callable[[sqlite3.Connection], str], folder: Path, name: str) -> str:
    try:
        with closing(connect_raw(folder / name)) as connection:
            connection.execute("ATTACH ? AS library", (f"{(folder / DATABASE).absolute().as_uri()}?mode=ro",))
            faults = [row[0].decode("utf-8", "replace") for row in connection.execute("PRAGMA main.quick_check(1)")]
            return f"is damaged ({faults[0]})" if faults != ["ok"] else wrong(connection)
    except SQLITE_ERRORS as error:
        return f"is damaged ({error})"


def _search_fault(connection: sqlite3.Connection) -> str:
    remembered = connection.execute("SELECT library FROM main.seen").fetchone()
    if remembered is None or remembered[0].decode("utf-8", "replace") != search_index.identity(connection):
        return ""  # another library stood here once: the next search begins it anew
    there, wanted = (connection.execute(query).fetchone()[0] for query in (_MATCHING, _EXPECTED))
    return f"does not agree with {DATABASE}: of {wanted} pages it has {there}" if there != wanted else ""


def _backlink_fault(connection: sqlite3.Connection) -> str:
    (seen,) = connection.execute("SELECT coalesce(max(version), 0) FROM main.seen").fetchone()
    query = "SELECT count(DISTINCT l.version) FROM library.links l WHERE l.version <= ?"
    (pages,) = connection.execute(query, (seen,)).fetchone()
    (sources,) = connection.execute("SELECT count(DISTINCT source) FROM main.backlinks").fetchone()
    return f"does not agree with {DATABASE}: it knows no links" if pages and not sources else ""


def _no_fault(connection: sqlite3.Connection) -> str:
    return ""  # each row is known by the answer it was made from
