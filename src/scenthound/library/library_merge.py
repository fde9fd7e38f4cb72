"""One library taken into another: its pages, the links that wait in it, what failed, and what people said.

Everything comes in as a crawl brings it: step by step, through the rules by which the other library keeps what it is
told. So a page that both have is the one that was fetched later, with the versions that came after the other's; a link
that waits in both waits with the better priority; a page beats a failure, and a failure a link that waits. Judgements
come along, and are made anew by the next crawl or by `judge`. Pages whose answers were not kept stay behind, and so do
links that were refused: rules differ. May be killed at any moment, and begun again: what is there is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scenthound import urls
from scenthound.errors import LibraryError
from scenthound.library import open_library
from scenthound.library.run_settings import last_settings
from scenthound.library.sql.whole_library import WholeLibrary
from scenthound.model import Label, Response, Step, Visit, Waiting
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import Progress
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage

BATCH = 500


class MergeOutcome(Struct, frozen=True):
    """What came in."""

    folder: str  # that it was taken into
    pages: int  # new, or newer than those that were there
    known: int  # that were there, as new or newer
    without_answer: int  # that stay behind
    links: int  # that wait in the other library; those known here are among them
    failed: int
    labels: int


def merge_library(source: Path, target: Path, progress: Progress | None = None) -> MergeOutcome:
    """Takes the library of the folder `source` into that of `target`."""
    if target.resolve() == source.resolve():
        raise LibraryError(f"{source} cannot be merged with itself. Name another library.")
    with open_library(source, write=False) as old, open_library(target) as new:
        first, language, whole = new.next_order(), last_settings(old).topic.language, old.counts().fetched
        pages = known = without = 0
        for done, stored in enumerate(old.pages()):
            there = new.page(stored.url)
            if there is not None and there.fetched_at >= stored.fetched_at:
                known += 1
            elif visits := list(_visits(old, stored, there, language, first)):
                pages += 1
                for step in visits:
                    new.record(step)
            else:
                without += 1
            if progress is not None:
                progress(done, whole)
        links = _take_links(old, new, first)
        failed = _take_failures(old, new, first)
        labels = len(new.add_labels(sorted(_words(old), key=lambda word: word.at)))
        new.flush()
        return MergeOutcome(str(target), pages, known, without, links, failed, labels)


def _visits(old: Library, stored: StoredPage, there: StoredPage | None, language: str, first: int) -> Iterator[Step]:
    """The visits that brought a page and its versions, from the first one on that is later than what is there."""
    lease = _lease(old, stored.url, first)
    for version in old.versions(stored.url):
        if not version.content or (there is not None and version.at <= there.fetched_at):
            continue
        if (response := old.body(stored.url, version)) is not None:
            yield _visit(stored, lease, response, language, version.at)


def _visit(stored: StoredPage, lease: Waiting, response: Response, language: str, at: float) -> Step:
    page = parse_safely(response, language)
    visit = Visit(lease.link, page, stored.relevance, stored.relevant, stored.depth, lease.memory)
    return Step(
        lease=lease,
        state="fetched",
        at=at,
        response=replace(response, at=at),
        visit=visit,
        duplicate_of=stored.duplicate_of,
        simhash=stored.simhash,
    )


def _take_links(old: Library, new: Library, first: int) -> int:
    count, waiting = 0, _all_waiting(old, first)
    while rows := list(islice(waiting, BATCH)):
        count += len(rows)
        unknown = next((row for row in rows if new.url_row(row.link.url) is None), None)
        lease = unknown or next((row for row in rows if _state(new, row) == "waiting"), None)
        if lease is None:
            continue  # all of them are done with here
        found = tuple(replace(row, rule="max") for row in rows if row is not unknown)
        if unknown is None:
            lease = new.leases([lease.id])[0]  # as it waits here: a step says how its lease goes on
        new.record(Step(lease=lease, state="waiting", at=0.0, found=found))
    return count


def _all_waiting(old: Library, first: int) -> Iterator[Waiting]:
    for queue in list(old.queues()):
        for row in old.waiting(queue.host, queue.waiting):
            yield replace(row, order=row.order + first)


def _take_failures(old: Library, new: Library, first: int) -> int:
    taken = 0
    for link in old.failed():
        there, row = new.url_row(link.url), old.url_row(link.url)
        if row is None or (there is not None and there.state not in ("waiting", "refused")):
            continue
        lease = _lease(old, link.url, first)
        new.record(Step(lease=lease, state="failed", at=row.changed_at, reason=row.reason))
        taken += 1
    return taken


def _lease(old: Library, url: str, first: int) -> Waiting:
    [row] = old.leases([urls.fingerprint(url)])
    return replace(row, order=row.order + first)


def _state(library: Library, row: Waiting) -> str:
    found = library.url_row(row.link.url)
    return found.state if found is not None else ""


def _words(library: Library) -> list[Label]:
    return library.label_words() if isinstance(library, WholeLibrary) else []
