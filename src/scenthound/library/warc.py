"""WARC 1.1 records as bytes, each its own gzip member, and back again.

Written directly rather than through warcio because that is several times as fast; warcio and
fastwarc read and check the result in the tests.

The fetcher unpacks what servers pack, so the body on record is the plain one. Headers that speak of the packing are
kept under `X-Archive-Orig-`, as archive tools expect, and `Content-Length` says what is there.
"""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha1
from http import HTTPStatus
from uuid import uuid4

from scenthound import urls
from scenthound.library.packing import from_gzip_member, gzip_member
from scenthound.model import Response

REVISIT = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

_PACKING = {"content-encoding", "transfer-encoding", "content-length"}
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")
_REASONS = {status.value: status.phrase for status in HTTPStatus}

Headers = Iterable[tuple[str, str]]


def payload_digest(digest: bytes) -> str:
    return f"sha1:{b32encode(digest).decode()}"


def warc_date(at: float) -> str:
    return datetime.fromtimestamp(max(0.0, at), UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def info_record(name: str, info: Mapping[str, str], at: float) -> bytes:
    """The first record of every file: who made it, and how."""
    fields = _lines({"format": "WARC File Format 1.1", **info}.items())
    headers = {"WARC-Filename": name, "Content-Type": "application/warc-fields"}
    return _record("warcinfo", _record_id(), at, headers, fields)


def response_records(response: Response, digest: bytes) -> tuple[bytes, bytes]:
    """The answer, and the question where it is known."""
    record_id = _record_id()
    headers = _about(response) | {
        "Content-Type": "application/http; msgtype=response",
        "WARC-Payload-Digest": payload_digest(digest),
    }
    answer = _record("response", record_id, response.at, headers, _answer_head(response), response.body)
    return answer, _request_record(response, record_id)


def revisit_records(response: Response, digest: bytes, original: str, original_at: float) -> tuple[bytes, bytes]:
    """An answer whose body is on record already: its headers, and where the body is."""
    record_id = _record_id()
    headers = _about(response) | {
        "Content-Type": "application/http; msgtype=response",
        "WARC-Payload-Digest": payload_digest(digest),
        "WARC-Profile": REVISIT,
        "WARC-Refers-To-Target-URI": original,
        "WARC-Refers-To-Date": warc_date(original_at),
    }
    answer = _record("revisit", record_id, response.at, headers, _answer_head(response))
    return answer, _request_record(response, record_id)


def not_modified_records(response: Response, original_at: float) -> tuple[bytes, bytes]:
    """A server's word that nothing is new since the answer of that time."""
    record_id = _record_id()
    headers = _about(response) | {
        "Content-Type": "application/http; msgtype=response",
        "WARC-Profile": NOT_MODIFIED,
        "WARC-Refers-To-Target-URI": response.url,
        "WARC-Refers-To-Date": warc_date(original_at),
    }
    answer = _record("revisit", record_id, response.at, headers, _answer_head(response))
    return answer, _request_record(response, record_id)


def _request_record(response: Response, answer_id: str) -> bytes:
    if not response.request_headers:
        return b""
    target = response.url[len(urls.origin(response.url)) :].partition("#")[0] or "/"
    head = _http_head(f"GET {target} HTTP/1.1", response.request_headers)
    headers = _about(response) | {
        "Content-Type": "application/http; msgtype=request",
        "WARC-Concurrent-To": answer_id,
    }
    return _record("request", _record_id(), response.at, headers, head)


def _about(response: Response) -> dict[str, str]:
    address = {"WARC-IP-Address": response.address} if response.address else {}
    return {"WARC-Target-URI": response.url} | address


def _answer_head(response: Response) -> bytes:
    kept: list[tuple[str, str]] = []
    for name, value in response.headers:
        kept.append((f"X-Archive-Orig-{name}" if name.lower() in _PACKING else name, value))
    kept.append(("Content-Length", str(len(response.body))))
    return _http_head(f"HTTP/1.1 {response.status} {_REASONS.get(response.status, 'Unknown')}", kept)


def _http_head(first: str, headers: Headers) -> bytes:
    start = _UNPRINTABLE.sub(" ", first).encode("utf-8", "replace")
    return start + b"\r\n" + _lines([(name, value) for name, value in headers if _is_token(name)]) + b"\r\n"


def _lines(headers: Headers) -> bytes:
    """`name: value` lines. What a server sent can break no line: control characters become spaces."""
    text = "".join(
        [f"{name}: {value.strip() if value.isprintable() else _one_line(value)}\r\n" for name, value in headers]
    )
    return text.encode("utf-8", "replace")


def _one_line(value: str) -> str:
    return _UNPRINTABLE.sub(" ", value).strip()


@lru_cache(maxsize=256)
def _is_token(name: str) -> bool:
    return _TOKEN.match(name) is not None


def _record(kind: str, record_id: str, at: float, headers: Mapping[str, str], head: bytes, body: bytes = b"") -> bytes:
    block = sha1(head)
    block.update(body)
    lines = {
        "WARC-Type": kind,
        "WARC-Record-ID": record_id,
        "WARC-Date": warc_date(at),
        **headers,
        "WARC-Block-Digest": payload_digest(block.digest()),
        "Content-Length": str(len(head) + len(body)),
    }
    return gzip_member(b"WARC/1.1\r\n" + _lines(lines.items()) + b"\r\n" + head, body, b"\r\n\r\n")


def _record_id() -> str:
    return f"<urn:uuid:{uuid4()}>"


def parse_record(packed: bytes) -> tuple[dict[str, str], list[str], list[tuple[str, str]], bytes]:
    """A record of ours: its own headers, the words of the HTTP start line, the HTTP headers, the body."""
    record = from_gzip_member(packed)
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
