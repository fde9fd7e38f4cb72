"""The answers of a repaired library: each row of `versions` gets its place in the archive, each answer there a row.

An answer is known by its URL and the SHA-1 of its body. Looks that found nothing new have a record, too, and no row.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from scenthound import urls
from scenthound.library.archive.warc_files import files_in
from scenthound.library.archive.warc_scan import ScannedRecord, scan
from scenthound.library.folder import ARCHIVE
from scenthound.library.sqlite.database_check import Told

_FOUND = """
CREATE TEMP TABLE found (
    warc INTEGER, offset INTEGER, length INTEGER, id INTEGER, url TEXT, at REAL, status INTEGER, digest BLOB,
    revisit INTEGER, media_type TEXT, target TEXT, version INTEGER, PRIMARY KEY (warc, offset)
);
CREATE INDEX temp.found_id ON found (id, digest)
"""
_PLACE_IS_RIGHT = (
    "EXISTS (SELECT 1 FROM found f WHERE f.warc = v.warc AND f.offset = v.offset AND f.length = v.length "
    "AND f.id = v.url AND f.digest = v.digest)"
)


class RebuiltAnswers(Struct):
    """What became of the answers."""

    found: int = 0  # records with an answer in the archive
    placed: int = 0  # rows that had lost their place and have one again
    added: int = 0  # answers that no row was left of
    lost: int = 0  # rows whose bytes are not in the archive any more


def rebuild_answers(folder: Path, new: sqlite3.Connection, told: Told) -> tuple[RebuiltAnswers, list[int]]:
    """What became of them, and the numbers of those that are lost."""
    result = RebuiltAnswers()
    _scan_archive(folder, new, told, result)
    wrong = [
        seq
        for (seq,) in new.execute(
            "UPDATE versions AS v SET warc = NULL, offset = NULL, length = NULL WHERE v.warc IS NOT NULL "
            f"AND v.warc NOT IN (SELECT id FROM elsewhere) AND NOT {_PLACE_IS_RIGHT} RETURNING seq"
        ).fetchall()
    ]
    new.execute(
        "UPDATE found SET version = v.seq FROM versions v WHERE v.warc = found.warc AND v.offset = found.offset"
    )
    result.placed = _place_again(new)
    lost = _without_place(new, wrong)
    result.lost = len(lost)
    _without_news(new)
    result.added = _add_versions(new)
    _chain(new)
    return result, lost


def _scan_archive(folder: Path, new: sqlite3.Connection, told: Told, result: RebuiltAnswers) -> None:
    """Lists every answer, and every file with its length. Files that are not there are `elsewhere`, and stay listed."""
    for statement in _FOUND.split(";"):
        new.execute(statement)
    files = files_in(folder / ARCHIVE)
    for done, (number, path) in enumerate(files.items()):
        told("Reading WARC file", done, len(files))
        end = 0
        for record in scan(path):
            if isinstance(record, ScannedRecord):
                end = record.offset + record.length
                if record.kind in ("response", "revisit") and record.true_to_digest and len(record.digest) == 20:
                    new.execute(f"INSERT INTO found VALUES ({', '.join('?' * 12)})", _row(number, record))
                    result.found += 1
        new.execute("INSERT OR REPLACE INTO warcs VALUES (?, ?, ?)", (number, path.name, end))
    new.execute("CREATE TEMP TABLE elsewhere AS SELECT id FROM warcs")
    new.executemany("DELETE FROM elsewhere WHERE id = ?", ((number,) for number in files))


def _row(number: int, record: ScannedRecord) -> tuple[object, ...]:
    headers = {name.lower(): value for name, value in reversed(record.http_headers)}
    target = urls.Base(record.url).resolve(headers.get("location", "")) if 300 <= record.status < 400 else ""
    return (
        number,
        record.offset,
        record.length,
        record.id,
        record.url,
        _moment(record.headers.get("WARC-Date", "")),
        record.status,
        record.digest,
        record.kind == "revisit",
        headers.get("content-type", "").partition(";")[0].strip().lower(),
        target if isinstance(target, str) else "",
        None,
    )


def _moment(date: str) -> float:
    try:
        return datetime.fromisoformat(date).timestamp()
    except ValueError:
        return 0.0


def _place_again(new: sqlite3.Connection) -> int:
    """Rows without a place whose answer lies somewhere in the archive, and is nobody else's; the nearest in time."""
    placed = 0
    rows = new.execute("SELECT seq, url, digest, at FROM versions WHERE warc IS NULL ORDER BY seq").fetchall()
    for seq, url, digest, at in rows:
        place = new.execute(
            "SELECT warc, offset, length FROM found WHERE id = ? AND digest = ? AND version IS NULL "
            "ORDER BY revisit, abs(at - ?) LIMIT 1",
            (url, digest, at),
        ).fetchone()
        if place is not None:
            new.execute("UPDATE versions SET warc = ?, offset = ?, length = ? WHERE seq = ?", (*place, seq))
            new.execute("UPDATE found SET version = ? WHERE warc = ? AND offset = ?", (seq, *place[:2]))
            placed += 1
    return placed


def _without_place(new: sqlite3.Connection, versions: list[int]) -> list[int]:
    unplaced = {seq for (seq,) in new.execute("SELECT seq FROM versions WHERE warc IS NULL")}
    return [seq for seq in versions if seq in unplaced]


def _without_news(new: sqlite3.Connection) -> None:
    """Records that say "as before" of an answer that has a row, or is about to get one, are no answers of their own."""
    new.execute("DELETE FROM found WHERE version IS NULL AND revisit AND status = 304")
    latest: dict[int, bytes] = {}
    rows = new.execute("SELECT warc, offset, id, digest, revisit, version FROM found ORDER BY warc, offset").fetchall()
    for warc, offset, number, digest, revisit, version in rows:
        if version is None and revisit and latest.get(number) == digest:
            new.execute("DELETE FROM found WHERE warc = ? AND offset = ?", (warc, offset))
        latest[number] = digest


def _add_versions(new: sqlite3.Connection) -> int:
    """A row for each answer that has none. Where a page still says which number its answer had, it gets that."""
    rows = new.execute(
        "SELECT warc, offset, length, id, at, status, digest FROM found WHERE version IS NULL ORDER BY warc, offset"
    ).fetchall()
    following = _next_version(new)
    for warc, offset, length, number, at, status, digest in rows:
        wanted = new.execute(
            "SELECT version FROM pages p WHERE id = ? AND digest = ? "
            "AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.seq = p.version)",
            (number, digest),
        ).fetchone()
        seq = wanted[0] if wanted else following
        following = max(following, seq + 1)
        content = new.execute("SELECT id FROM contents WHERE digest = ?", (digest,)).fetchone()
        new.execute(
            "INSERT INTO versions VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?)",
            (seq, number, at, status, digest, content[0] if content else None, warc, offset, length),
        )
        new.execute("UPDATE found SET version = ? WHERE warc = ? AND offset = ?", (seq, warc, offset))
    return len(rows)


def _next_version(new: sqlite3.Connection) -> int:
    query = (
        "SELECT 1 + max((SELECT coalesce(max(seq), 0) FROM versions), (SELECT coalesce(max(version), 0) FROM pages), "
        "(SELECT coalesce(max(version), 0) FROM contents), (SELECT coalesce(max(version), 0) FROM links), "
        "(SELECT coalesce(max(version), 0) FROM urls))"
    )
    return int(new.execute(query).fetchone()[0])


def _chain(new: sqlite3.Connection) -> None:
    """Each answer names the one before of the same URL, each URL its latest."""
    new.execute(
        "UPDATE versions SET previous = o.before FROM (SELECT seq, lag(seq) OVER (PARTITION BY url ORDER BY seq) "
        "AS before FROM versions) o WHERE o.seq = versions.seq AND versions.previous IS NOT o.before"
    )
    new.execute(
        "UPDATE urls SET version = o.latest FROM (SELECT url, max(seq) AS latest FROM versions GROUP BY url) o "
        "WHERE o.url = urls.id AND urls.version IS NOT o.latest"
    )
