"""`protocols.Library` in plain dictionaries. See the package for what it is for."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from scenthound import urls
from scenthound.library.derived_answers import DerivedAnswers
from scenthound.library.label_figures import with_labels
from scenthound.library.label_rules import LabelLedger
from scenthound.library.memory.page_ledger import PageEntry, PageLedger
from scenthound.library.memory.page_lists import cut, facets_of, passes, totals_of
from scenthound.library.memory.search import MemorySearch
from scenthound.library.memory.url_ledger import UrlLedger, readable, readable_link
from scenthound.library.run_settings import last_settings
from scenthound.library.step_rules import ending
from scenthound.model import Label, LabelKind, Link, Outcome, Response, State, Step, Waiting
from scenthound.protocols.crawl import Clock, Progress
from scenthound.protocols.records import (
    CrawlRun,
    EndedLink,
    HostQueue,
    HostRow,
    JudgedAgain,
    LibraryCounts,
    MissingPage,
    PageFacets,
    PageFilters,
    PageLook,
    PageOrder,
    PageSlice,
    PageTotals,
    SearchFilters,
    SearchMatch,
    SearchResult,
    StoredImage,
    StoredPage,
    UrlRow,
    Version,
    WatchedPage,
)
from scenthound.protocols.snapshots import KeptSnapshots, Snapshot
from scenthound.version import __version__

NO_PAGES = frozenset({"feed", "sitemap", "ascend", "robots"})
"""Kinds of links that nobody misses when they do not answer."""


class MemoryLibrary(DerivedAnswers):
    """A library that is gone with the process.

    Without `texts` it keeps of pages their figures alone; without `answers` their texts, but not the bytes.
    """

    folder = None

    def __init__(self, *, texts: bool = True, answers: bool = True, clock: Clock = time.time) -> None:
        self._clock = clock
        self._steps: list[Step] = []  # to be worked into the table of URLs
        self._urls = UrlLedger()
        self._pages = PageLedger(texts=texts, answers=answers)
        self._runs: list[CrawlRun] = []
        self._missing: dict[str, MissingPage] = {}
        self._images: dict[str, StoredImage] = {}
        self._linking: dict[str, set[int]] = {}
        self._links_seen = 0
        self._labels = LabelLedger()
        self._judging = False
        self._judged_by = ""
        self._judged_again: JudgedAgain | None = None
        self._snapshots: tuple[str, KeptSnapshots] | None = None
        self._misses: list[EndedLink] = []
        self._finds: dict[int, list[str]] = {}
        self._search = MemorySearch(self._pages, self._state_of)

    # What a crawl records

    def record(self, step: Step) -> None:
        self._pages.take_in(step)
        self._steps.append(replace(step, response=None, visit=None))
        if (ended := ending(step)) is not None:
            target = step.reason if ended == "moved" else ""
            link = readable_link(step.lease.link)
            self._misses.append(EndedLink(len(self._pages.pages), link, ended, target))
        if step.new:
            self._finds[len(self._pages.pages)] = [row.link.url for row in step.found if row.id in step.new]

    def flush(self) -> None:
        pass  # what was recorded is here

    def start_run(self, config: str) -> None:
        run = CrawlRun(len(self._runs) + 1, self._clock(), None, "", f"Scenthound/{__version__}", config, {})
        self._runs.append(run)

    def end_run(self, reason: str, counters: Mapping[str, float] | None = None) -> None:
        if self._runs:
            self._runs[-1] = replace(
                self._runs[-1], ended_at=self._clock(), reason=reason, counters=dict(counters or {})
            )

    def close(self) -> None:
        pass  # whoever holds it may ask on

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # What a frontier needs

    def _table(self) -> UrlLedger:
        """The table of URLs, with all steps worked in: most crawls of the lab end without anybody asking."""
        for step in self._steps:
            self._urls.take_in(step)
        self._steps.clear()
        return self._urls

    def waiting(self, host: str, limit: int) -> list[Waiting]:
        return self._table().waiting(host, limit)

    def queues(self) -> Iterable[HostQueue]:
        return self._table().queues()

    def known(self) -> Iterable[tuple[int, bool]]:
        return self._table().known()

    def next_order(self) -> int:
        return self._table().next_order

    # Pages

    def page(self, url: str) -> StoredPage | None:
        number = urls.fingerprint(url)
        entry = self._pages.pages.get(number)
        return self._with_state(number, entry) if entry is not None else None

    def pages(self, *, relevant: bool = False, since: float = 0.0, after: int = 0) -> Iterator[StoredPage]:
        for number, entry in list(self._pages.pages.items())[max(0, after) :]:
            if (entry.page.relevant or not relevant) and entry.page.fetched_at >= since:
                yield self._with_state(number, entry)

    def _with_state(self, number: int, entry: PageEntry) -> StoredPage:
        known = self._table().entries[number]
        if known.state == "fetched":
            return entry.page
        return replace(entry.page, state=known.state, reason=known.reason)

    def _state_of(self, number: int) -> State:
        return self._table().entries[number].state

    def text(self, url: str, version: Version | None = None) -> str | None:
        if version is not None:
            return self._pages.contents[version.content - 1].text if version.content else None
        entry = self._pages.pages.get(urls.fingerprint(url))
        return entry.version.content.text if entry is not None and entry.version.content is not None else None

    def versions(self, url: str) -> list[Version]:
        return self._pages.records(urls.fingerprint(url))

    def body(self, url: str, version: int | Version | None = None) -> Response | None:
        chosen = self._pages.stored_version(urls.fingerprint(url), version)
        if chosen is None or (kept := chosen.response) is None:
            return None
        return Response(url, kept.status, kept.headers, kept.body, chosen.at, address=kept.address)

    def outlinks(self, url: str) -> list[Link]:
        return self._pages.outlinks(urls.fingerprint(url))

    def graph(self) -> Iterator[tuple[str, list[Link]]]:
        for number, entry in list(self._pages.pages.items()):
            if entry.version.links:
                yield entry.page.url, self._pages.outlinks(number)

    def linking(self, url: str) -> list[str]:
        for version in self._pages.by_seq[self._links_seen :]:
            for link in version.links:
                self._linking.setdefault(link.url, set()).add(version.url)
        self._links_seen = len(self._pages.by_seq)
        table = self._table().entries
        return [table[source].row.link.url for source in sorted(self._linking.get(url, ()))]

    def simhashes(self) -> Iterator[tuple[int, str]]:
        for number, entry in list(self._pages.pages.items()):
            if not entry.page.duplicate_of and self._state_of(number) == "fetched":
                yield entry.page.simhash, entry.page.url

    # Decisions

    def url_row(self, url: str) -> UrlRow | None:
        return self._table().row(urls.fingerprint(url))

    def failed(self, kind: str = "") -> Iterator[Link]:
        for entry in self._table().in_order("failed"):
            if not kind or entry.row.link.kind == kind:
                yield readable_link(entry.row.link)

    def ahead(self, row: UrlRow) -> tuple[int, int]:
        return self._table().ahead(row)

    def urls_of_host(self, host: str, limit: int) -> list[str]:
        known = (entry.row for entry in self._table().entries.values())
        return [row.link.url for row in known if row.host == host][:limit]

    # Figures

    def counts(self) -> LibraryCounts:
        table, pages = self._table(), [entry.page for entry in self._pages.pages.values()]
        return LibraryCounts(
            fetched=len(pages),
            relevant=sum(page.counts for page in pages),
            duplicates=sum(bool(page.duplicate_of) for page in pages),
            waiting=sum(1 for _ in table.of("waiting")),
            moved=sum(1 for _ in table.of("moved")),
            failed=table.reasons("failed"),
            refused=table.reasons("refused"),
            hosts=sum(host.pages > 0 for host in self._pages.figures.values()),
            bytes=sum(page.bytes for page in pages),
            noindex=sum(page.noindex for page in pages),
        )

    def harvest(self) -> list[tuple[float, bool]]:
        pages = (entry.page for entry in self._pages.pages.values())
        return [(page.first_relevance, page.first_relevant and not page.duplicate_of) for page in pages]

    def hosts(self, limit: int = 0) -> list[HostRow]:
        return self._pages.hosts()[: limit or None]

    # Lists

    def page_list(
        self, filters: PageFilters | None = None, order: PageOrder = "best", after: str = "", limit: int = 50
    ) -> PageSlice:
        chosen = filters or PageFilters()
        return cut((page for page in self.pages() if passes(page, chosen)), order, after, limit)

    def page_totals(self) -> PageTotals:
        return totals_of(self._pages.hosts())

    def page_facets(self) -> PageFacets:
        return facets_of(entry.page for entry in self._pages.pages.values())

    def runs(self) -> list[CrawlRun]:
        return list(self._runs)

    def disk_bytes(self) -> int:
        return 0

    def outcomes(self, since: float = 0.0) -> dict[str, int]:
        found: dict[str, int] = {}
        for each in self._pages.looks:
            if each.look.at >= since:
                found[each.look.outcome] = found.get(each.look.outcome, 0) + 1
        return dict(sorted(found.items()))

    def ages(self, now: float) -> list[float]:
        entries = ((self._state_of(number), entry.page) for number, entry in self._pages.pages.items())
        return sorted(
            max(0.0, now - page.checked_at) for state, page in entries if page.relevant and state == "fetched"
        )

    # Time

    def watched(self) -> Iterator[WatchedPage]:
        table, looks = self._table().entries, self._pages.look_summaries()
        for number, entry in list(self._pages.pages.items()):
            page, known = entry.page, table[number]
            gone = known.state == "failed" and known.reason.startswith("gone:")
            original = table.get(urls.fingerprint(page.duplicate_of)) if page.duplicate_of else None
            if (known.state != "fetched" and not gone) or (original is not None and original.state == "fetched"):
                continue
            yield WatchedPage(
                seq=page.seq,
                id=number,
                url=page.url,
                host=page.host,
                title=page.title,
                relevance=page.relevance,
                relevant=page.relevant,
                first_at=page.first_at,
                fetched_at=page.fetched_at,
                checked_at=page.checked_at,
                etag=page.etag,
                modified=page.modified,
                digest=entry.digest,
                simhash=page.simhash,
                versions=page.versions,
                gone=gone,
                counts=page.counts,
                looks=tuple(looks.get(number, ())),
            )

    def looks(self, since: float = 0.0, outcomes: Iterable[Outcome] = (), after: int = 0) -> Iterator[PageLook]:
        wanted = set(outcomes)
        chosen = [
            each
            for each in self._pages.looks[max(0, after) :]
            if each.look.at >= since and (not wanted or each.look.outcome in wanted)
        ]
        yield from self._pages.titled(chosen)

    def looks_of(self, url: str) -> list[PageLook]:
        number = urls.fingerprint(url)
        return self._pages.titled([each for each in self._pages.looks if each.url == number])

    def leases(self, numbers: Sequence[int]) -> list[Waiting]:
        table = self._table().entries
        return [readable(table[number].row) for number in numbers if number in table]

    def texts(self, version: int) -> tuple[str, str] | None:
        return self._pages.texts(version)

    def broken(self) -> Iterator[tuple[str, str, float]]:
        for entry in self._table().in_order("failed"):
            if entry.row.link.kind not in NO_PAGES:
                yield entry.row.link.url, entry.reason, entry.changed_at

    def missing(self, host: str) -> MissingPage | None:
        return self._missing.get(host)

    def note_missing(self, page: MissingPage) -> None:
        self._missing[page.host] = page

    def image(self, url: str) -> StoredImage | None:
        return self._images.get(url)

    def note_image(self, image: StoredImage) -> None:
        self._images[image.url] = image

    # Judgements and labels

    def judge_again(self, judgements: Iterable[tuple[str, float, bool]]) -> int:
        self._judging = True
        return sum(self._pages.judge_again(*judgement) for judgement in judgements)

    def rank_again(self, priorities: Iterable[tuple[int, float]]) -> int:
        return sum(self._table().rank_again(number, priority) for number, priority in priorities)

    def judged_by(self) -> str:
        return self._judged_by

    def note_judged_by(self, digest: str, judge: str = "") -> None:
        self._judged_by = digest
        if self._judging:
            self._judged_again = JudgedAgain(self._clock(), judge)
        self._judging = False

    def judged_again(self) -> JudgedAgain | None:
        return self._judged_again

    def labels(self, kind: LabelKind = "page") -> dict[str, Label]:
        return self._labels.counting(kind)

    def add_labels(self, labels: Iterable[Label]) -> list[Label]:
        dated = (label if label.at else replace(label, at=self._clock()) for label in labels)
        return self._labels.add(dated)[1]

    def label_history(self, subject: str) -> list[Label]:
        return self._labels.history(subject)

    # What strategy and judge had learned

    def keep_snapshots(self, snapshots: Mapping[str, Snapshot], made_with: str) -> None:
        self._snapshots = made_with, KeptSnapshots(len(self._pages.pages), dict(snapshots))
        self._misses.clear()
        self._finds.clear()

    def kept_snapshots(self, made_with: str) -> KeptSnapshots | None:
        return self._snapshots[1] if self._snapshots is not None and self._snapshots[0] == made_with else None

    def misses(self) -> Iterator[EndedLink]:
        yield from list(self._misses)

    def finds(self) -> Iterator[tuple[int, list[str]]]:
        yield from list(self._finds.items())

    # What is searched for

    def update_search(self, progress: Progress | None = None) -> int:
        return self._search.catch_up(progress)

    def search(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10, offset: int = 0
    ) -> SearchResult:
        found = self._search.find(words, last_settings(self).topic.language, filters, limit, offset)
        return with_labels(found, self.labels())

    def search_matches(
        self, words: Sequence[str], filters: SearchFilters | None = None, limit: int = 10_000
    ) -> list[SearchMatch]:
        return self._search.matches(words, last_settings(self).topic.language, filters, limit)
