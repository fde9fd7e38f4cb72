"""What a library tells: the values its reading methods return."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from scenthound.model import Link, Outcome, State


class CutFile(Struct, frozen=True):
    """A file of the archive that had lost its end, and was mended."""

    name: str
    missing: int  # bytes
    answers: int  # that were in them
    pages: int  # of these, which wait to be fetched again


Ending = Literal["failed", "moved", "refused", "given up"]
"""How a link ended that brought no page: what was given up may come back when it is found again."""


class EndedLink(Struct, frozen=True):
    """A link that brought no page, as a strategy heard of it."""

    page: int  # number of the last page that was stored before
    link: Link
    ending: Ending
    target: str = ""  # of one that moved


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
    relevance: float  # the present judgement
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
    first_relevance: float = 0.0  # as it was judged when it was first stored
    first_relevant: bool = False
    published: str = ""  # as in model.Page

    @property
    def counts(self) -> bool:
        """Does it count as found? Not where it repeats another page, however relevant."""
        return self.relevant and not self.duplicate_of


UNDATED = "unknown"
"""What stands for the year of publication of pages of which nobody says it."""

PageOrder = Literal["best", "newest", "oldest"]
"""How a list of pages is sorted: by present relevance, or by the order in which they were first fetched."""


class PageFilters(Struct, frozen=True):
    """Which pages a list has; the defaults let all of them through."""

    host: str = ""
    language: str = ""
    counts: bool | None = None  # True: only pages that count as found, False: only others
    at_least: float = 0.0  # relevance
    below: float = 0.0  # relevance; 0: no bound
    since: float = 0.0  # unix times of the first fetch
    until: float = 0.0
    published: str = ""  # the year in which it was, of four digits, or UNDATED
    among: frozenset[str] | None = None  # only these URLs
    outside: frozenset[str] = frozenset()  # none of these


class PageSlice(Struct, frozen=True):
    """A stretch of a list of pages. `next` names the place at which it goes on; empty: it ends here."""

    pages: list[StoredPage]
    next: str = ""


class PageTotals(Struct, frozen=True):
    """What can be told of a library of any size at once."""

    pages: int
    relevant: int
    bytes: int
    hosts: int  # with pages
    failed: int
    last_asked: float  # unix time


class PageFacets(Struct, frozen=True):
    """How the pages are spread."""

    languages: Mapping[str, int]  # most frequent first
    relevance: tuple[int, ...]  # pages of a relevance below 0.1, below 0.2 ...
    fetched: Mapping[int, int] = {}  # years of the first fetch (UTC), the latest first
    published: Mapping[str, int] = {}  # years of publication, the latest first; last those that say none, as UNDATED


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
    first_relevance: float | None = None  # likewise, as it was judged when it was first stored


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
    noindex: int = 0  # pages that asked not to be indexed: nothing of what they say is kept


class JudgedAgain(Struct, frozen=True):
    """When the stored pages were last judged again, and by which judge."""

    at: float
    judge: str


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


class HostQueue(Struct, frozen=True):
    """How much of one host waits in the store, and the best priority of it."""

    host: str
    waiting: int
    best: float


class LookSummary(NamedTuple):
    """The gist of a look."""

    at: float
    outcome: Outcome
    modified_at: float | None = None  # as the server says


class WatchedPage(Struct, frozen=True):
    """A page that has not moved, and every look at it since it was first fetched."""

    seq: int
    id: int
    url: str
    host: str
    title: str
    relevance: float
    relevant: bool
    first_at: float
    fetched_at: float
    checked_at: float
    etag: str
    modified: str
    digest: bytes
    simhash: int
    versions: int
    gone: bool = False  # and that was confirmed
    looks: tuple[LookSummary, ...] = ()
    counts: bool = False  # as relevant: see `StoredPage.counts`


class MissingPage(Struct, frozen=True):
    """What a host answered when it was asked for a URL that cannot exist."""

    host: str
    at: float
    status: int
    target: str  # of a redirect
    simhash: int
    digest: bytes  # of the text


class StoredImage(Struct, frozen=True):
    """A picture of a watched page, as it last was."""

    url: str
    at: float
    etag: str
    modified: str
    digest: bytes
    prints: str


class SearchFilters(Struct, frozen=True):
    """Which pages may be found; the defaults let all of them through."""

    relevance: float = 0.0  # at least
    relevant: bool = False  # only pages over the crawl's threshold
    host: str = ""
    site: str = ""
    since: float = 0.0  # unix times of the last fetch
    until: float = 0.0
    published: str = ""  # as in PageFilters
    language: str = ""
    address: str = ""  # stands somewhere in the URL, in small letters or capitals
    among: frozenset[str] | None = None  # only these URLs
    outside: frozenset[str] = frozenset()  # none of these


class Snippet(Struct, frozen=True):
    """A piece of text on one line; `marks` are the (start, end) of the words searched for."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


class SearchHit(Struct, frozen=True):
    """One answer of a search."""

    url: str
    title: str
    host: str
    language: str
    score: float  # BM25, higher is better
    relevance: float
    relevant: bool
    fetched_at: float
    copies: int  # other URLs with the very same page
    snippet: Snippet
    state: State = "fetched"  # "failed": gone since, as a later look showed; "moved": it leads elsewhere now
    label: bool | None = None  # what somebody said about it: relevant, or not


class SearchMatch(Struct, frozen=True):
    """A page with the words, as far as one counts such pages."""

    url: str
    host: str
    language: str
    relevance: float
    relevant: bool
    fetched_at: float
    published: str = ""


class SearchResult(Struct, frozen=True):
    """A page of answers, and how many there are in all."""

    hits: list[SearchHit]
    total: int  # pages that match, copies left out
    loosened: bool = False  # no page has all the words; these have some
