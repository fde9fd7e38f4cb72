"""The pages of a repaired library: what is missing of them is made anew from the answers in the archive.

    urls       the URL of an answer, as it stands there; how it was found is gone
    pages      parsed again; their judgement is to be made again
    contents   parsed again
    links      parsed again

What was never in the archive (pages that asked not to be kept, answers of a crawl without one) is as it was salvaged.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from scenthound import urls
from scenthound.library.archive import warc, warc_files
from scenthound.library.archive.compression import pack
from scenthound.library.folder import ARCHIVE
from scenthound.library.sql.row_batch import PAGE_COLUMNS, UNSIGNED, pack_links
from scenthound.library.sql.url_table import COLUMNS, FETCHED, MOVED
from scenthound.library.sqlite.database_check import OTHER_DIGEST, Told
from scenthound.library.step_rules import validators
from scenthound.model import Page, Response
from scenthound.parse.safe_parse import parse_safely
from scenthound.text.near_duplicates import NearDuplicates
from scenthound.text.surrogates import encodable

_NO_PAGES = "('robots', 'feed', 'sitemap', 'data', 'image', 'probe')"
_LISTS = "('application/xml', 'text/xml', 'application/rss+xml', 'application/atom+xml', 'application/gzip')"
REBUILT = "rebuilt_pages"
"""The note with the pages whose first judgement is lost, until they are judged again."""


class RebuiltPages(Struct):
    """What was made anew."""

    urls: int = 0
    pages: int = 0
    texts: int = 0
    links: int = 0
    lost_texts: int = 0  # of pages whose answer is not in the archive
    lost_pages: int = 0  # of which nothing is left but a number
    numbers: list[int] = []  # of the pages


class PageRebuilding:
    """Works on a new database in which tables are salvaged and answers have their places."""

    def __init__(self, folder: Path, new: sqlite3.Connection, language: str, told: Told) -> None:
        self.folder = folder
        self.new = new
        self.language = language
        self.told = told
        self.result = RebuiltPages()
        self._near = NearDuplicates()

    def run(self, *, links_lost: bool) -> RebuiltPages:
        # What is not as its answer is, is damaged; it is made anew from that, or kept without it.
        self.new.execute(
            f"DELETE FROM pages AS p WHERE {OTHER_DIGEST} AND EXISTS (SELECT 1 FROM found f WHERE f.id = p.id)"
        )
        self._add_urls()
        self._keep_answers_of_pages()
        originals = (
            "SELECT p.simhash, u.url FROM pages p JOIN urls u ON u.id = p.id "
            "WHERE p.duplicate_of IS NULL ORDER BY p.seq"
        )
        for simhash, url in self.new.execute(originals):
            self._near.add(simhash & UNSIGNED, url)
        wanted = sorted(self._versions_to_read(links_lost=links_lost))
        for done, version in enumerate(wanted):
            self.told("Parsing page", done, len(wanted))
            response = self._answer(version)
            if response is not None:
                self._fill_in(version, response, parse_safely(response, self.language))
        self._let_go()
        return self.result

    # What is missing

    def _add_urls(self) -> None:
        """A row for each URL with an answer that has none."""
        rows = self.new.execute(
            "SELECT f.id, f.url, f.status, f.target, f.at, max(f.version) FROM found f "
            "WHERE NOT EXISTS (SELECT 1 FROM urls u WHERE u.id = f.id) GROUP BY f.id"
        ).fetchall()
        (order,) = self.new.execute("SELECT coalesce(max(nth), -1) + 1 FROM urls").fetchone()
        for number, url, status, target, at, version in rows:
            moved = 300 <= status < 400 and bool(target)
            row = dict.fromkeys(COLUMNS, "") | {
                "id": number, "url": url, "host": urls.host(url), "state": MOVED if moved else FETCHED,
                "reason": target if moved else "", "priority": 0.0, "nth": order, "depth": 0, "memory": None,
                "evidence": 1, "tries": 0, "hops": 0, "not_before": 0.0, "source": None, "block": 0, "position": 0,
                "kind": "robots" if urls.path(url) == "/robots.txt" else "a", "found_at": at, "changed_at": at,
                "version": version,
            }  # fmt: skip
            self.new.execute(f"INSERT INTO urls VALUES ({', '.join('?' * len(COLUMNS))})", list(row.values()))
            order += 1
        self.result.urls = len(rows)

    def _keep_answers_of_pages(self) -> None:
        """A page whose answer has lost its row, and is not in the archive, has what it takes to make the row anew."""
        self.new.execute(
            "INSERT OR IGNORE INTO versions SELECT p.version, p.id, NULL, p.fetched_at, p.status, p.digest, p.content, "
            "NULL, NULL, NULL FROM pages p WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.seq = p.version)"
        )

    def _versions_to_read(self, *, links_lost: bool) -> Iterator[int]:
        wanted = {
            seq
            for (seq,) in self.new.execute(
                "SELECT max(f.version) FROM found f JOIN urls u ON u.id = f.id WHERE f.status = 200 "
                f"AND u.kind NOT IN {_NO_PAGES} AND f.media_type NOT IN {_LISTS} "
                "AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.id = f.id) GROUP BY f.id"
            )
        }
        wanted |= {
            seq
            for (seq,) in self.new.execute(
                "SELECT v.seq FROM versions v WHERE v.content IS NOT NULL "
                "AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.id = v.content)"
            )
        }
        wanted |= {
            seq
            for (seq,) in self.new.execute(
                "SELECT p.version FROM pages p WHERE p.noindex = 0 AND p.bytes > 0 AND "
                "(p.content IS NULL OR NOT EXISTS (SELECT 1 FROM contents c WHERE c.id = p.content))"
            )
        }
        if links_lost:
            wanted |= {
                seq
                for (seq,) in self.new.execute(
                    "SELECT p.version FROM pages p WHERE NOT EXISTS (SELECT 1 FROM links l WHERE l.version = p.version)"
                )
            }
        yield from wanted

    def _answer(self, version: int) -> Response | None:
        """The answer as it lies in the archive; of one that repeats another, with the body of that."""
        row = self.new.execute(
            "SELECT f.id, f.url, f.at, f.digest, f.revisit, w.name, f.offset, f.length FROM found f "
            "JOIN warcs w ON w.id = f.warc WHERE f.version = ?",
            (version,),
        ).fetchone()
        if row is None:
            return None
        _, url, at, digest, revisit, *place = row
        try:
            headers, start, http_headers, body = self._record(*place)
            if revisit:
                original = self.new.execute(
                    "SELECT w.name, f.offset, f.length FROM found f JOIN warcs w ON w.id = f.warc "
                    "WHERE f.digest = ? AND NOT f.revisit LIMIT 1",
                    (digest,),
                ).fetchone()
                if original is None:
                    return None
                body = self._record(*original)[3]
        except (OSError, zlib.error, KeyError, ValueError):
            return None
        address = headers.get("WARC-IP-Address", "")
        return Response(url, int(start[1]), tuple(http_headers), body, at, address=address, wire=len(body))

    def _record(self, name: str, offset: int, length: int) -> tuple[dict[str, str], list[str], Any, bytes]:
        return warc.parse_record(warc_files.read_at(self.folder / ARCHIVE, name, offset, length))

    # What is made anew

    def _fill_in(self, version: int, response: Response, page: Page) -> None:
        number, digest, content = self.new.execute(
            "SELECT url, digest, content FROM versions WHERE seq = ?", (version,)
        ).fetchone()
        if response.body:
            content = self._content(content, digest, version, page)
            self.new.execute("UPDATE versions SET content = ? WHERE seq = ?", (content, version))
            self.new.execute("UPDATE pages SET content = ? WHERE id = ? AND version = ?", (content, number, version))
        if page.links:
            inserted = self.new.execute("INSERT OR IGNORE INTO links VALUES (?, ?)", (version, pack_links(page.links)))
            self.result.links += inserted.rowcount
        if not self.new.execute("SELECT 1 FROM pages WHERE id = ?", (number,)).fetchone():
            self._page(number, version, digest, content, response, page)

    def _content(self, content: int | None, digest: bytes, version: int, page: Page) -> int:
        row = self.new.execute("SELECT id FROM contents WHERE digest = ?", (digest,)).fetchone()
        if row is not None:
            return int(row[0])
        taken = content is not None and self.new.execute("SELECT 1 FROM contents WHERE id = ?", (content,)).fetchone()
        chosen = content if content is not None and not taken else self._next_content()
        text = pack(page.text.encode("utf-8", "replace"))
        self.new.execute(
            "INSERT INTO contents VALUES (?, ?, ?, ?, ?)", encodable((chosen, digest, version, page.title, text))
        )
        self.result.texts += 1
        return chosen

    def _next_content(self) -> int:
        query = (
            "SELECT 1 + max((SELECT coalesce(max(id), 0) FROM contents), "
            "(SELECT coalesce(max(content), 0) FROM pages), (SELECT coalesce(max(content), 0) FROM versions))"
        )
        return int(self.new.execute(query).fetchone()[0])

    def _page(
        self, number: int, version: int, digest: bytes, content: int | None, response: Response, page: Page
    ) -> None:
        original = self._near.find(page.simhash)
        if original is None:
            self._near.add(page.simhash, page.url)
        first_at, versions = self.new.execute(
            "SELECT min(at), count(*) FROM versions WHERE url = ?", (number,)
        ).fetchone()
        (depth,) = self.new.execute("SELECT depth FROM urls WHERE id = ?", (number,)).fetchone()
        (seq,) = self.new.execute("SELECT coalesce(max(seq), 0) + 1 FROM pages").fetchone()
        etag, modified = validators(response)
        simhash = page.simhash - (1 << 64) if page.simhash >> 63 else page.simhash
        row = {
            "seq": seq, "id": number, "version": version, "versions": versions, "status": response.status,
            "media_type": response.media_type, "charset": page.charset, "language": page.language, "title": page.title,
            "description": page.description, "canonical": page.canonical, "relevance": 0.0, "relevant": 0,
            "depth": depth, "first_at": first_at, "fetched_at": response.at, "checked_at": response.at, "etag": etag,
            "modified": modified, "digest": digest, "content": content, "simhash": simhash,
            "duplicate_of": urls.fingerprint(original) if original else None, "noindex": page.noindex,
            "bytes": len(response.body), "wire": response.wire, "elapsed": 0.0, "first_relevance": 0.0,
            "first_relevant": 0, "published": page.published,
        }  # fmt: skip
        columns = ", ".join(PAGE_COLUMNS)
        values = encodable([row[name] for name in PAGE_COLUMNS])
        self.new.execute(f"INSERT INTO pages ({columns}) VALUES ({', '.join('?' * len(PAGE_COLUMNS))})", values)
        self.result.pages += 1
        self.result.numbers.append(seq)

    # What cannot be made anew

    def _let_go(self) -> None:
        """What points to something that is gone for good points to nothing, and is counted."""
        self.result.lost_texts = self.new.execute(
            "UPDATE pages SET content = NULL WHERE content IS NOT NULL "
            "AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.id = content)"
        ).rowcount
        self.new.execute(
            "UPDATE versions SET content = NULL WHERE content IS NOT NULL "
            "AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.id = content)"
        )
        self.result.lost_pages = self.new.execute(
            "DELETE FROM pages WHERE NOT EXISTS (SELECT 1 FROM urls u WHERE u.id = pages.id)"
        ).rowcount
        self.new.execute("DELETE FROM versions WHERE NOT EXISTS (SELECT 1 FROM urls u WHERE u.id = versions.url)")
        self._name_originals()
        if self.result.numbers:
            note = msgspec.json.encode(self.result.numbers).decode()
            self.new.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (REBUILT, note))
            self.new.execute("DELETE FROM notes WHERE name = 'judged_by'")

    def _name_originals(self) -> None:
        """A text names the answer that brought its bytes: one that is there, and holds them itself where one does."""
        self.new.execute(
            "UPDATE contents SET version = coalesce((SELECT f.version FROM found f WHERE f.digest = contents.digest "
            "AND NOT f.revisit AND f.version IS NOT NULL ORDER BY f.version LIMIT 1), "
            "(SELECT min(v.seq) FROM versions v WHERE v.content = contents.id), version) "
            "WHERE NOT EXISTS (SELECT 1 FROM found f WHERE f.version = contents.version AND NOT f.revisit)"
        )
        self.new.execute(
            "DELETE FROM contents WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.seq = contents.version)"
        )
