"""A library as a folder: opening, locking, and the way in for what a crawl records."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

from scenthound.config import LibrarySection
from scenthound.errors import LibraryBusy, LibraryFull, LibraryMissing, LibraryVersion
from scenthound.library.archive.warc_files import WarcArchive, WarcFile, files_in
from scenthound.library.damage import Damage, damaged_library
from scenthound.library.derived_answers import DerivedAnswers
from scenthound.library.folder import ARCHIVE, DATABASE, is_library
from scenthound.library.folder_lock import FolderLock
from scenthound.library.label_figures import with_labels
from scenthound.library.label_file import LabelFile
from scenthound.library.run_settings import last_settings
from scenthound.library.sql.decisions import SqlDecisions
from scenthound.library.sql.figures import SqlFigures
from scenthound.library.sql.frontier_store import SqlFrontierStore
from scenthound.library.sql.history import SqlHistory
from scenthound.library.sql.judgements import SqlJudgements
from scenthound.library.sql.page_lists import SqlPageLists
from scenthound.library.sql.recorder import SOFTWARE, SqlRecorder
from scenthound.library.sql.snapshots import SqlSnapshots
from scenthound.library.sql.stored_pages import SqlPages
from scenthound.library.sql.whole_library import WholeLibrary
from scenthound.library.sql.writer import Writer
from scenthound.library.sqlite import migrations
from scenthound.library.sqlite.checkpoints import Checkpoints
from scenthound.library.sqlite.cut_archive import SqliteArchive
from scenthound.library.sqlite.database_check import SQLITE_ERRORS, file_damage
from scenthound.library.sqlite.explain_error import damage_behind, explain
from scenthound.library.sqlite.main_texts import MainTexts
from scenthound.library.sqlite.queries import SqliteQueries
from scenthound.library.sqlite.search import SqliteSearch
from scenthound.library.sqlite.transactions import SqliteTransactions
from scenthound.library.stored_pages import main_text_of
from scenthound.model import Label, LabelKind, MainText
from scenthound.protocols.crawl import Clock, Progress
from scenthound.protocols.records import SearchFilters, SearchMatch, SearchResult

CACHE = 8_192
"""KB of the database that the writing connection holds; whatever else is asked for is in the system's own cache."""


class SqliteLibrary(
    SqliteQueries,
    SqlRecorder,
    SqlFrontierStore,
    SqlPages,
    SqlDecisions,
    SqlFigures,
    SqlPageLists,
    SqlHistory,
    SqlJudgements,
    SqliteArchive,
    SqlSnapshots,
    WholeLibrary,
    DerivedAnswers,
):
    """`protocols.Library` over SQLite and WARC files. One at a time may write to a folder; any number may read."""

    def __init__(
        self,
        folder: Path,
        connection: sqlite3.Connection,
        writer: Writer | None = None,
        lock: FolderLock | None = None,
        clock: Clock = time.time,
    ) -> None:
        super().__init__(folder, connection, writer)
        self._lock = lock
        self._clock = clock
        self._labels = LabelFile(folder, clock)
        self._search: SqliteSearch | None = None
        self._main_texts: MainTexts | None = None
        self._closed = False

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        create: bool = False,
        write: bool = True,
        settings: LibrarySection | None = None,
        info: Mapping[str, str] | None = None,
        clock: Clock = time.time,
    ) -> Self:
        """The library in `folder`. `info` goes into the first record of every WARC file: who crawls, and how."""
        try:
            if (damage := file_damage(folder)) is not None:
                raise damaged_library(folder, [damage])
            if not is_library(folder) and not (create and write):
                raise LibraryMissing(
                    f"There is no library in {folder}. Start one with: scenthound crawl TOPIC --into {folder}"
                )
            if not write:
                return cls(folder, _connect_to_read(folder), clock=clock)
            folder.mkdir(parents=True, exist_ok=True)
            lock = FolderLock(folder)
            try:
                writer = _open_writer(folder, settings or LibrarySection(), {"software": SOFTWARE, **(info or {})})
                try:
                    return cls(folder, _connect_to_read(folder), writer, lock, clock)
                except BaseException:
                    writer.close()
                    raise
            except BaseException:
                lock.release()
                raise
        except (*SQLITE_ERRORS, OSError) as error:
            raise explain(error, folder) from error

    # What was said about pages and sites

    def labels(self, kind: LabelKind = "page") -> dict[str, Label]:
        return self._labels.labels(kind)

    def add_labels(self, labels: Iterable[Label]) -> list[Label]:
        return self._labels.add_labels(labels)

    def label_history(self, subject: str) -> list[Label]:
        return self._labels.label_history(subject)

    # What is copied

    def held_still(self) -> sqlite3.Connection:
        connection = _connect_to_read(self.folder)
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # only now the state is held
        return connection

    def label_words(self) -> list[Label]:
        return self._labels.words()

    # What pages say

    def main_text(self, url: str) -> MainText | None:
        stored = self.page(url)
        if stored is None:
            return None
        if self._main_texts is None:
            self._main_texts = MainTexts(self.folder)
        return self._main_texts.get(stored, lambda: main_text_of(self, stored))

    # What is searched for

    def update_search(self, progress: Progress | None = None) -> int:
        self.flush()
        return self._searching().catch_up(progress)

    def search(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10, offset: int = 0
    ) -> SearchResult:
        return with_labels(self._searching().find(words, filters, limit, offset), self.labels())

    def search_matches(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10_000
    ) -> list[SearchMatch]:
        return self._searching().matches(words, filters, limit)

    def _searching(self) -> SqliteSearch:
        if self._search is None:
            self._search = SqliteSearch.open(self.folder, DATABASE, last_settings(self).topic.language)
        return self._search

    def close(self) -> None:
        """Stores what is left. The folder is free afterwards, also if that fails."""
        if self._closed:
            return
        self._closed = True
        try:
            # The reading connections go first: the last one to go tidies the write-ahead log away.
            for part in (self._search, self._main_texts, self._backlinks, self._connection):
                if part is not None:
                    part.close()
        finally:
            try:
                if self._writer is not None:
                    self._writer.close()
            finally:
                if self._lock is not None:
                    self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if (damage := damage_behind(error, self.folder)) is not None:
            raise damage from error


def _open_writer(folder: Path, settings: LibrarySection, info: Mapping[str, str]) -> Writer:
    connection = sqlite3.connect(
        folder / DATABASE, isolation_level=None, timeout=60, check_same_thread=False, cached_statements=256
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # the writer does it, after the archive is on disk
        connection.execute("PRAGMA journal_size_limit = 67108864")
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        _refuse_lost_tables(connection, folder)
        if migrations.migrate(connection, str(folder)) == 0:
            # A power cut must not leave answers beside a database that knows no tables: the disk has them first.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # A statement with many rows keeps what it overwrites until it is done: nothing that a file need survive for.
        connection.execute("PRAGMA temp_store = MEMORY")
        row = connection.execute("SELECT id, name, bytes FROM warcs ORDER BY id DESC LIMIT 1").fetchone()
        last = WarcFile(*row) if row else None
        archive = WarcArchive(folder / ARCHIVE, settings.warc_bytes, info, last) if settings.warc else None
        checkpoints = Checkpoints(folder / DATABASE, archive)
        return Writer(SqliteTransactions(connection, archive, checkpoints, folder))
    except BaseException:
        connection.close()
        raise


def _refuse_lost_tables(connection: sqlite3.Connection, folder: Path) -> None:
    """Tables are made before the first answer is kept. Made anew beside answers, they would know nothing of those."""
    if migrations.check(connection, str(folder)):
        return
    if connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        raise damaged_library(folder, [Damage(DATABASE, "is a database, but no library of Scenthound's")])
    if files_in(folder / ARCHIVE):
        raise damaged_library(folder, [Damage(DATABASE, "has no tables, although warc/ holds answers")])


def _connect_to_read(folder: Path) -> sqlite3.Connection:
    address = f"{(folder / DATABASE).absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=60, check_same_thread=False)
    try:
        version = migrations.check(connection, str(folder))
        if version == len(migrations.MIGRATIONS):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    _bring_up_to_date(folder, version)
    return _connect_to_read(folder)


def _bring_up_to_date(folder: Path, version: int) -> None:
    """A library that an older version made gets today's tables, also where somebody only wants to read."""
    try:
        lock = FolderLock(folder)
    except (LibraryBusy, LibraryFull) as error:
        if not version:
            raise LibraryMissing(f"There is nothing in {folder} yet: its library.db is empty. {error}") from error
        raise LibraryVersion(
            f"{folder} was made by an older Scenthound and has to be brought up to date first, which cannot be done "
            f"now: {error}"
        ) from error
    try:
        with closing(sqlite3.connect(folder / DATABASE, isolation_level=None, timeout=60)) as connection:
            _refuse_lost_tables(connection, folder)
            if not migrations.check(connection, str(folder)):
                raise LibraryMissing(
                    f"There is nothing in {folder} yet: its library.db is empty. "
                    f"Begin it with: scenthound crawl TOPIC --into {folder}. "
                    "If there was something: restore it from a copy."
                )
            migrations.migrate(connection, str(folder))
    finally:
        lock.release()
