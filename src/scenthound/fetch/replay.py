"""Answers from a recorded web instead of the network: same interface, same outcomes, no delays.

What was recorded is replayed as it was, redirects and errors included; what was not recorded is a 404.

Some sites moved from http to https while they were recorded. With `either_scheme`, what was recorded under the one
answers for the other, where that was not recorded itself. A redirect from the one to the other does not: it would lead
to where it comes from.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from scenthound import urls
from scenthound.config import FetchSection
from scenthound.fetch.answer import NOTHING, ROBOTS_BYTES, Headers, Wanted, classify, decoded, failure, refuse, settle
from scenthound.fetch.recording import Recording, WarcRecord, WarcRecordType, status_of
from scenthound.fetch.unpack import GZIP_MAGIC, BadCoding, TooMuch, UnknownCoding, Unpacker
from scenthound.model import Failed, Link, Response
from scenthound.parse.sitemap import moment
from scenthound.protocols.crawl import Clock

MAX_HEAD = 1_000_000  # bytes that headers and chunk marks may add to a body


class DamagedRecord(Exception):
    """A record that is not what it says it is."""


class ReplayFetcher:
    """Serves WARC files by URL. `parallel` is 1, so that the order of a crawl is its strategy's and nothing else's."""

    parallel = 1
    recorded = True  # no server is asked

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        index_folder: Path | None = None,
        clock: Clock = time.time,
        max_bytes: int = FetchSection().max_bytes,
        either_scheme: bool = False,
        dated: bool = False,
        wanted: Wanted = NOTHING,
    ) -> None:
        self._recording = Recording(paths, index_folder)
        self._clock = clock
        self._max_bytes = max_bytes
        self._either_scheme = either_scheme
        self._wanted = wanted  # formats of files that are taken beside pages
        self._dated = dated  # answers are of the time they were recorded, not of now

    @property
    def damaged(self) -> Sequence[str]:
        """What of the recording could not be read, one line a file."""
        return self._recording.damaged

    def __len__(self) -> int:
        return len(self._recording)

    def urls(self) -> Iterator[str]:
        return self._recording.urls()

    async def __call__(self, link: Link) -> Response | Failed:
        await asyncio.sleep(0)  # nothing here waits, and the loop has signals and clocks to serve
        return self.answer(link)

    def answer(self, link: Link) -> Response | Failed:
        at = self._clock()
        try:
            if (record := self._recording.find(link.url)) is not None:
                return self._replay(record, link, at)
            if self._either_scheme and (record := self._recording.find(urls.other_scheme(link.url))) is not None:
                answer = self._replay(record, link, at)
                if not (isinstance(answer, Response) and leads_to(answer, link.url)):
                    return answer
            return classify(Response(link.url, 404, at=at), link.kind)
        except TooMuch:
            return Failed(link.url, "too-large", f"more than {self._max_bytes} bytes", at=at)
        except UnknownCoding as error:
            return Failed(link.url, "protocol", f"unknown content coding: {error}", at=at)
        except BadCoding as error:
            return Failed(link.url, "protocol", f"bad content coding: {error}", at=at)
        except Exception as error:
            return Failed(link.url, "protocol", f"damaged record: {error}"[:300], at=at)

    async def close(self) -> None:
        self.close_files()

    def close_files(self) -> None:
        """`close` for those who only look answers up, and may stand inside an event loop or not."""
        self._recording.close()

    def _replay(self, record: WarcRecord, link: Link, at: float) -> Response | Failed:
        length = int(record.headers.get("Content-Length") or 0)
        if length > self._max_bytes + MAX_HEAD:
            raise TooMuch
        block = record.reader.read()
        if len(block) < length:
            raise DamagedRecord(f"{len(block)} of {length} bytes")
        if record.record_type == WarcRecordType.resource:
            stated: Headers = (("Content-Type", record.headers.get("Content-Type") or ""),)
            status, headers, payload = 200, stated, block
        else:
            status, headers, payload = split(block)
        at = (self._dated and moment(record.headers.get("WARC-Date") or "")) or at
        head = Response(link.url, status, headers, at=at, address=record.headers.get("WARC-IP-Address") or "")
        refused = refuse(head, link.kind, wanted=self._wanted)
        if refused is not None or 300 <= status < 400:
            return refused or head
        return self._whole(head, payload, link)

    def _whole(self, head: Response, payload: bytes, link: Link) -> Response | Failed:
        if "chunked" in head.header("transfer-encoding").lower():
            payload = dechunked(payload)
        robots = link.kind == "robots"
        unpacker = Unpacker(_coding(head, payload), ROBOTS_BYTES if robots else self._max_bytes)
        try:
            unpacker.feed(payload)
        except TooMuch:
            if not robots:
                return failure(head, "too-large", f"more than {self._max_bytes} bytes")
        if not robots and not unpacker.complete():
            return failure(head, "reset", "the coded body is cut short")
        response = Response(
            head.url, head.status, head.headers, unpacker.body(), head.at, 0.0, head.address, unpacker.wire
        )
        return settle(response, link.kind, self._wanted)


def leads_to(answer: Response, url: str) -> bool:
    """Whether it is a redirect to that URL."""
    return 300 <= answer.status < 400 and urls.Base(url).resolve(answer.header("location")) == url


def split(block: bytes) -> tuple[int, Headers, bytes]:
    """Status, headers and payload of a recorded HTTP answer; bare line feeds are taken for line ends."""
    start, gap, payload = block.partition(b"\r\n\r\n")
    if not gap or b"\n\n" in start:
        start, gap, payload = block.partition(b"\n\n")
    lines = start.splitlines()
    if not lines or not lines[0].startswith(b"HTTP/"):
        raise DamagedRecord("not an HTTP answer")
    fields = []
    for line in lines[1:]:
        name, colon, value = line.partition(b":")
        if colon:
            fields.append((name.strip(), value.strip()))
    return status_of(lines[0]), decoded(tuple(fields)), payload


def dechunked(payload: bytes) -> bytes:
    """A chunked body put together. Many recorders did so before writing, and left the header: then it is as it is."""
    parts: list[bytes] = []
    place = 0
    while True:
        end = payload.find(b"\n", place, place + 1024)
        size = _chunk_size(payload[place:end]) if end >= 0 else -1
        if size < 0 and not parts:
            return payload
        if size <= 0:
            return b"".join(parts)
        parts.append(payload[end + 1 : end + 1 + size])
        place = end + 1 + size
        if payload[place : place + 2] == b"\r\n":
            place += 2
        elif payload[place : place + 1] == b"\n":
            place += 1


def _chunk_size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip()
    if not 0 < len(digits) <= 8 or digits.strip(b"0123456789abcdefABCDEF"):
        return -1
    return int(digits, 16)


def _coding(head: Response, payload: bytes) -> str:
    """The content coding, unless the recorder undid it and left the header."""
    coding = head.header("content-encoding")
    if "gzip" in coding.lower() and "," not in coding and not payload.startswith(GZIP_MAGIC):
        return ""
    return coding
