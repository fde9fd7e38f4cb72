"""Pages, their texts and links from the database, and answers as they came from the WARC files it points to."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

from scenthound import urls
from scenthound.library.archive import warc, warc_files
from scenthound.library.archive.compression import unpack
from scenthound.library.damage import Damage, damaged_library
from scenthound.library.folder import ARCHIVE
from scenthound.library.payload_digest import payload_digest
from scenthound.library.sql.queries import SLICE, SqlQueries
from scenthound.library.sql.row_batch import UNSIGNED, unpack_links
from scenthound.library.sql.url_table import FETCHED, STATES
from scenthound.model import Link, Response
from scenthound.protocols.records import StoredPage, Version

_COLUMNS = (
    "SELECT p.seq, u.url, u.host, p.status, p.media_type, p.charset, p.language, p.title, p.description, p.canonical, "
    "p.relevance, p.relevant, p.depth, p.first_at, p.fetched_at, p.digest, p.simhash, d.url, p.noindex, p.bytes, "
    "p.wire, p.elapsed, p.version, p.versions, p.checked_at, p.etag, p.modified, u.state, u.reason, "
    "p.first_relevance, p.first_relevant, p.published "
)
_REPEATED = "LEFT JOIN urls d ON d.id = p.duplicate_of "
PAGE_BY_PAGE = f"{_COLUMNS} FROM {{}} {_REPEATED}"
"""What `stored_page` makes a page of; `_pages_first` goes in."""

PAGE = PAGE_BY_PAGE.format("pages p JOIN urls u ON u.id = p.id")


class SqlPages(SqlQueries):
    """`protocols.StoredPages`."""

    def page(self, url: str) -> StoredPage | None:
        row = self._ask(f"{PAGE} WHERE p.id = ?", (urls.fingerprint(url),)).fetchone()
        return stored_page(row) if row else None

    def pages(self, *, relevant: bool = False, since: float = 0.0, after: int = 0) -> Iterator[StoredPage]:
        """Pages in the order they were first fetched: only relevant ones, only fetched since, only from `after` on."""
        query = f"{PAGE} WHERE p.seq > ? AND p.relevant >= ? AND p.fetched_at >= ? ORDER BY p.seq LIMIT {SLICE}"
        while rows := self._ask(query, (after, relevant, since)).fetchall():
            yield from map(stored_page, rows)
            after = rows[-1][0]

    def text(self, url: str, version: Version | None = None) -> str | None:
        """The visible text of a page, or of an earlier version; None if there is none or it asked not to be indexed."""
        if version is not None:
            row = self._ask("SELECT text FROM contents WHERE id = ?", (version.content,)).fetchone()
            return unpack(row[0]).decode() if row else None
        query = "SELECT c.text FROM pages p JOIN contents c ON c.id = p.content WHERE p.id = ?"
        row = self._ask(query, (urls.fingerprint(url),)).fetchone()
        return unpack(row[0]).decode() if row else None

    def versions(self, url: str) -> list[Version]:
        """All answers of a URL, oldest first."""
        query = (
            "WITH RECURSIVE chain(seq) AS (SELECT version FROM urls WHERE id = ? "
            "UNION ALL SELECT previous FROM chain JOIN versions USING (seq) WHERE previous IS NOT NULL) "
            "SELECT v.seq, v.at, v.status, v.digest, coalesce(w.name, ''), "
            "coalesce(v.\"offset\", 0), coalesce(v.length, 0), coalesce(c.title, ''), coalesce(c.id, 0) "
            "FROM chain JOIN versions v USING (seq) LEFT JOIN warcs w ON w.id = v.warc "
            "LEFT JOIN contents c ON c.id = v.content ORDER BY v.seq"
        )
        rows = self._ask(query, (urls.fingerprint(url),))
        return [Version(seq, at, status, payload_digest(digest), *place) for seq, at, status, digest, *place in rows]

    def body(self, url: str, version: int | Version | None = None) -> Response | None:
        """An answer as it was received, read back from the WARC file; None if it was not kept.

        Without a version it is the one that brought the page as it is stored, else the latest.
        """
        chosen = version if isinstance(version, Version) else self._version(url, version)
        if chosen is None or not chosen.warc:
            return None
        headers, start, http_headers, body = self._record(chosen.warc, chosen.offset, chosen.length)
        if headers["WARC-Type"] == "revisit":
            body = self._original_body(chosen.seq)
        return Response(
            url=url,
            status=int(start[1]),
            headers=tuple(http_headers),
            body=body,
            at=chosen.at,
            address=headers.get("WARC-IP-Address", ""),
        )

    def _version(self, url: str, number: int | None) -> Version | None:
        versions = self.versions(url)
        if number is None and len(versions) > 1:
            row = self._ask("SELECT version FROM pages WHERE id = ?", (urls.fingerprint(url),)).fetchone()
            return next((version for version in versions if row and version.seq == row[0]), versions[-1])
        number = -1 if number is None else number
        return versions[number] if -len(versions) <= number < len(versions) else None

    def _original_body(self, seq: int) -> bytes:
        query = (
            'SELECT w.name, o."offset", o.length FROM versions v JOIN contents c ON c.id = v.content '
            "JOIN versions o ON o.seq = c.version JOIN warcs w ON w.id = o.warc WHERE v.seq = ?"
        )
        return self._record(*self._ask(query, (seq,)).fetchone())[3]

    def _record(
        self, name: str, offset: int, length: int
    ) -> tuple[dict[str, str], list[str], list[tuple[str, str]], bytes]:
        try:
            return warc.parse_record(warc_files.read_at(self.folder / ARCHIVE, name, offset, length))
        except (OSError, zlib.error, KeyError, ValueError) as error:
            raise damaged_library(
                self.folder, [Damage(f"{ARCHIVE}/{name}", f"is missing or damaged ({error})")]
            ) from error

    # Links

    def outlinks(self, url: str) -> list[Link]:
        query = "SELECT packed FROM links JOIN pages USING (version) WHERE id = ?"
        row = self._ask(query, (urls.fingerprint(url),)).fetchone()
        return unpack_links(row[0], url) if row else []

    def graph(self) -> Iterator[tuple[str, list[Link]]]:
        """Every page with the links of its last visit, in the order of the first."""
        query = (
            "SELECT p.seq, u.url, l.packed FROM pages p JOIN urls u ON u.id = p.id "
            "JOIN links l ON l.version = p.version "
            f"WHERE p.seq > ? ORDER BY p.seq LIMIT {SLICE}"
        )
        after = 0
        while rows := self._ask(query, (after,)).fetchall():
            for _, url, packed in rows:
                yield url, unpack_links(packed, url)
            after = rows[-1][0]

    def linking(self, url: str) -> list[str]:
        """URLs of the pages that link to a URL, or did in an earlier version."""
        query = "SELECT url FROM urls WHERE id = ?"
        return [self._ask(query, (source,)).fetchone()[0] for source in self._sources(urls.fingerprint(url))]

    def _sources(self, target: int) -> list[int]:
        """The pages that have linked to a URL, in a fixed order. An index of its own: see the backends."""
        raise NotImplementedError

    def simhashes(self) -> Iterator[tuple[int, str]]:
        """(simhash, URL) of every page that repeats no other and is still there."""
        query = (
            "SELECT p.simhash, u.url FROM pages p JOIN urls u ON u.id = p.id "
            f"WHERE duplicate_of IS NULL AND u.state = {FETCHED} ORDER BY seq"
        )
        for simhash, url in self._ask(query):
            yield simhash & UNSIGNED, url


def stored_page(row: tuple[Any, ...]) -> StoredPage:
    page = StoredPage(*row)
    return msgspec.structs.replace(
        page,
        relevant=bool(page.relevant),
        noindex=bool(page.noindex),
        digest=payload_digest(row[15]),
        simhash=page.simhash & UNSIGNED,
        duplicate_of=page.duplicate_of or "",
        state=STATES[row[27]],
        reason=row[28] if row[27] != FETCHED else "",
        first_relevant=bool(page.first_relevant),
    )
