"""All that a library says of itself, to be compared; and what must hold whatever happened to it."""

from __future__ import annotations

import gzip
import hashlib
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

from scenthound.library import is_library, open_library
from scenthound.library.archive.warc import parse_record
from scenthound.protocols.library import Library


def check(folder: Path) -> list[str]:
    """The stored pages in order, after a look at all that must hold: also before anything is mended."""
    if not is_library(folder):
        return []
    with closing(sqlite3.connect(folder / "library.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not database.execute("PRAGMA user_version").fetchone()[0]:
            return []  # killed before the tables were made
    with open_library(folder, write=False) as library:
        urls = [page.url for page in library.pages()]
        assert len(set(urls)) == len(urls), "a page twice"
        counts = library.counts()
        assert counts.fetched == len(urls), "counts that do not agree with the pages"
        assert counts.relevant == sum(page.counts for page in library.pages()), "another number of relevant pages"
        assert counts.waiting == sum(waits for _, waits in library.known()), "another number of waiting links"
        for page in library.pages():
            if not page.noindex:
                answer = library.body(page.url)
                assert answer is not None, f"the body of {page.url} is lost"
                assert len(answer.body) == page.bytes, f"the body of {page.url} is another"
    return urls


def check_archive(folder: Path) -> int:
    """Every WARC file is whole records from the first byte to the last; how many answers there are."""
    answers = 0
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        data = path.read_bytes()
        while data:
            unpacker = zlib.decompressobj(wbits=31)
            unpacker.decompress(data)
            assert unpacker.eof, f"{path.name} ends in the middle of a record"
            member, data = data[: len(data) - len(unpacker.unused_data)], unpacker.unused_data
            headers, _, _, _ = parse_record(gzip.compress(gzip.decompress(member)))
            answers += headers.get("WARC-Type") in ("response", "revisit")
    return answers


def portrait(folder: Path) -> dict[str, Any]:
    """What a person could see of the library, without times."""
    with open_library(folder, write=False) as library:
        return {
            "pages": [_page(library, page) for page in library.pages()],
            "known": sorted(library.known()),
            "counts": library.counts(),
            "failed": sorted(link.url for link in library.failed()),
            "labels": {url: label.relevant for url, label in library.labels().items()},
            "archive": check_archive(folder),
        }


def _page(library: Library, page: Any) -> tuple[Any, ...]:
    answer = library.body(page.url)
    body = hashlib.sha1(answer.body).hexdigest() if answer is not None else ""
    text = hashlib.sha1((library.text(page.url) or "").encode()).hexdigest()
    judged = (round(page.relevance, 9), page.relevant, round(page.first_relevance, 9), page.first_relevant)
    return (
        page.url,
        body,
        text,
        *judged,
        page.duplicate_of,
        len(library.outlinks(page.url)),
        len(library.versions(page.url)),
    )
