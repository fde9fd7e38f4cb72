"""Steps laid out as rows: what `writer` stores in one transaction.

step.response ──▶ archive ──▶ versions          where the bytes of each answer are
step.visit    ──▶ pages, links, contents        what the page is, where it points, what it says
step.check    ──▶ checks                        what a look at a page that is stored already has shown
step.state    ──▶ misses                        which links brought no page, after which page, and how
step.new      ──▶ finds                         which links that nobody had seen a page brought
step.lease, found, refused ──▶ urls             see `url_table`
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from hashlib import sha1
from typing import Any

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.library.archive import warc
from scenthound.library.archive.compression import pack, unpack
from scenthound.library.archive.warc_files import RecordPlace, WarcArchive
from scenthound.library.sql.bulk_insert import Insert
from scenthound.library.sql.connection import Connection
from scenthound.library.sql.url_table import UrlChanges
from scenthound.library.step_rules import (
    AS_STORED,
    SEEN,
    STATE_CHANGING,
    HostChange,
    brings_version,
    count_hosts,
    ending,
    has_text,
    is_archived,
    judged,
    modified_at,
    validators,
)
from scenthound.model import Check, Link, Page, Response, Step, Visit
from scenthound.text.surrogates import encodable

UNSIGNED = (1 << 64) - 1
MOST_FINDS = 20_000
"""Pages whose finds are kept: many more than there are between two snapshots, for crawls that take none."""


class Content(Struct, frozen=True):
    """A body that is stored: its row, and the answer that brought it, if that is in a WARC file."""

    id: int
    url: str = ""
    at: float = 0.0
    on_record: bool = False


class Counters(Struct):
    """The next free number of everything that is counted."""

    page: int = 1
    version: int = 1
    content: int = 1
    order: int = 0

    @classmethod
    def load(cls, connection: Connection) -> Counters:
        return cls(**dict(connection.execute("SELECT name, value FROM counters")))


class RowBatch:
    """Rows of several steps. Building it empties `steps` and writes the archive; `write` belongs in a transaction."""

    def __init__(
        self,
        steps: deque[Step],
        connection: Connection,
        archive: WarcArchive | None,
        counters: Counters,
        shunned: set[int],
    ) -> None:
        self._archive = archive
        self._counters = msgspec.structs.replace(counters)
        self._urls = UrlChanges(shunned)
        self._latest: dict[int, int] = {}  # URL -> its latest answer in this batch
        self._versions: list[tuple[Any, ...]] = []
        self._contents: list[tuple[Any, ...]] = []
        self._pages: list[tuple[Any, ...]] = []
        self._links: list[tuple[int, bytes]] = []
        self._checks: list[tuple[Any, ...]] = []
        self._checked: list[tuple[Any, ...]] = []
        self._misses: list[tuple[int, int, str]] = []
        self._finds: list[tuple[int, bytes]] = []
        self._hosts: dict[str, HostChange] = {}
        digests = [sha1(step.response.body).digest() if step.response else b"" for step in steps]
        self._known = _stored_contents(connection, digests)
        for digest in digests:
            self._add(steps.popleft(), digest)
        self._counters.order = max(counters.order, self._urls.next_order)
        if archive is not None:
            archive.flush()

    def _add(self, step: Step, digest: bytes) -> None:
        version = None
        if step.response is not None and brings_version(step):
            version = self._add_answer(step, step.response, digest)
        if step.check is not None:
            self._add_check(step, step.check, digest, version)
        else:
            self._urls.end(step.lease, step.state, step.reason, step.at, version)
        if (ended := ending(step)) is not None:
            self._misses.append((self._counters.page - 1, step.lease.id, ended))
        self._urls.found(step.found, step.at)
        self._urls.shun(step.refused, step.at)
        count_hosts(step, self._hosts)

    def _add_answer(self, step: Step, response: Response, digest: bytes) -> int:
        counters, visit = self._counters, step.visit
        version = counters.version
        counters.version += 1
        indexed = has_text(step)
        content = self._known.get(digest) if indexed else None
        place = None
        if is_archived(step):
            place = self._append(response, digest, content)
        if indexed and visit is not None and content is None:
            content = self._add_content(response, visit.page, digest, version, place)
        number = content.id if content else None
        where = (place.warc, place.offset, place.length) if place else (None, None, None)
        identity = step.lease.id
        row = (
            version,
            identity,
            self._latest.get(identity),
            identity,
            step.at,
            response.status,
            digest,
            number,
            *where,
        )
        self._versions.append(row)
        self._latest[identity] = version
        if visit is not None:
            self._add_page(step, visit, response, digest, version, number)
        return version

    def _add_check(self, step: Step, check: Check, digest: bytes, version: int | None) -> None:
        if check.outcome == "nothing":
            return
        about = (step.lease.id, step.at, check.outcome, check.status, check.kind, check.size, version)
        modified = modified_at(check.modified) if check.outcome in SEEN else None
        self._checks.append((*about, *judged(step), check.before, check.was_relevant, check.detail, modified))
        if check.outcome in STATE_CHANGING:
            self._urls.look(step.lease, step.state, step.reason, step.at, version)
        if check.outcome in AS_STORED:
            self._checked.append((step.at, check.etag, check.modified, step.lease.id))
        if check.outcome == "same" and step.response is not None:
            self._note_same(step.response, digest, check.since)

    def _note_same(self, response: Response, digest: bytes, since: float) -> None:
        if response.status == 304 and self._archive is not None:
            self._archive.append(*warc.not_modified_records(response, since), response.at)
        elif (content := self._known.get(digest)) is not None and content.on_record:
            self._append(response, digest, content)

    def _append(self, response: Response, digest: bytes, content: Content | None) -> RecordPlace | None:
        if self._archive is None:
            return None
        if content is not None and content.on_record:
            records = warc.revisit_records(response, digest, content.url, content.at)
        else:
            records = warc.response_records(response, digest)
        return self._archive.append(*records, response.at)

    def _add_content(
        self, response: Response, page: Page, digest: bytes, version: int, place: RecordPlace | None
    ) -> Content:
        number = self._counters.content
        self._counters.content += 1
        text = pack(page.text.encode("utf-8", "replace"))
        self._contents.append((number, digest, version, page.title, text))
        content = Content(number, response.url, response.at, place is not None)
        self._known[digest] = content
        return content

    def _add_page(
        self, step: Step, visit: Visit, response: Response, digest: bytes, version: int, content: int | None
    ) -> None:
        page = visit.page
        original = urls.fingerprint(step.duplicate_of) if step.duplicate_of else None
        simhash = step.simhash & UNSIGNED
        row = (
            self._counters.page, step.lease.id, version, 1, response.status, response.media_type, page.charset,
            page.language, page.title, page.description, page.canonical, visit.relevance, visit.relevant, visit.depth,
            step.at, step.at, step.at, *validators(response), digest, content,
            simhash - (1 << 64) if simhash >> 63 else simhash, original,
            page.noindex, len(response.body), response.wire, response.elapsed, visit.relevance, visit.relevant,
            page.published,
        )  # fmt: skip
        self._pages.append(row)
        if step.new:
            self._finds.append((self._counters.page, pack_ids(step.new)))
        self._counters.page += 1
        if page.links:
            self._links.append((version, pack_links(page.links)))

    def write(self, connection: Connection) -> Counters:
        """Stores all rows; returns the counters that hold once the transaction does."""
        self._write_contents(connection)
        # Versions before URLs: each asks the URL's row, as it was before, for the answer it follows.
        _VERSIONS(connection, self._versions)
        _LINKS(connection, self._links)
        for rows in _each_page_once(self._pages):
            _PAGES(connection, rows)
        self._urls.write(connection)
        _CHECKS(connection, self._checks)
        _MISSES(connection, self._misses)
        if self._finds:
            _FINDS(connection, self._finds)
            connection.execute(f"DELETE FROM finds WHERE page <= ? - {MOST_FINDS}", (self._finds[-1][0],))
        connection.executemany(_CHECKED, self._checked)
        _HOSTS(connection, [(host, *msgspec.structs.astuple(change)) for host, change in self._hosts.items()])
        self._write_counters(connection)
        if self._archive is not None:
            _WARCS(connection, [msgspec.structs.astuple(file) for file in self._archive.changed()])
        return self._counters

    def _write_contents(self, connection: Connection) -> None:
        _CONTENTS(connection, self._contents)

    def _write_counters(self, connection: Connection) -> None:
        _COUNTERS(connection, list(msgspec.structs.asdict(self._counters).items()))


def _each_page_once(rows: list[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    """Rows cut so that no statement has two of one page: PostgreSQL refuses to change a row twice in one."""
    cut: list[list[tuple[Any, ...]]] = []
    met: set[int] = set()
    for row in rows:
        if not cut or row[1] in met:
            cut.append([])
            met.clear()
        cut[-1].append(row)
        met.add(row[1])
    return cut


def _stored_contents(connection: Connection, digests: Sequence[bytes]) -> dict[bytes, Content]:
    """Which of the bodies are there already."""
    wanted = [digest for digest in digests if digest]
    if not wanted:
        return {}
    rows = connection.execute(
        "SELECT c.digest, c.id, u.url, v.at, v.warc IS NOT NULL FROM contents c "
        "JOIN versions v ON v.seq = c.version JOIN urls u ON u.id = v.url "
        f"WHERE c.digest IN ({', '.join('?' * len(wanted))})",
        wanted,
    )
    return {digest: Content(number, url, at, bool(on_record)) for digest, number, url, at, on_record in rows}


def pack_links(links: Sequence[Link]) -> bytes:
    """The links of a page as one value: 15 bytes a link where a row each would take 80. Surroundings are left out."""
    rows = [(x.url, x.anchor, x.title, x.block, x.position, x.rel, x.kind) for x in links]
    try:
        packed = msgspec.msgpack.encode(rows)
    except UnicodeEncodeError:
        packed = msgspec.msgpack.encode(encodable(rows))
    return pack(packed)


def unpack_links(packed: bytes, source: str) -> list[Link]:
    rows = msgspec.msgpack.decode(unpack(packed))
    return [
        Link(url, source, anchor, title, "", block, position, rel, kind)
        for url, anchor, title, block, position, rel, kind in rows
    ]


def pack_ids(ids: Sequence[int]) -> bytes:
    return array("q", ids).tobytes()


def unpack_ids(packed: bytes) -> list[int]:
    return array("q", packed[: len(packed) // 8 * 8]).tolist()


_VERSIONS = Insert(
    'versions (seq, url, previous, at, status, digest, content, warc, "offset", length)',
    11,
    values="(?, ?, coalesce(?, (SELECT version FROM urls WHERE id = ?)), ?, ?, ?, ?, ?, ?, ?)",
)
_CONTENTS = Insert("contents (id, digest, version, title, text)", 5)
_LINKS = Insert("links (version, packed)", 2)
PAGE_COLUMNS = (
    "seq", "id", "version", "versions", "status", "media_type", "charset", "language", "title", "description",
    "canonical", "relevance", "relevant", "depth", "first_at", "fetched_at", "checked_at", "etag",
    "modified", "digest", "content", "simhash",
    "duplicate_of", "noindex", "bytes", "wire", "elapsed", "first_relevance", "first_relevant",
    "published",
)  # fmt: skip
_KEPT_COLUMNS = ("seq", "id", "versions", "first_at", "first_relevance", "first_relevant")
_PAGES = Insert(
    f"pages ({', '.join(PAGE_COLUMNS)})",
    len(PAGE_COLUMNS),
    "ON CONFLICT (id) DO UPDATE SET versions = pages.versions + 1, "
    + ", ".join(f"{name} = excluded.{name}" for name in PAGE_COLUMNS if name not in _KEPT_COLUMNS),
)
_CHECKS = Insert(
    "checks (url, at, outcome, status, kind, size, version, relevance, relevant, before, was_relevant, detail, "
    "modified_at)",
    13,
)
_MISSES = Insert("misses (page, url, ending)", 3)
_FINDS = Insert("finds (page, urls)", 2)
_CHECKED = "UPDATE pages SET checked_at = ?, etag = ?, modified = ? WHERE id = ?"
_HOSTS = Insert(
    "hosts (host, asked, pages, relevant, failed, bytes, last_asked, delay)",
    8,
    "ON CONFLICT (host) DO UPDATE SET "
    + ", ".join(
        f"{name} = hosts.{name} + excluded.{name}" for name in ("asked", "pages", "relevant", "failed", "bytes")
    )
    + ", last_asked = CASE WHEN excluded.last_asked > hosts.last_asked THEN excluded.last_asked "
    "ELSE hosts.last_asked END, delay = CASE WHEN excluded.delay < 0 THEN hosts.delay ELSE excluded.delay END",
)
_COUNTERS = Insert("counters (name, value)", 2, "ON CONFLICT (name) DO UPDATE SET value = excluded.value")
_WARCS = Insert("warcs (id, name, bytes)", 3, "ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes")
