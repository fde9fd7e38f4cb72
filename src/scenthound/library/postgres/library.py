"""A library in PostgreSQL: opening, locking, and the way in for what a crawl records."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from scenthound.config import LibrarySection
from scenthound.errors import LibraryBusy
from scenthound.library.archive.warc_files import WarcArchive, WarcFile
from scenthound.library.derived_answers import DerivedAnswers
from scenthound.library.folder import ARCHIVE
from scenthound.library.label_figures import with_labels
from scenthound.library.label_file import LabelFile
from scenthound.library.library_address import LibraryAddress
from scenthound.library.postgres import schema
from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.labels import PostgresLabels
from scenthound.library.postgres.locks import holder
from scenthound.library.postgres.queries import PostgresQueries
from scenthound.library.postgres.search import PostgresSearch
from scenthound.library.postgres.transactions import PostgresTransactions
from scenthound.library.run_settings import last_settings
from scenthound.library.sql.connection import Connection
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
from scenthound.model import Label, LabelKind
from scenthound.protocols.crawl import Clock, Progress
from scenthound.protocols.records import SearchFilters, SearchMatch, SearchResult

RELEASE = 2.0  # seconds in which a server notices that the holder of a lock is gone


class PostgresLibrary(
    PostgresQueries,
    SqlRecorder,
    SqlFrontierStore,
    SqlPages,
    SqlDecisions,
    SqlFigures,
    SqlPageLists,
    SqlHistory,
    SqlJudgements,
    SqlSnapshots,
    WholeLibrary,
    DerivedAnswers,
):
    """`protocols.Library` over PostgreSQL and WARC files. One crawl at a time may write to it; any number may read."""

    def __init__(
        self, folder: Path, connection: PostgresConnection, writer: Writer | None = None, clock: Clock = time.time
    ) -> None:
        super().__init__(folder, connection, writer)
        self._clock = clock
        self._labels = PostgresLabels(connection, clock)
        self._search: PostgresSearch | None = None
        self._closed = False

    @classmethod
    def open(
        cls,
        address: LibraryAddress,
        folder: Path | None,
        *,
        create: bool = False,
        write: bool = True,
        settings: LibrarySection | None = None,
        info: Mapping[str, str] | None = None,
        clock: Clock = time.time,
    ) -> Self:
        """The library at an address. `folder` has its WARC files; None: the one that its last crawl had."""
        connection = PostgresConnection(address)
        try:
            made = create and write and schema.create(connection)
            schema.check(connection)
            home = folder or _noted_folder(connection)
            writer = None
            if write:
                writer = _open_writer(
                    address, home, settings or LibrarySection(), {"software": SOFTWARE, **(info or {})}
                )
            library = cls(home, connection, writer, clock)
            if made:  # what was said before there was a library
                library.add_labels(LabelFile(home).words())
            return library
        except BaseException:
            connection.close()
            raise

    # What was said about pages and sites

    def labels(self, kind: LabelKind = "page") -> dict[str, Label]:
        return self._labels.labels(kind)

    def add_labels(self, labels: Iterable[Label]) -> list[Label]:
        return self._labels.add_labels(labels)

    def label_history(self, subject: str) -> list[Label]:
        return self._labels.label_history(subject)

    # What is copied

    def held_still(self) -> PostgresConnection:
        self.flush()
        connection = PostgresConnection(self._postgres.address)
        connection.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute("SELECT 1 FROM notes")  # only now the state is held
        return connection

    def count_on(self, connection: Connection, table: str, key: str) -> None:
        last = f"SELECT setval(pg_get_serial_sequence(?, ?), max({key})) FROM {table} HAVING count(*) > 0"
        connection.execute(last, (f"{self._postgres.address.name}.{table}", key))

    def label_words(self) -> list[Label]:
        return self._labels.words()

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

    def _searching(self) -> PostgresSearch:
        if self._search is None:
            self._search = PostgresSearch(self._postgres, last_settings(self).topic.language)
        return self._search

    def close(self) -> None:
        """Stores what is left. Others may write afterwards, also if that fails."""
        if self._closed:
            return
        self._closed = True
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _noted_folder(connection: PostgresConnection) -> Path:
    row = connection.execute("SELECT value FROM notes WHERE name = 'folder'").fetchone()
    return Path(row[0] if row else "")


def _open_writer(address: LibraryAddress, folder: Path, settings: LibrarySection, info: Mapping[str, str]) -> Writer:
    connection = PostgresConnection(address, lasting=True)
    try:
        _lock(connection)
        connection.execute(
            "INSERT INTO notes VALUES ('folder', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (str(folder.absolute()),),
        )
        row = connection.execute("SELECT id, name, bytes FROM warcs ORDER BY id DESC LIMIT 1").fetchone()
        last = WarcFile(*row) if row else None
        archive = WarcArchive(folder / ARCHIVE, settings.warc_bytes, info, last) if settings.warc else None
        return Writer(PostgresTransactions(connection, archive))
    except BaseException:
        connection.close()
        raise


def _lock(connection: PostgresConnection) -> None:
    """One crawl a library: a lock that the server takes back when its holder dies, however it dies."""
    key = f"scenthound write {connection.address.name}"
    deadline = time.monotonic() + RELEASE
    while not connection.execute("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", (key,)).fetchone()[0]:
        if time.monotonic() > deadline:
            raise LibraryBusy(
                f"Another crawl{holder(connection, key)} is writing to {connection.address}. Wait for it to end, stop "
                "it, or use another library."
            )
        time.sleep(0.05)
