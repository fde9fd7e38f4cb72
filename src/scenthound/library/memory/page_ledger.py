"""Pages, their versions, texts and looks, as the steps leave them one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1

from msgspec import Struct
from msgspec.structs import replace

from scenthound import urls
from scenthound.library.memory.url_ledger import bare
from scenthound.library.payload_digest import payload_digest
from scenthound.library.step_rules import (
    AS_STORED,
    SEEN,
    HostChange,
    brings_version,
    count_hosts,
    has_text,
    is_archived,
    judged,
    modified_at,
    validators,
)
from scenthound.model import Check, Link, Page, Response, Step, Visit
from scenthound.protocols.records import HostRow, LookSummary, PageLook, StoredPage, Version
from scenthound.text.surrogates import encodable

UNSIGNED = (1 << 64) - 1


class StoredContent(Struct, frozen=True):
    """A text that pages have: with the title and in the language that it came with first."""

    id: int
    page: Page

    @property
    def title(self) -> str:
        return str(encodable(self.page.title))

    @property
    def text(self) -> str:
        return str(encodable(self.page.text))


class StoredVersion(Struct, frozen=True):
    """One answer of a URL."""

    seq: int
    url: int
    at: float
    status: int
    digest: bytes
    content: StoredContent | None
    response: Response | None  # None where it must not be kept, or is not to be
    links: tuple[Link, ...] = ()


class PageEntry(Struct):
    """A page as the last visit left it; state and reason are the URL's."""

    page: StoredPage
    digest: bytes
    version: StoredVersion


class StoredLook(Struct, frozen=True):
    """A look, and the URL it was at."""

    url: int
    look: PageLook
    modified_at: float | None


class PageLedger:
    """By the URL's id: its page, its versions, the looks at it.

    Without `texts` pages are there with their figures alone: neither text nor links nor answers are kept.
    """

    def __init__(self, *, texts: bool = True, answers: bool = True) -> None:
        self._keep_texts = texts
        self._keep_answers = texts and answers
        self.pages: dict[int, PageEntry] = {}
        self.versions: dict[int, list[StoredVersion]] = {}
        self.by_seq: list[StoredVersion] = []
        self.contents: list[StoredContent] = []
        self._content_of: dict[bytes, StoredContent] = {}
        self.looks: list[StoredLook] = []
        self.figures: dict[str, HostChange] = {}

    def take_in(self, step: Step) -> None:
        version = None
        if step.response is not None and brings_version(step):
            version = self._add_version(step, step.response)
            if step.visit is not None:
                self._add_page(step, step.visit, step.response, version)
        if step.check is not None and step.check.outcome != "nothing":
            self._add_look(step, step.check, version)
        count_hosts(step, self.figures)

    def _add_version(self, step: Step, response: Response) -> StoredVersion:
        digest = sha1(response.body).digest()
        visit = step.visit if self._keep_texts else None
        version = StoredVersion(
            seq=len(self.by_seq) + 1,
            url=step.lease.id,
            at=step.at,
            status=response.status,
            digest=digest,
            content=self._content(visit.page, digest) if visit is not None and has_text(step) else None,
            response=response if self._keep_answers and is_archived(step) else None,
            links=visit.page.links if visit is not None else (),
        )
        self.by_seq.append(version)
        self.versions.setdefault(step.lease.id, []).append(version)
        return version

    def _content(self, page: Page, digest: bytes) -> StoredContent:
        """A text is there once, however many pages have it."""
        if digest not in self._content_of:
            self._content_of[digest] = StoredContent(len(self.contents) + 1, page)
            self.contents.append(self._content_of[digest])
        return self._content_of[digest]

    def _add_page(self, step: Step, visit: Visit, response: Response, version: StoredVersion) -> None:
        page, number = visit.page, step.lease.id
        before = self.pages.get(number)
        etag, modified = validators(response)
        title, description, canonical = encodable((page.title, page.description, page.canonical))
        stored = StoredPage(
            seq=before.page.seq if before is not None else len(self.pages) + 1,
            url=encodable(step.lease.link.url),
            host=step.lease.host,
            status=response.status,
            media_type=response.media_type,
            charset=page.charset,
            language=page.language,
            title=title,
            description=description,
            canonical=canonical,
            relevance=visit.relevance,
            relevant=visit.relevant,
            depth=visit.depth,
            first_at=before.page.first_at if before is not None else step.at,
            fetched_at=step.at,
            digest=payload_digest(version.digest),
            simhash=step.simhash & UNSIGNED,
            duplicate_of=step.duplicate_of,
            noindex=page.noindex,
            bytes=len(response.body),
            wire=response.wire,
            elapsed=response.elapsed,
            version=version.seq,
            versions=before.page.versions + 1 if before is not None else 1,
            checked_at=step.at,
            etag=etag,
            modified=modified,
            first_relevance=before.page.first_relevance if before is not None else visit.relevance,
            first_relevant=before.page.first_relevant if before is not None else visit.relevant,
            published=page.published,
        )
        self.pages[number] = PageEntry(stored, version.digest, version)

    def _add_look(self, step: Step, check: Check, version: StoredVersion | None) -> None:
        number = step.lease.id
        entry = self.pages.get(number)
        if entry is not None and check.outcome in AS_STORED:
            entry.page = replace(entry.page, checked_at=step.at, etag=check.etag, modified=check.modified)
        relevance, relevant = judged(step)
        look = PageLook(
            seq=len(self.looks) + 1,
            url=step.lease.link.url,
            host=step.lease.host,
            title="",
            at=step.at,
            outcome=check.outcome,
            status=check.status,
            kind=check.kind,
            size=check.size,
            version=version.seq if version is not None else None,
            relevance=relevance,
            relevant=relevant,
            before=check.before,
            was_relevant=check.was_relevant,
            detail=encodable(check.detail),
        )
        self.looks.append(StoredLook(number, look, modified_at(check.modified) if check.outcome in SEEN else None))

    def judge_again(self, url: str, relevance: float, relevant: bool) -> bool:
        """Gives a page another judgement, and its host another count; did that change anything?"""
        entry = self.pages.get(urls.fingerprint(url))
        if entry is None or (entry.page.relevance, entry.page.relevant) == (relevance, relevant):
            return False
        if not entry.page.duplicate_of:
            self.figures[entry.page.host].relevant += relevant - entry.page.relevant
        entry.page = replace(entry.page, relevance=relevance, relevant=relevant)
        return True

    # What is asked

    def records(self, number: int) -> list[Version]:
        return [_record(version) for version in self.versions.get(number, ())]

    def stored_version(self, number: int, wanted: int | Version | None) -> StoredVersion | None:
        """The answer asked for; without a number the one that brought the page, else the latest."""
        versions = self.versions.get(number, [])
        if isinstance(wanted, Version):
            return next((version for version in versions if version.seq == wanted.seq), None)
        if wanted is None and number in self.pages:
            return self.pages[number].version
        place = -1 if wanted is None else wanted
        return versions[place] if -len(versions) <= place < len(versions) else None

    def outlinks(self, number: int) -> list[Link]:
        return bare(self.pages[number].version.links) if number in self.pages else []

    def texts(self, seq: int) -> tuple[str, str] | None:
        if not 0 < seq <= len(self.by_seq):
            return None
        chain = [each for each in self.versions[self.by_seq[seq - 1].url] if each.seq <= seq and each.content]
        texts = [each.content.text for each in chain if each.content is not None]
        return (texts[-2], texts[-1]) if len(texts) > 1 else None

    def look_summaries(self) -> dict[int, list[LookSummary]]:
        found: dict[int, list[LookSummary]] = {}
        for each in self.looks:
            found.setdefault(each.url, []).append(LookSummary(each.look.at, each.look.outcome, each.modified_at))
        return found

    def titled(self, looks: Sequence[StoredLook]) -> list[PageLook]:
        """Looks with the titles that their pages have now."""
        titles = {each.url: self.pages[each.url].page.title for each in looks if each.url in self.pages}
        return [replace(each.look, title=titles.get(each.url, "")) for each in looks]

    def hosts(self) -> list[HostRow]:
        rows = [
            HostRow(name, x.asked, x.pages, x.relevant, x.failed, x.bytes, x.last_asked, max(x.delay, 0.0))
            for name, x in self.figures.items()
        ]
        return sorted(rows, key=lambda row: (-row.relevant, -row.pages, row.host))


def _record(version: StoredVersion) -> Version:
    content = version.content
    return Version(
        seq=version.seq,
        at=version.at,
        status=version.status,
        digest=payload_digest(version.digest),
        warc="",
        offset=0,
        length=0,
        title=content.title if content is not None else "",
        content=content.id if content is not None else 0,
    )
