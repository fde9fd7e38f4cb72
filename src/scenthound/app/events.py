"""What happens in a crawl, as values: the live view, plain lines, `--json`, a notebook and a dashboard all read these.

    for each request     visited, moved, failed, refused, retry; checked, where a stored page is looked at again
    at the beginning     topic-understood (a sentence, or words of another language), language-recognized (pages are in
                         another language than the topic), topic-absent (no page has a word of the topic),
                         none-relevant (a hundred pages, and none that counts)
    besides              host-rests (a server asked for a pause), learned (a strategy, the topic), stopped (and why)
    judging again        judging (how far it is), judged-again (what came of it): before a crawl goes on, or at its end
    at the very end      summary

As JSON an event is one object whose `event` says which it is: `msgspec.json.encode(event)`, and `decode` for the way
back. A new kind of event is a class here, and whoever makes it happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Union

import msgspec
from msgspec import UNSET, Struct, UnsetType

from scenthound.crawler.budget import Ending
from scenthound.crawler.script_figures import ScriptFigures
from scenthound.model import Outcome, Step
from scenthound.report.formatting import printable

ASKED_FOR_A_PAUSE = ("status: 429", "status: 503")
"""Failures after which the whole host rests, not only the link."""


class Event(Struct, frozen=True, tag_field="event", tag="event"):
    """Anything that happens. `event` names the kind, in JSON."""


class RequestEvent(Event, frozen=True, tag="request"):
    """What became of one link whose turn had come."""

    url: str
    at: float  # unix time
    depth: int
    priority: float


class Visited(RequestEvent, frozen=True, tag="visited"):
    """A page arrived and was judged."""

    status: int
    relevance: float
    relevant: bool
    title: str
    source: str  # the page it was found on
    anchor: str
    links: int
    duplicate_of: str  # URL of the stored page it repeats; then it does not count


class Moved(RequestEvent, frozen=True, tag="moved"):
    """The server sent us on."""

    to: str


class RequestFailed(RequestEvent, frozen=True, tag="failed"):
    """It brought no page, and is not asked again."""

    reason: str  # kind: detail


class Refused(RequestEvent, frozen=True, tag="refused"):
    """We chose not to ask: robots.txt, scope, a trap, an address a crawler must not ask."""

    reason: str


class Retry(RequestEvent, frozen=True, tag="retry"):
    """It brought no page, and will be asked again."""

    reason: str


class Checked(RequestEvent, frozen=True, tag="checked"):
    """A page of the library was looked at again."""

    outcome: Outcome
    relevance: float  # of the page as it was stored
    detail: str


class HostRests(Event, frozen=True, tag="host-rests"):
    """A server asked for a pause, or is overloaded: none of its pages is asked for before `until`."""

    host: str
    at: float
    until: float
    reason: str


class TopicUnderstood(Event, frozen=True, tag="topic-understood"):
    """A new topic in words, as it was taken."""

    topic: str
    language: str
    keywords: dict[str, float]  # each with its weight
    not_meant: tuple[str, ...]  # words of the sentence that say what is not looked for


class LanguageRecognized(Event, frozen=True, tag="language-recognized"):
    """The pages a new crawl starts from are in another language than its topic was taken to be."""

    language: str  # of the pages
    topic_language: str
    changed: bool  # the topic is taken to be in the language of the pages from here on


class TopicAbsent(Event, frozen=True, tag="topic-absent"):
    """No page of a new crawl had a word of the topic so far. Told once."""

    pages: int
    keywords: tuple[str, ...]
    folder: str = ""  # of the library


class NoneRelevant(Event, frozen=True, tag="none-relevant"):
    """A library has a hundred pages by now, and not one that counts as relevant. Told once."""

    pages: int
    best: str  # URL of the page that came nearest
    relevance: float  # of that one
    folder: str = ""  # of the library


class Learned(Event, frozen=True, tag="learned"):
    """Something knows more than before: a strategy, a classifier, or the topic, whose keywords were made anew."""

    what: str  # strategy, sites, topic
    name: str
    pages: int  # it learned from
    keywords: tuple[str, ...] = ()  # of the topic


class ArchiveCut(Event, frozen=True, tag="archive-cut"):
    """A WARC file of the library had lost its end, and was cut to its last whole record before the crawl went on."""

    file: str
    bytes: int  # that are missing
    answers: int  # that were in them
    pages: int  # stored pages with such answers: they are fetched again


class Judging(Event, frozen=True, tag="judging"):
    """Stored pages are being judged again; told about once a second."""

    done: int
    pages: int


class Judged(Event, frozen=True, tag="judged-again"):
    """Stored pages were judged again, and waiting links ranked anew: before a crawl went on, or when it had ended."""

    pages: int
    changed: int  # that have another relevance now
    relevant_before: int
    relevant: int
    came_in: int  # that count now and did not
    went_out: int
    links: int  # that wait with another priority now
    because: tuple[str, ...]  # what had changed: topic, judge, threshold, examples, labels; pages: the judge learned
    finished: bool  # False: it was stopped, nothing is changed, and it is done next time


class Stopped(Event, frozen=True, tag="stopped"):
    """The crawl has ended, and why. `new_pages` and `failed` are of this run, the other counts are the library's."""

    ending: Ending
    pages: int
    new_pages: int
    relevant: int
    failed: int
    waiting: int
    seconds: float
    reason: str = ""  # the kind of ending: `limit` for pages, requests and minutes


class CoverageFigures(Struct, frozen=True):
    """How much of what can be reached is found, as far as that can be said."""

    recall: float
    low: float
    high: float
    confidence: float
    missing: float  # relevant pages that are expected and not found
    drawn: int  # pages drawn at random to know that
    unknown: str  # why nothing can be said; then the numbers are 0


class Summary(Event, frozen=True, tag="summary"):
    """A crawl that has ended, in one object."""

    topic: str
    strategy: str
    folder: str
    ending: Ending
    seconds: float
    pages: int
    new_pages: int
    relevant: int
    harvest: float
    duplicates: int
    requests: int
    bytes: int
    waiting: int
    failed: int
    failures: dict[str, int]
    hosts: int
    topic_absent: int | UnsetType = UNSET  # of a new crawl: so many pages, and none with a word of the topic
    seeds_failed: dict[str, str] = {}  # seeds of this run that brought no page, and why
    held: dict[str, int] = {}  # links that wait for hosts whose robots.txt could not be read, by the kind of reason
    reason: str = ""  # the kind of ending: `limit` for pages, requests and minutes
    coverage: CoverageFigures | UnsetType = UNSET  # of a crawl that was to reach some
    scripts: ScriptFigures | UnsetType = UNSET  # of this run, where it met pages that show nothing without scripts
    targets: int | UnsetType = UNSET  # of the demo, which knows what there is to find
    targets_fetched: int | UnsetType = UNSET
    targets_found: int | UnsetType = UNSET  # fetched, and among the relevant
    precision: float | UnsetType = UNSET  # targets_found / relevant
    recall: float | UnsetType = UNSET  # targets_found / targets
    targets_fetched_breadth_first: int | UnsetType = UNSET  # by a walk of the same length


Listener = Callable[[Event], None]


def events_of(step: Step) -> Iterator[Event]:
    """What a step of a crawl tells; nothing where seeds are added, which asks nobody."""
    lease = step.lease
    head = (lease.link.url, round(step.at, 3), lease.depth, lease.priority)
    if step.check is not None:
        if step.check.outcome != "nothing":
            yield Checked(*head, step.check.outcome, round(step.check.before, 6), printable(step.check.detail))
    elif step.visit is not None:
        yield _visited(step, head)
    elif step.state == "moved":
        yield Moved(*head, step.reason)
    elif step.state == "failed":
        yield RequestFailed(*head, step.reason)
    elif step.state == "refused":
        yield Refused(*head, step.reason)
    elif step.reason:
        yield Retry(*head, step.reason)
    if step.state == "waiting" and step.reason in ASKED_FOR_A_PAUSE:
        yield HostRests(lease.host, round(step.at, 3), round(lease.not_before, 3), step.reason)


def observer(listener: Listener) -> Callable[[Step], None]:
    """Lets a listener hear what an observer of steps sees."""

    def observe(step: Step) -> None:
        for event in events_of(step):
            listener(event)

    return observe


def _visited(step: Step, head: tuple[str, float, int, float]) -> Visited:
    visit, link = step.visit, step.lease.link
    assert visit is not None
    return Visited(
        *head,
        status=step.response.status if step.response is not None else 0,
        relevance=round(visit.relevance, 6),
        relevant=visit.relevant,
        title=printable(visit.page.title),
        source=link.source,
        anchor=printable(link.anchor),
        links=len(visit.page.links),
        duplicate_of=step.duplicate_of,
    )


def encode(event: Event) -> bytes:
    """An event as one line of JSON, without its end."""
    return _ENCODER.encode(event)


def decode(line: bytes | str) -> Event:
    """The event that `encode` made the line of."""
    return _decoder(kinds()).decode(line)


def kinds() -> tuple[type[Event], ...]:
    """Every kind of event there is."""
    return tuple(kind for kind in _below(Event) if kind is not RequestEvent)


def _below(parent: type[Event]) -> Iterator[type[Event]]:
    for kind in parent.__subclasses__():
        yield kind
        yield from _below(kind)


@cache
def _decoder(kinds: tuple[type[Event], ...]) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(Union[kinds])  # noqa: UP007  (there is no other way to spell a union of many)


_ENCODER = msgspec.json.Encoder()
