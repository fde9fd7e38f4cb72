"""A look at what a crawl could start from: a recording, a folder of them, or a page of the live web.

Of a recording: hosts, pages, dates, and good pages to start from. Those are the ones from which most of it is one step
away: of every large host the pages with the shortest addresses are read, and their links counted that lead to pages of
the recording.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from heapq import nsmallest
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scenthound import urls
from scenthound.app.user_input import canonical
from scenthound.config import Config
from scenthound.crawler.fetch_pages import PageOutcomes, fetch_pages
from scenthound.errors import NothingFetched, UsageError
from scenthound.fetch.fetcher_for import network, recording
from scenthound.fetch.recorded_answers import recorded_answers
from scenthound.lab.webs import recorded
from scenthound.library import memory_library
from scenthound.model import Failed, Link, Page, Response
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import Progress
from scenthound.report.failure_words import in_words

HOSTS_READ, PAGES_READ = 20, 3
"""Hosts in which start pages are looked for, and pages of each that are read."""

MOST_STARTS = 8


class StartPage(Struct, frozen=True):
    """A page to start from, and how many pages are one step away from it."""

    url: str
    title: str
    leads_to: int


class HostPages(Struct, frozen=True):
    host: str
    pages: int


class RecordingLook(Struct, frozen=True):
    """What a recording holds."""

    files: list[str]
    answers: int
    pages: int
    hosts: list[HostPages]  # those with most pages first
    first_at: float
    last_at: float
    bytes: int
    other: dict[str, int]  # answers that are no pages: by status, or by media type
    starts: list[StartPage]
    damaged: list[str]


class StartLook(Struct, frozen=True):
    """What a page of the live web is like to start from."""

    url: str  # where it is in the end
    title: str
    language: str
    words: int
    links: int
    hosts: int  # that its links lead to
    nofollow: bool
    noindex: bool


def is_url(text: str) -> bool:
    return "://" in text or (not Path(text).exists() and "." in text and not text.endswith((".warc", ".gz")))


def look_at_recording(place: Path, progress: Progress | None = None) -> RecordingLook:
    if not place.exists():
        raise UsageError(f"There is no {place}. Name a WARC file, a folder of them, or a URL.")
    files = [Path(name) for name in recorded([place]).files]
    fetcher = recording(files, either_scheme=True)
    try:
        seen = _Seen(files, progress)
        starts = _starts(seen, fetcher.answer)
        return RecordingLook(
            files=[str(file) for file in files],
            answers=seen.answers,
            pages=len(seen.pages),
            hosts=[HostPages(host, number) for host, number in seen.hosts.most_common()],
            first_at=seen.first_at,
            last_at=seen.last_at,
            bytes=sum(file.stat().st_size for file in files),
            other=dict(seen.other.most_common()),
            starts=starts,
            damaged=list(fetcher.damaged),
        )
    finally:
        fetcher.close_files()


class _Seen:
    """A pass over all answers."""

    def __init__(self, files: Sequence[Path], progress: Progress | None) -> None:
        self.answers = 0
        self.pages: set[int] = set()  # fingerprints of their URLs
        self.hosts: Counter[str] = Counter()
        self.shortest: dict[str, list[str]] = defaultdict(list)
        self.other: Counter[str] = Counter()
        self.first_at = self.last_at = 0.0
        whole, before = sum(file.stat().st_size for file in files), 0
        for file in files:
            start = before
            tell = (lambda read, start=start: progress(start + read, whole)) if progress is not None else None
            for answer in recorded_answers(file, tell):
                self.answers += 1
                if answer.at:
                    self.first_at = min(self.first_at or answer.at, answer.at)
                    self.last_at = max(self.last_at, answer.at)
                if not answer.is_page:
                    self.other[_kind(answer.status, answer.media_type)] += 1
                elif (key := urls.fingerprint(answer.url)) not in self.pages:
                    self.pages.add(key)
                    self._note(answer.url)
            before += file.stat().st_size

    def _note(self, url: str) -> None:
        host = urls.host(url)
        self.hosts[host] += 1
        kept = self.shortest[host]
        kept.append(url)
        if len(kept) > 20 * PAGES_READ:
            kept[:] = nsmallest(PAGES_READ, kept, key=_plainness)


def _plainness(url: str) -> tuple[bool, int, str]:
    return "?" in url, len(url), url


def _kind(status: int, media_type: str) -> str:
    if status == 0:
        return "unchanged since another record"
    return media_type or "no media type" if status // 100 == 2 else f"status {status}"


def _starts(seen: _Seen, answer: Callable[[Link], Response | Failed]) -> list[StartPage]:
    found = []
    for host, _ in seen.hosts.most_common(HOSTS_READ):
        for url in nsmallest(PAGES_READ, seen.shortest[host], key=_plainness):
            response = answer(Link(url))
            if isinstance(response, Response):
                page = parse_safely(response)
                known = {link.url for link in page.links if link.url != url}
                leads = sum(urls.fingerprint(link) in seen.pages for link in known)
                found.append(StartPage(url, page.title, leads))
    return sorted(found, key=lambda start: (-start.leads_to, len(start.url)))[:MOST_STARTS]


async def look_at_page(text: str, config: Config) -> StartLook:
    """Asks for one page, as politely as any crawl does. Raises where there is none, and says why."""
    url, outcomes = canonical(text), PageOutcomes()
    fetcher = network(replace(config, fetch=replace(config.fetch, retries=0)))
    try:
        with memory_library() as library:
            await asyncio.wait_for(
                fetch_pages([url], config, fetcher, library, observers=[outcomes]), 4 * config.fetch.total_timeout
            )
    except TimeoutError:
        raise NothingFetched(f"{url} does not answer.") from None
    finally:
        await fetcher.close()
    answer = outcomes.of(url)
    if isinstance(answer, str):
        raise NothingFetched(f"{url} brings no page: {in_words(answer)}")
    return _described(parse_safely(answer))


def _described(page: Page) -> StartLook:
    return StartLook(
        url=page.url,
        title=page.title,
        language=page.language,
        words=sum(page.terms.values()),
        links=len({link.url for link in page.links}),
        hosts=len({urls.host(link.url) for link in page.links}),
        nofollow=page.nofollow,
        noindex=page.noindex,
    )
