"""The nouns of a crawl: frozen values that every other part passes around, with no I/O.

    Topic ──▶ Link ──(fetch)──▶ Response | Failed ──(parse)──▶ Page ──(judge)──▶ Visit ──(rank)──▶ Ranked
                ▲                                                                                     │
                └───────────────────────── Waiting (in the frontier) ◀────────────────────────────────┘

They are `msgspec.Struct`s rather than dataclasses because a page makes about a hundred of them, and they are far
cheaper to build.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

LinkKind = Literal[
    "a",
    "area",
    "frame",
    "refresh",
    "canonical",
    "redirect",
    "seed",
    "entry",  # of a feed or sitemap
    "ascend",  # a folder above a page
    "robots",  # a robots request of the frontier, never a page; nor are the following
    "feed",
    "sitemap",
    "data",  # what a search source answers
    "image",  # of a page whose pictures are watched
    "part",  # what the scripts of a page ask for
    "probe",  # a URL that cannot exist, to learn what a host answers then
]
"""How a link was found, and with it what is expected there."""

MergeRule = Literal["max", "mean", "min", "last"]
"""What happens to the priority of a waiting link that is found again."""

State = Literal["waiting", "fetched", "moved", "failed", "refused"]
"""Where a URL stands. `refused`: we chose not to ask (robots, scope, guard). `failed`: asking did not work.
`moved`: it answered with a redirect, whose target is a link of its own. All but `waiting` and `refused` are final."""

FailureKind = Literal[
    "dns",  # the name does not resolve
    "connect",  # no connection
    "tls",  # a certificate that is not valid for the name, or no way to encrypt that both know
    "timeout",  # connecting, reading or the whole download took too long
    "reset",  # the connection ended before the answer did
    "protocol",  # the answer is not HTTP as we know it
    "too-large",  # more bytes, on the wire or unpacked, than we take
    "status",  # an HTTP status that carries no page (4xx, 5xx)
    "type",  # a media type that is not analysed
    "parser",  # a page that the parser could not read, or not in time
    "redirect",  # a redirect without a usable target, or too many of them
    "empty",  # nothing in it
    "address",  # an address a crawler must not ask
]


class Keyword(Struct, frozen=True):
    """One word or phrase of a topic. Weights of a topic sum to 1 (Mali 3.1.1)."""

    term: str
    weight: float


class Topic(Struct, frozen=True):
    """What the crawl is about."""

    name: str
    keywords: tuple[Keyword, ...] = ()
    language: str = "en"
    description: str = ""  # what the editors of a directory say of it and its pages


class Link(Struct, frozen=True, gc=False, array_like=True):
    """A URL as one page shows it. `url` and `source` are canonical (see `urls.py`); a seed has no source."""

    url: str
    source: str = ""
    anchor: str = ""
    title: str = ""  # title attribute, and the alt texts of images inside
    context: str = ""  # the text around the anchor, the anchor included
    block: int = 0  # index into Page.blocks
    position: int = 0  # the how-manieth link of the page
    rel: str = ""
    kind: LinkKind = "a"


class Image(Struct, frozen=True, gc=False, array_like=True):
    url: str
    alt: str = ""


class Block(Struct, frozen=True, gc=False, array_like=True):
    """A heading and everything up to the next one (Aastha 4). What stands before the first heading is block 0.

    A page without headings is cut where its structure does: sections, lists, table cells, navigation.
    """

    heading: str
    level: int  # 1..6; 0 for the block before the first heading
    text: str  # heading included


class Page(Struct, frozen=True):
    """What the parser makes of a response."""

    url: str
    title: str = ""
    description: str = ""
    keywords: str = ""
    headings: tuple[str, ...] = ()
    text: str = ""  # visible text
    terms: Mapping[str, int] = {}  # stem -> how often, over title and visible text
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    language: str = ""
    canonical: str = ""  # rel=canonical, where it differs from url
    charset: str = ""
    simhash: int = 0  # of its terms: nearly the same on pages nearly the same; 0: too few of them to tell
    term_digests: bytes = b""  # of its terms, in their order, where somebody has made them: see text/term_digests.py
    noindex: bool = False
    nofollow: bool = False
    needs_scripts: bool = False  # it shows nothing until its scripts have run
    published: str = ""  # `2021-05-03 meta`: the day or less, and by what it is known; see parse/publication.py
    problem: str = ""  # why it could not be read; then there is nothing else
    notes: bytes = b""  # what a parser process was asked to read off it besides; see parse/parser_worker.py


class MainText(Struct, frozen=True):
    """What a page says, without menus and footers, and how much else is on it."""

    markdown: str = ""  # headings, lists, tables, code and links as the page has them
    words: int = 0  # of the main text
    all_words: int = 0  # of everything a reader sees, menus and footers included

    @property
    def boilerplate(self) -> float:
        """The share of the page's words that are not main text."""
        return 1 - self.words / self.all_words if self.all_words else 0.0


class Lessons(Struct, frozen=True):
    """What a learning crawler is taught with: pages, the links among them, and how far each is from a relevant one.

    They come from a person's browsing or from a web collected backwards from target pages.
    """

    pages: tuple[Page, ...]
    edges: tuple[tuple[int, int], ...]  # from page to page, by their places in `pages`
    states: tuple[int, ...]  # of each page: hops along edges to the nearest target, 0 for a target; -1: none in reach
    sequences: tuple[tuple[int, ...], ...] = ()  # ways through the pages, each page reached from the one before

    @property
    def targets(self) -> tuple[Page, ...]:
        return tuple(page for page, state in zip(self.pages, self.states, strict=True) if state == 0)


class Rendering(Struct, frozen=True):
    """What it took to have the scripts of a page run."""

    seconds: float = 0.0
    requests: int = 0  # that its scripts made, and that were answered
    bytes: int = 0  # of these answers
    refused: int = 0  # requests that were not made: robots.txt, scope, addresses, limits, what is no GET


class Response(Struct, frozen=True):
    """One answer to one request. Redirects are answers too: nobody follows them but the engine."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    at: float = 0.0  # unix time of the request
    elapsed: float = 0.0  # seconds until the last byte
    address: str = ""  # the IP address that answered
    wire: int = 0  # bytes of body received, before decompression
    request_headers: tuple[tuple[str, str], ...] = ()
    rendering: Rendering | None = None  # the body is what scripts made of the page, and this is what that took

    def header(self, name: str, default: str = "") -> str:
        """The first header of that name, whatever its case."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), default)

    @property
    def media_type(self) -> str:
        return self.header("content-type").partition(";")[0].strip().lower()


class Failed(Struct, frozen=True):
    """A request that brought no page: a value, because the web may do this at any time."""

    url: str
    kind: FailureKind
    detail: str = ""
    status: int = 0
    retry: bool = False  # may pass if asked again later
    retry_after: float = 0.0  # seconds the server asked us to wait
    at: float = 0.0
    elapsed: float = 0.0


def reason_kind(reason: str) -> str:
    """Of a reason as it is stored, `kind: detail`, the kind; of an HTTP status the number, which says more."""
    kind, _, detail = reason.partition(": ")
    return detail if kind == "status" and detail.isdigit() else kind.partition(":")[0]


class Visit(Struct, frozen=True):
    """A page with the way to it and what the judge said: all a strategy gets to see."""

    link: Link
    page: Page
    relevance: float
    relevant: bool  # relevance reached the crawl's threshold
    depth: int  # hops from the nearest seed, along the way taken
    memory: bytes | None = None  # what the strategy attached to the link when it ranked it


LabelKind = Literal["page", "site"]


class Label(Struct, frozen=True):
    """What somebody said about a page or a site: that it is relevant, or is not. It wins over any judge's score."""

    subject: str  # canonical URL of a page; a site's name
    relevant: bool | None  # None: taken back
    by: str = "person"  # person, bookmarks, list, file, program:NAME
    at: float = 0.0  # unix time
    kind: LabelKind = "page"


class Ranked(Struct, frozen=True, gc=False):
    """A strategy's word on one link: higher is sooner."""

    link: Link
    priority: float
    memory: bytes | None = None


class Waiting(Struct, frozen=True):
    """A link in the frontier. `id` is `urls.fingerprint(link.url)`, `order` counts discoveries and breaks ties."""

    id: int
    link: Link
    host: str
    priority: float
    order: int
    depth: int = 0
    memory: bytes | None = None
    evidence: int = 1  # how many pages it was found on, for the rule `mean`
    tries: int = 0  # requests made in vain so far
    hops: int = 0  # redirects on the way here
    not_before: float = 0.0  # unix time before which it must not be asked again
    rule: MergeRule | None = None  # None: store as it is; else: merge into the stored row by this rule


class Refusal(Struct, frozen=True):
    """A link that was found and not taken in, and why."""

    id: int
    link: Link
    host: str
    reason: str
    depth: int = 0
    for_good: bool = True  # else it may come back when it is found again


Outcome = Literal["same", "noise", "changed", "missing", "gone", "moved", "failed", "refused", "nothing"]
"""What a look at a stored page showed. `noise`: a date, a counter, nothing a reader would call news. `missing`: not
there, for the first time; `gone`: not there, and that is confirmed. `failed` and `refused`: nothing is known about the
page. `nothing`: not worth a row, as when a request is to be made again."""


class Check(Struct, frozen=True):
    """What a look at a page that is in the library already showed. What it brought, if anything, is in its `Step`."""

    outcome: Outcome
    before: float = 0.0  # relevance of the stored page
    was_relevant: bool = False
    since: float = 0.0  # unix time of the stored answer
    kind: str = ""  # of a change: which test noticed it
    size: float = 0.0  # of a change: 0 = none, 1 = nothing is left
    status: int = 0
    detail: str = ""  # an error, a target, a few words of what changed
    etag: str = ""  # what to ask with next time
    modified: str = ""
    counted: bool = False  # as relevant, which a page that repeats another does not


class Step(Struct, frozen=True):
    """All that one request changes, stored in one transaction or not at all."""

    lease: Waiting
    state: State
    at: float
    reason: str = ""  # of a failure or refusal; of a retry, when state is "waiting"
    response: Response | None = None
    visit: Visit | None = None
    simhash: int = 0
    duplicate_of: str = ""  # URL of the stored page this one repeats, exactly or nearly
    found: tuple[Waiting, ...] = ()  # new in the frontier, or with a new priority
    new: tuple[int, ...] = ()  # ids of those that nobody had seen, where it matters to the crawl
    refused: tuple[Refusal, ...] = ()
    for_good: bool = True  # of a refusal, as in Refusal
    delays: Mapping[str, float] = {}  # host -> seconds between requests that a robots.txt asks for
    check: Check | None = None  # of a look at a page that is stored already
