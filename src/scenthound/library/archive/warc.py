"""WARC 1.1 records as bytes, each its own gzip member, and back again.

Written directly rather than through warcio because that is several times as fast; warcio and
fastwarc read and check the result in the tests.

The fetcher unpacks what servers pack, so the body on record is the plain one. Headers that speak of the packing are
kept under `X-Archive-Orig-`, as archive tools expect, and `Content-Length` says what is there. Cookies and passwords
are not on record, neither those that were sent nor those that were set: archives are handed on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha1
from http import HTTPStatus
from random import Random
from uuid import UUID

from msgspec.structs import replace

from scenthound import urls
from scenthound.library.archive.compression import from_gzip_member, gzip_member
from scenthound.library.payload_digest import payload_digest
from scenthound.model import Response

REVISIT = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

MOST_REVISIT = 1_024
"""Bytes, packed, of a record that says that nothing is new: beyond that, headers that tell nothing are left out."""

LONGEST_TOLD = 100  # characters of a header in such a record
_TELLING = {
    *("date", "etag", "last-modified", "content-type", "content-language", "location", "retry-after", "cache-control"),
    *("x-robots-tag", "content-usage", "tdm-reservation"),
}
_PACKING = {"content-encoding", "transfer-encoding", "content-length"}
_SECRET = {"authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie", "set-cookie2"}
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")
_REASONS = {status.value: status.phrase for status in HTTPStatus}

# The system is asked for randomness once and not for every record: each time gives up Python's global lock.
_dice = Random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_dice.seed)

Headers = Iterable[tuple[str, str]]


def warc_date(at: float) -> str:
    return datetime.fromtimestamp(max(0.0, at), UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def info_record(name: str, info: Mapping[str, str], at: float, record_id: str = "") -> bytes:
    """The first record of every file: who made it, and how."""
    fields = _lines({"format": "WARC File Format 1.1", **info}.items())
    about = f"WARC-Date: {warc_date(at)}\r\nWARC-Filename: {name}\r\nContent-Type: application/warc-fields\r\n"
    return _record("warcinfo", record_id or _record_id(), about, fields.encode("utf-8", "replace"))


def response_records(response: Response, digest: bytes, record_id: str = "") -> tuple[bytes, bytes]:
    """The answer, and the question where it is known."""
    payload = f"WARC-Payload-Digest: {payload_digest(digest)}\r\n"
    return _exchange("response", response, payload, response.body, record_id)


def revisit_records(
    response: Response, digest: bytes, original: str, original_at: float, record_id: str = ""
) -> tuple[bytes, bytes]:
    """An answer whose body is on record already: its headers, and where the body is."""
    payload = f"WARC-Payload-Digest: {payload_digest(digest)}\r\n"
    return _exchange("revisit", response, payload + _refers_to(REVISIT, original, original_at), b"", record_id)


def not_modified_records(response: Response, original_at: float) -> tuple[bytes, bytes]:
    """A server's word that nothing is new since the answer of that time."""
    return _exchange("revisit", response, _refers_to(NOT_MODIFIED, response.url, original_at))


def _refers_to(profile: str, original: str, original_at: float) -> str:
    return (
        f"WARC-Profile: {profile}\r\nWARC-Refers-To-Target-URI: {_one_line(original)}\r\n"
        f"WARC-Refers-To-Date: {warc_date(original_at)}\r\n"
    )


def _exchange(kind: str, response: Response, more: str, body: bytes = b"", record_id: str = "") -> tuple[bytes, bytes]:
    """The records of the answer, with `more` lines about it, and of the question, if it is known."""
    about = f"WARC-Date: {warc_date(response.at)}\r\nWARC-Target-URI: {_one_line(response.url)}\r\n"
    if response.address:
        about += f"WARC-IP-Address: {_one_line(response.address)}\r\n"
    about += "Content-Type: application/http; msgtype="
    record_id = record_id or _record_id()
    answer = _record(kind, record_id, f"{about}response\r\n{more}", _answer_head(response), body)
    if kind == "revisit" and len(answer) > MOST_REVISIT:
        answer = _record(kind, record_id, f"{about}response\r\n{more}", _answer_head(_told_in_short(response)), body)
    if not response.request_headers:
        return answer, b""
    concurrent = f"{about}request\r\nWARC-Concurrent-To: {record_id}\r\n"
    return answer, _record("request", _record_id(), concurrent, _question_head(response))


def _told_in_short(response: Response) -> Response:
    """The answer with those headers alone that say something about a page, and none that is long."""
    kept = tuple(
        (name, value) for name, value in response.headers if name.lower() in _TELLING and len(value) <= LONGEST_TOLD
    )
    return replace(response, headers=kept)


def _answer_head(response: Response) -> bytes:
    start = f"HTTP/1.1 {response.status} {_REASONS.get(response.status, 'Unknown')}"
    kept = [(_archived_name(name), value) for name, value in response.headers if _is_kept(name)]
    return _http_head(start, kept, f"Content-Length: {len(response.body)}\r\n")


def _question_head(response: Response) -> bytes:
    target = response.url[len(urls.origin(response.url)) :].partition("#")[0] or "/"
    known = [(name, value) for name, value in response.request_headers if _is_kept(name)]
    return _http_head(f"GET {target} HTTP/1.1", known)


def _http_head(start: str, headers: Headers, end: str = "") -> bytes:
    head = f"{_UNPRINTABLE.sub(' ', start)}\r\n{_lines(headers)}{end}\r\n"
    return head.encode("utf-8", "replace")


def _lines(headers: Headers) -> str:
    return "".join([f"{name}: {_one_line(value)}\r\n" for name, value in headers])


def _one_line(value: str) -> str:
    """What a server sent can break no line: control characters become spaces."""
    return value.strip() if value.isprintable() else _UNPRINTABLE.sub(" ", value).strip()


@lru_cache(maxsize=256)
def _is_kept(name: str) -> bool:
    return _TOKEN.match(name) is not None and name.lower() not in _SECRET


@lru_cache(maxsize=256)
def _archived_name(name: str) -> str:
    return f"X-Archive-Orig-{name}" if name.lower() in _PACKING else name


def _record(kind: str, record_id: str, about: str, head: bytes, body: bytes = b"") -> bytes:
    """One record: the lines every kind has, around those `about` this one, and its block, the head and the body."""
    block = sha1(head)
    block.update(body)
    lines = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {record_id}\r\n{about}"
        f"WARC-Block-Digest: {payload_digest(block.digest())}\r\nContent-Length: {len(head) + len(body)}\r\n\r\n"
    )
    return gzip_member(lines.encode("utf-8", "replace"), head, body, b"\r\n\r\n")


def _record_id() -> str:
    return f"<urn:uuid:{UUID(int=_dice.getrandbits(128), version=4)}>"


def parse_record(packed: bytes) -> tuple[dict[str, str], list[str], list[tuple[str, str]], bytes]:
    """A record of ours: its own headers, the words of the HTTP start line, the HTTP headers, the body."""
    return parse_plain(from_gzip_member(packed))


def parse_plain(record: bytes) -> tuple[dict[str, str], list[str], list[tuple[str, str]], bytes]:
    """The same of a record that is unpacked."""
    warc_head, _, rest = record.partition(b"\r\n\r\n")
    headers = dict(_parse_lines(warc_head))
    block = rest[: int(headers["Content-Length"])]
    http_head, _, body = block.partition(b"\r\n\r\n")
    start = http_head.partition(b"\r\n")[0].decode("utf-8", "replace").split(" ", 2)
    return headers, start, _parse_lines(http_head), body


def _parse_lines(head: bytes) -> list[tuple[str, str]]:
    """The headers under the first line of a block."""
    fields = (line.partition(": ") for line in head.decode("utf-8", "replace").split("\r\n")[1:])
    return [(name, value) for name, _, value in fields]
