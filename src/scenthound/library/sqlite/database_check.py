"""Is `library.db` whole? Asked of SQLite (do its pages fit together?) and of ourselves (does what they say?).

file      there, not empty, a database of ours
tables    SQLite's integrity check, table by table, so that the damaged one can be named
rows      `row_rules`
references   what a row names is there: the URL of a page, its latest answer, its text
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from scenthound.library.archive.warc_files import files_in
from scenthound.library.damage import Damage, repair_command
from scenthound.library.folder import ARCHIVE, DATABASE, REPAIRED
from scenthound.library.sqlite.migrations import MIGRATIONS, MOST_VERSION
from scenthound.library.sqlite.row_rules import TableRules, tables

SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What Python raises over a damaged file: SQLite's message may quote what is in it, and that need be no text."""

MAGIC = b"SQLite format 3\x00"

REFERENCES = [
    ("pages", "id", "urls", "id", "pages whose URL is not stored"),
    ("pages", "version", "versions", "seq", "pages whose answer is not stored"),
    ("pages", "content", "contents", "id", "pages whose text is not stored"),
    ("versions", "content", "contents", "id", "answers whose text is not stored"),
    ("versions", "warc", "warcs", "id", "answers in a WARC file that is not listed"),
    ("contents", "version", "versions", "seq", "texts whose answer is not stored"),
]
"""Table and column, table and column it points to, what is wrong where it points to nothing."""

OTHER_DIGEST = "EXISTS (SELECT 1 FROM versions v WHERE v.seq = p.version AND (v.digest, v.url) IS NOT (p.digest, p.id))"
"""Of a row `p` of pages: its digest is not that of its answer, or the answer is another URL's."""

_OF_PAGE = {
    "urls": ("id", "id"),
    "versions": ("version", "seq"),
    "contents": ("content", "id"),
    "links": ("version", "version"),
}
"""Tables that a page has a row in: which column of `pages` names it, and the column there."""

Told = Callable[[str, int, int], None]
"""What is being looked at, how many of how many."""


def file_damage(folder: Path) -> Damage | None:
    """What can be seen of `library.db` from outside."""
    path, archived = folder / DATABASE, files_in(folder / ARCHIVE)
    remedy = repair_command(folder)
    if (folder / REPAIRED).exists():
        return Damage(DATABASE, "is in the middle of a repair that was interrupted", remedy=remedy)
    kept = f"although there are answers in {ARCHIVE}/ (files: {len(archived)})"
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except FileNotFoundError:
        return Damage(DATABASE, f"is missing, {kept}", remedy=remedy) if archived else None
    if not head and not _has_log(path):
        return Damage(DATABASE, f"is empty (0 bytes), {kept}", remedy=remedy) if archived else None
    if head and head != MAGIC:
        return Damage(DATABASE, f"is no SQLite database: it begins with {head[:16]!r}", remedy=remedy)
    return None


def _has_log(path: Path) -> bool:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False


class DatabaseCheck:
    """One look at a database. `patience`: after so many seconds it says what it has found until then."""

    def __init__(self, folder: Path, told: Told = lambda what, done, whole: None, patience: float = 0.0) -> None:
        self.folder = folder
        self.told = told
        self._until = time.monotonic() + patience if patience else 0.0
        self.damages: list[Damage] = []
        self._broken: set[str] = set()  # tables that SQLite cannot read through

    def run(self) -> list[Damage]:
        if (damage := file_damage(self.folder)) is not None:
            return [damage]
        try:
            with closing(connect_raw(self.folder / DATABASE)) as connection:
                if self._schema(connection):
                    self._tables(connection)
                    self._rows(connection)
                    self._references(connection)
        except SQLITE_ERRORS as error:
            if not self.damages:
                self._found("", f"cannot be read ({error})")
        return self.damages

    def _found(self, table: str, what: str, pages: int | None = None) -> None:
        part = f"{DATABASE}, table {table}" if table else DATABASE
        self.damages.append(Damage(part, what, pages, repair_command(self.folder)))

    def _impatient(self) -> bool:
        return bool(self._until) and time.monotonic() >= self._until

    def _schema(self, connection: sqlite3.Connection) -> bool:
        """Are all tables there, with the columns that they have in libraries of this format?"""
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if not 0 < version <= MOST_VERSION:
            self._found("", f"says that its format is {version}, which there is not")
            return False
        if version > len(MIGRATIONS):
            self._found("", f"was made by a newer Scenthound (its format is {version}); that one can check it")
            return False
        for name, rules in tables(version).items():
            columns = [row[1].decode("utf-8", "replace") for row in connection.execute(f"PRAGMA table_info({name})")]
            if columns != [column.name for column in rules.columns]:
                self._found(name, "is not there" if not columns else "has other columns than it should")
        return not self.damages

    def _tables(self, connection: sqlite3.Connection) -> None:
        expected = tables(connection.execute("PRAGMA user_version").fetchone()[0])
        for number, name in enumerate(expected):
            self.told("Checking table", number, len(expected))
            if self._impatient():
                return
            if lines := integrity(connection, f"integrity_check({name})"):
                self._broken.add(name)
                pages = self._pages_concerned(connection, name)
                self._found(name, f"is damaged (faults: {len(lines)}; the first: {lines[0]})", pages)
        if not self.damages and (lines := integrity(connection, "quick_check")):
            self._found("", f"is damaged ({lines[0]})")

    def _pages_concerned(self, connection: sqlite3.Connection, table: str) -> int | None:
        """Pages whose row in a damaged table cannot be read."""
        if table == "pages":
            return _unread_pages(connection)
        if table not in _OF_PAGE or "pages" in self._broken:
            return None
        of_page, key = _OF_PAGE[table]
        concerned = 0
        try:
            named = connection.execute(f"SELECT {of_page} FROM pages WHERE {of_page} IS NOT NULL").fetchall()
        except SQLITE_ERRORS:
            return None
        for (value,) in named:
            try:
                found = connection.execute(f"SELECT * FROM {table} WHERE {key} = ?", (value,)).fetchone()
                concerned += found is None and table != "links"  # a page without links has no row there
            except SQLITE_ERRORS:
                concerned += 1
        return concerned

    def _rows(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for name, rules in tables(version).items():
            if name not in self._broken:
                self._rows_of(connection, rules)

    def _rows_of(self, connection: sqlite3.Connection, rules: TableRules) -> None:
        faults: Counter[str] = Counter()
        whole = connection.execute(f"SELECT count(*) FROM {rules.name}").fetchone()[0]
        for number, row in enumerate(connection.execute(f"SELECT * FROM {rules.name}")):
            if not number % 1000:
                self.told(f"Checking row of {rules.name}", number, whole)
                if self._impatient():
                    break
            if fault := rules.fault(row):
                faults[fault] += 1
        if faults:
            count = faults.total()
            worst = ", ".join(f"{fault} ({number})" for fault, number in faults.most_common(3))
            pages = count if rules.name in ("pages", *_OF_PAGE) else None
            self._found(rules.name, f"has damaged rows, {count} in all: {worst}", pages)

    def _references(self, connection: sqlite3.Connection) -> None:
        if not self._broken and not self._impatient():
            for table, column, other, key, wrong in REFERENCES:
                count = connection.execute(
                    f"SELECT count(*) FROM {table} t WHERE t.{column} IS NOT NULL "
                    f"AND NOT EXISTS (SELECT 1 FROM {other} o WHERE o.{key} = t.{column})"
                ).fetchone()[0]
                if count:
                    self._found(table, f"has {count} {wrong}", count)
            (count,) = connection.execute(f"SELECT count(*) FROM pages p WHERE {OTHER_DIGEST}").fetchone()
            if count:
                self._found("pages", f"has {count} pages that are not as their answers are", count)


def connect_raw(path: Path) -> sqlite3.Connection:
    """To read what may be damaged: texts come as bytes, whatever they are."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=60)
    connection.text_factory = bytes
    return connection


def integrity(connection: sqlite3.Connection, pragma: str) -> list[str]:
    """What SQLite finds wrong."""
    try:
        found = [row[0] for row in connection.execute(f"PRAGMA {pragma}")]
        lines = [line.decode("utf-8", "replace") if isinstance(line, bytes) else line for line in found]
    except SQLITE_ERRORS as error:
        return [str(error)]
    told = [line for text in lines for line in text.splitlines() if not line.startswith("***")]
    return [] if told == ["ok"] else told


def _unread_pages(connection: sqlite3.Connection) -> int | None:
    """How many of the pages that were counted cannot be read."""
    try:
        row = connection.execute("SELECT value FROM counters WHERE name = 'page'").fetchone()
    except SQLITE_ERRORS:
        return None
    return sum(not _has_page(connection, seq) for seq in range(1, row[0])) if row is not None else None


def _has_page(connection: sqlite3.Connection, seq: int) -> bool:
    try:
        return connection.execute("SELECT * FROM pages WHERE seq = ?", (seq,)).fetchone() is not None
    except SQLITE_ERRORS:
        return False
