"""Answers of a library as a WARC file of their own, to hand on: written as the library's archive is."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha1
from typing import BinaryIO
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct

from scenthound.library.archive import warc
from scenthound.library.payload_digest import payload_digest
from scenthound.model import Response
from scenthound.protocols.library import StoredPages
from scenthound.version import __version__


class WrittenAnswer(Struct, frozen=True):
    """One answer, and where its record stands in the file."""

    response: Response
    digest: str  # sha1:..., of the body
    offset: int
    length: int
    revisit: bool  # its body is that of an earlier record


class WarcOutput:
    """A WARC file in the making, the same bytes for the same answers.

    A body that was written before is not written again: its record says where it is.
    """

    def __init__(self, stream: BinaryIO, name: str, at: float) -> None:
        self._stream = stream
        self._offset = 0
        self._bodies: dict[tuple[bytes, int, str], tuple[str, float]] = {}
        software = {"software": f"Scenthound/{__version__}"}
        self._put(warc.info_record(name, software, at, _record_id(f"{name} {at}")))

    def add(self, response: Response) -> WrittenAnswer:
        digest = sha1(response.body).digest()
        number = _record_id(f"{self._offset} {response.at} {response.url}")
        key = digest, response.status, response.header("content-type")  # by which a body is understood
        before = self._bodies.get(key)
        if before is None:
            self._bodies[key] = (response.url, response.at)
            record, _ = warc.response_records(response, digest, number)
        else:
            record, _ = warc.revisit_records(response, digest, *before, number)
        offset = self._put(record)
        return WrittenAnswer(response, payload_digest(digest), offset, len(record), before is not None)

    def _put(self, record: bytes) -> int:
        offset = self._offset
        self._stream.write(record)
        self._offset += len(record)
        return offset


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid5(NAMESPACE_URL, name)}>"


def answers_of(library: StoredPages, url: str) -> Iterator[Response]:
    """Every answer of a page that was kept, oldest first."""
    for version in library.versions(url):
        if (response := library.body(url, version)) is not None:
            yield response
