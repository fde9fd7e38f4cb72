"""What a library tells: the values its reading methods return."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from scenthound.model import Link, Outcome, State


class StoredPage(Struct, frozen=True):
    """A page as the last visit left it."""

    seq: int  # order of the first visit
    url: str
    host: str
    status: int
    media_type: str
    charset: str
    language: str
    title: str
    description: str
    canonical: str
    relevance: float
    relevant: bool
    depth: int
    first_at: float
    fetched_at: float
    digest: str  # sha1:..., as in the WARC file
    simhash: int
    duplicate_of: str  # URL, or empty
    noindex: bool
    bytes: int
    wire: int
    elapsed: float
    version: int
    versions: int
    checked_at: float = 0.0  # when it was last known to be as stored
    etag: str = ""
    modified: str = ""
    state: State = "fetched"  # or moved, or failed: it was there once
    reason: str = ""  # where it moved, or why it is thought gone


class UrlRow(Struct, frozen=True):
    """All that is known about a URL, fetched or not."""

    url: str
    host: str
    state: State
    reason: str
    priority: float
    order: int
    depth: int
    evidence: int
    tries: int
    hops: int
    not_before: float
    memory: bytes | None  # the strategy's
    link: Link  # the way to it
    found_at: float
    changed_at: float


class WayStep(Struct, frozen=True):
    """One step of the way from a seed to a URL."""

    link: Link
    state: State
    reason: str
    priority: float
    depth: int
    title: str = ""
    relevance: float | None = None  # of the page, if it is one


class Version(Struct, frozen=True):
    """One answer of a URL."""

    seq: int
    at: float
    status: int
    digest: str
    warc: str  # file name; empty when the bytes were not kept
    offset: int
    length: int
    title: str = ""
    content: int = 0  # 0: no page, as with a redirect, or one that asked not to be kept


class PageLook(Struct, frozen=True):
    """One look at a page that was stored already."""

    seq: int
    url: str
    host: str
    title: str  # of the page as it is stored now
    at: float
    outcome: Outcome
    status: int
    kind: str
    size: float
    version: int | None  # the answer it brought, if that was kept
    relevance: float
    relevant: bool
    before: float
    was_relevant: bool
    detail: str


class LibraryCounts(Struct, frozen=True):
    fetched: int  # pages
    relevant: int  # pages over the threshold that repeat no other
    duplicates: int
    waiting: int
    moved: int
    failed: Mapping[str, int]  # by kind
    refused: Mapping[str, int]  # by reason
    hosts: int
    bytes: int  # of the pages, unpacked


class HostRow(Struct, frozen=True):
    host: str
    asked: int
    pages: int
    relevant: int
    failed: int
    bytes: int
    last_asked: float
    delay: float  # seconds between requests that its robots.txt asks for


class CrawlRun(Struct, frozen=True):
    """One crawl session. `ended_at` is None while it runs, or when it was killed."""

    id: int
    started_at: float
    ended_at: float | None
    reason: str
    software: str
    config: str
    counters: Mapping[str, float]
