"""A crawl as somebody at a dashboard sees it, as values; and what may be changed of it. `live_crawl` makes them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from scenthound.app.judgement_words import WordWeight
from scenthound.app.steering import SteeringRule
from scenthound.crawler.coverage.recall_estimate import RecallEstimate

CrawlState = Literal["none", "starting", "running", "paused", "stopping", "ended", "broken"]


class CrawlChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be changed while a crawl runs; None: it stays."""

    pages: int | None = None
    minutes: float | None = None
    threshold: float | None = None
    parallel: int | None = None
    recall: float | None = None  # only for one that begins: it ends when so much of what can be reached is found


class RecallLine(Struct, frozen=True):
    """How much of what can be reached is found, by an estimate with its interval."""

    recall: float
    low: float
    high: float
    confidence: float
    missing: float  # relevant pages that are expected and not found
    unknown: str = ""  # why nothing can be said; then the rest means nothing
    advice: str = ""  # what to do so that something can


class JudgedLine(Struct, frozen=True):
    """What came of judging all pages again, after labels or words of the topic."""

    because: list[str]
    relevant_before: int
    relevant: int
    links: int  # that wait in another place now
    at: float  # seconds since the crawl began


class WaitingLine(Struct, frozen=True):
    """A link at the top of the frontier."""

    url: str
    host: str
    priority: float
    anchor: str
    source: str


class HostLine(Struct, frozen=True):
    """A host of the crawl, and how it is treated."""

    host: str
    pages: int
    waiting: int = 0
    state: str = "ready"  # ready, asked, rests, held
    seconds: float = 0.0  # until it may be asked again


class ArrivedLine(Struct, frozen=True):
    """A page that arrived, or why none did."""

    number: int  # of what arrived in this run
    url: str
    host: str
    title: str
    relevance: float
    relevant: bool
    repeats: bool
    trouble: str
    words: list[WordWeight] = []


class CrawlView(Struct, frozen=True):
    """A running crawl as one value."""

    state: CrawlState
    topic: str = ""
    error: str = ""
    ending: str = ""
    pages: int = 0
    new_pages: int = 0
    relevant: int = 0
    harvest: float = 0.0
    recent: float = 0.0  # harvest of the last hundred pages
    expected_precision: float | None = None  # mean probability of the best pages of this run that count
    rate: float = 0.0  # pages a second
    elapsed: float = 0.0
    seconds_left: float | None = None
    waiting: int = 0
    budget: int = 0
    minutes: float = 0.0
    threshold: float = 0.0
    parallel: int = 0
    failed: int = 0
    refused: int = 0
    bytes: int = 0
    troubles: dict[str, int] = {}
    curve: list[float] = []
    hosts: list[HostLine] = []
    frontier: list[WaitingLine] = []
    arrived: list[ArrivedLine] = []
    steering: list[SteeringRule] = []
    kinds: dict[str, int] = {}  # pages by media type
    words: list[str] = []  # of the topic
    seeds: list[str] = []
    recall: RecallLine | None = None  # None: no crawl is there
    judged: JudgedLine | None = None  # the last time
    judging: tuple[int, int] | None = None  # so many of so many stored pages were judged again, which is under way


NOT_DRAWN = "no page was drawn at random from all that wait, and without that any figure would be a guess"
DRAW = "go on with “Until recall of” in the live view: every tenth page is then drawn, and it is estimated as it goes"


def recall_line(found: RecallEstimate) -> RecallLine:
    return RecallLine(
        round(found.recall, 4),
        round(found.low, 4),
        round(found.high, 4),
        found.confidence,
        round(found.missing, 1),
        found.unknown,
        "let it go on for a while" if found.unknown else "",
    )


def no_recall(confidence: float, running: bool = False) -> RecallLine:
    """Of a crawl that draws no links: nothing honest can be said of it."""
    return RecallLine(0.0, 0.0, 0.0, confidence, 0.0, NOT_DRAWN, f"stop it, and {DRAW}" if running else DRAW)
