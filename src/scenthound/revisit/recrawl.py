"""The crawl loop, looking at stored pages again. What moves links is the engine; here it is decided what answers mean.

    304, or the same bytes            same      one small row
    other bytes, nothing to read      noise     one small row
    something new                     changed   a new version; its links are ranked and wait like any others
    404, 410, soft 404                missing, then gone
    a redirect                        moved; the target is a link of its own, and is asked for next
    anything else                     failed    the page is due again when its schedule says so

Due pages come back to the frontier as links that were done with. Hosts rest between them as they do between all links,
robots.txt is read and obeyed, and requests that fail in passing are made again later.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b, sha1
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scenthound import urls
from scenthound.crawl.engine import REDIRECTS, Crawl, Ending, reason_of
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library.sqlite.history import History, MissingPage, WatchedPage
from scenthound.library.sqlite.row_batch import validators
from scenthound.model import Check, Failed, Link, Outcome, Page, Response, Step, Visit, Waiting
from scenthound.revisit.detect import soft404
from scenthound.revisit.detect.changes import PageChange, detect
from scenthound.revisit.detect.conditional_fetcher import ConditionalFetcher
from scenthound.revisit.detect.gone_or_moved import ABSENT, BACK, PERMANENT, STILL, absent, confirmed, lost_in_front
from scenthound.revisit.detect.page_images import PageImages
from scenthound.revisit.detect.stored_page import StoredText, kept_answer, seen_now, stored
from scenthound.revisit.detect.text_diff import diff, summary, to_text
from scenthound.text.simhash import simhash

LOOK_AGAIN = 1e9
"""Priority from which a link is one of a revisit: above all that a strategy ranks, and above seeds."""

PROBED_FOR = 30 * 86_400.0  # seconds for which a host's answer to nonsense is remembered
MOST_DETAIL = 300


class Suspect(Struct, frozen=True):
    """A page that may be a soft 404, until its host has answered a probe."""

    lease: Waiting
    page: WatchedPage
    response: Response
    visit: Visit
    old: StoredText
    change: PageChange
    why: soft404.Suspicion


class Recrawl(Crawl):
    """A crawl of links that wait and of pages that are due. `look_again` says which those are."""

    def __init__(self, *parts: Any, **more: Any) -> None:
        super().__init__(*parts, **more)
        assert isinstance(self.library, History), "a revisit asks for what was stored before"
        assert isinstance(self.frontier, PoliteFrontier), "only it takes links back"
        self.history = self.library
        self.gate = self.frontier
        self.pictures: PageImages | None = None
        self._due: dict[int, WatchedPage] = {}
        self._ways: dict[int, Waiting] = {}  # to due pages, as the strategy ranked them
        self._missing: dict[str, MissingPage | None] = {}
        self._suspects: dict[str, list[Suspect]] = {}

    def look_again(self, pages: Sequence[WatchedPage]) -> None:
        """Puts pages into the frontier, the first of them first."""
        if isinstance(self.fetcher, ConditionalFetcher):
            self.fetcher.know((page.url, page.etag, page.modified) for page in pages)
        self._due |= {page.id: page for page in pages}
        leases = self.history.leases([page.id for page in pages])
        self._ways = {lease.id: lease for lease in leases}
        count = len(leases)
        self.gate.again(
            [
                replace(lease, priority=LOOK_AGAIN + count - n, tries=0, hops=0, not_before=0.0, rule=None)
                for n, lease in enumerate(leases)
            ]
        )

    async def run(self) -> Ending:
        ending = await super().run()
        for host in list(self._suspects):
            self._settle_suspects(host)
        self.library.flush()
        return ending

    # From an answer to a step

    def _handed_over(self, lease: Waiting, answer: Response | Failed) -> bool:
        """Most looks need no parser."""
        wanted = lease.id not in self._due and lease.link.kind not in ("probe", "image")
        return wanted and super()._handed_over(lease, answer)

    def _digest(self, lease: Waiting, answer: Response | Failed) -> Step:
        if lease.link.kind == "probe":
            return self._learn_missing(lease, answer)
        if lease.link.kind == "image":
            return self._compare_image(lease, answer)
        page = self._due.get(lease.id)
        if page is None:
            return super()._digest(lease, answer)
        self.tally.requests += 1
        if isinstance(answer, Failed):
            return self._no_answer(lease, page, answer)
        self.tally.bytes += answer.wire or len(answer.body)
        if answer.status in REDIRECTS:
            return self._moved(lease, page, answer)
        self.frontier.done(lease, self.clock(), slow=answer.elapsed)
        if answer.status == 304 or sha1(answer.body).digest() == page.digest:
            return self._as_it_was(lease, page, answer, "same")
        return self._compare(lease, page, answer)

    def _refusal(self, lease: Waiting, reason: str) -> Step:
        if lease.link.kind in ("probe", "image"):
            self._settle_suspects(lease.host)
            return _nothing(lease, self.clock(), reason)
        page = self._due.get(lease.id)
        if page is None:
            return super()._refusal(lease, reason)
        return self._step(lease, page, "refused", self.clock(), detail=reason)

    def _looked_at(self, page: WatchedPage) -> None:
        self.tally.looks += self._due.pop(page.id, None) is not None

    def _step(
        self,
        lease: Waiting,
        page: WatchedPage,
        outcome: Outcome,
        at: float,
        response: Response | None = None,
        **about: Any,
    ) -> Step:
        """A look that leaves the page as it is stored; `about` is the rest of its `Check`."""
        self._looked_at(page)
        if page.gone and outcome in ("missing", "gone"):
            outcome, about = "gone", about | {"kind": STILL}
        if outcome == "gone":
            self.near.forget(page.url)
        check = Check(outcome, page.relevance, page.relevant, page.fetched_at, **about)
        state = "failed" if outcome == "gone" else "fetched"
        reason = f"gone: {check.detail}" if outcome == "gone" else ""
        return Step(lease=lease, state=state, at=at, reason=reason, response=response, check=check)  # type: ignore[arg-type]

    def _no_answer(self, lease: Waiting, page: WatchedPage, failed: Failed) -> Step:
        now, reason = self.clock(), reason_of(failed)
        if self._worth_retrying(lease, failed):
            return replace(self._retry(lease, failed, now), check=Check("nothing"))
        self.frontier.done(lease, now, slow=failed.elapsed)
        if failed.kind == "status" and failed.status in ABSENT:
            outcome = absent(page.looks, now, failed.status)
            return self._step(lease, page, outcome, now, status=failed.status, detail=str(failed.status))
        self.tally.failed += 1
        return self._step(lease, page, "failed", now, status=failed.status, detail=reason[:MOST_DETAIL])

    def _as_it_was(self, lease: Waiting, page: WatchedPage, answer: Response, outcome: Outcome, **about: Any) -> Step:
        etag, modified = validators(answer)
        self._ask_for_images(lease, page)
        if page.gone:
            outcome, about = "changed", {"kind": BACK, "detail": "it is back, as it was"}
        return self._step(
            lease,
            page,
            outcome,
            answer.at,
            answer if outcome == "same" else None,
            status=answer.status,
            etag=etag or (page.etag if answer.status == 304 else ""),
            modified=modified or (page.modified if answer.status == 304 else ""),
            **about,
        )

    def _moved(self, lease: Waiting, page: WatchedPage, answer: Response) -> Step:
        now = self.clock()
        target = urls.Base(lease.link.url).resolve(answer.header("location"))
        if isinstance(target, urls.Malformed):
            self.frontier.done(lease, now, slow=answer.elapsed)
            detail = f"redirect: target is no URL we follow ({target.reason})"
            return self._step(lease, page, "failed", now, status=answer.status, detail=detail)
        missing = self._missing_page(page.host)
        if lost_in_front(page.url, target) or (missing is not None and missing.target == target):
            self.frontier.done(lease, now, slow=answer.elapsed)
            detail = f"soft 404: it redirects to {target}"
            return self._step(
                lease, page, absent(page.looks, now, answer.status), now, status=answer.status, detail=detail
            )
        if answer.status not in PERMANENT and not confirmed(page.looks, now):
            self.frontier.done(lease, now, slow=answer.elapsed)
            detail = f"redirects to {target} for now"
            return self._step(lease, page, "missing", now, status=answer.status, detail=detail)
        self._looked_at(page)
        self.near.forget(page.url)
        check = Check(
            "moved", page.relevance, page.relevant, page.fetched_at, status=answer.status, detail=target[:MOST_DETAIL]
        )
        return replace(self._redirect(replace(lease, priority=LOOK_AGAIN), answer), check=check)

    # A page that answers

    def _compare(self, lease: Waiting, page: WatchedPage, answer: Response) -> Step:
        visit = self._see(lease, answer)
        old = stored(self.history, page, self.parse, self.config.topic.language)
        change = detect(old.prints, seen_now(visit.page, answer.body, old)) if old.prints else PageChange("text")
        why = soft404.suspicion(old.text, page.title, visit.page, change.size)
        suspect = Suspect(lease, page, answer, visit, old, change, why)
        if why and self._must_probe(page.host, answer.at):
            self._suspects.setdefault(page.host, []).append(suspect)
            if len(self._suspects[page.host]) == 1:
                self._probe(page)
            return _nothing(lease, answer.at, "waits for a probe of its host")
        return self._decide(suspect)

    def _decide(self, case: Suspect) -> Step:
        page, change = case.page, case.change
        if case.why and (how := self._not_found(case)):
            outcome = absent(page.looks, case.response.at, case.response.status)
            return self._step(
                case.lease, page, outcome, case.response.at, status=case.response.status, detail=f"soft 404: {how}"
            )
        if not change:
            words = to_text(diff(case.old.text, case.visit.page.text), 0)[:MOST_DETAIL]
            return self._as_it_was(
                case.lease, page, case.response, "noise", kind=" ".join(change.tests), detail=words.replace("\n", " ")
            )
        return self._changed(case)

    def _changed(self, case: Suspect) -> Step:
        page, visit, change = case.page, case.visit, case.change
        self._looked_at(page)
        self._ask_for_images(case.lease, page, visit.page)
        found, refused = self._follow(self._ways.get(page.id, case.lease), visit)
        fingerprint = simhash(visit.page.terms)
        original = self.near.find(fingerprint) or ""
        if not original:
            self.near.add(fingerprint, page.url)
        etag, modified = validators(case.response)
        check = Check(
            "changed",
            page.relevance,
            page.relevant,
            page.fetched_at,
            BACK if page.gone else change.kind,
            change.size,
            case.response.status,
            summary(diff(case.old.text, visit.page.text)) if case.old.text else "",
            etag,
            modified,
        )
        return Step(
            lease=case.lease,
            state="fetched",
            at=case.response.at,
            response=case.response,
            visit=visit,
            simhash=fingerprint,
            duplicate_of=original if original != page.url else "",
            found=found,
            refused=refused,
            check=check,
        )

    # Images

    def _ask_for_images(self, lease: Waiting, page: WatchedPage, now: Page | None = None) -> None:
        if self.pictures is None:
            return
        if now is None:
            response = kept_answer(self.history, page.url)
            now = self.parse(response, self.config.topic.language) if response is not None else Page(url=page.url)
        wanted = self.pictures.of(now, lease, page, LOOK_AGAIN)
        if isinstance(self.fetcher, ConditionalFetcher):
            known = [image for link in wanted if (image := self.pictures.stored(link.link.url)) is not None]
            self.fetcher.know((image.url, image.etag, image.modified) for image in known)
        self.gate.again(wanted)

    def _compare_image(self, lease: Waiting, answer: Response | Failed) -> Step:
        self.tally.requests += 1
        self.frontier.done(lease, self.clock(), slow=answer.elapsed)
        if self.pictures is not None:
            self.tally.bytes += (answer.wire or len(answer.body)) if isinstance(answer, Response) else 0
            outcome, words = self.pictures.compare(lease, answer)
            for lease_of_page, page, images in self.pictures.holders(lease) if outcome != "nothing" else ():
                step = self._step(
                    lease_of_page,
                    page,
                    outcome,
                    answer.at,
                    kind="images",
                    size=1 / images,
                    detail=words[:MOST_DETAIL],
                    etag=page.etag,
                    modified=page.modified,
                )
                self._record(step)
        return _nothing(lease, self.clock(), "an image")

    # Soft 404s

    def _not_found(self, case: Suspect) -> str:
        front = self.history.page(f"{urls.origin(case.page.url)}/")
        own = front is None or front.url == case.page.url
        return soft404.not_found(
            case.visit.page, case.why, self._missing_page(case.page.host), 0 if own or front is None else front.simhash
        )

    def _missing_page(self, host: str) -> MissingPage | None:
        if host not in self._missing:
            self._missing[host] = self.history.missing(host)
        return self._missing[host]

    def _must_probe(self, host: str, now: float) -> bool:
        known = self._missing_page(host)
        return known is None or now - known.at > PROBED_FOR

    def _probe(self, page: WatchedPage) -> None:
        """Asks the host for a page beside this one that cannot exist."""
        token = f"{blake2b(f'{page.url} {page.fetched_at}'.encode(), digest_size=8).hexdigest()}-no-such-page"
        url = urls.Base(page.url).resolve(token)
        if isinstance(url, str):
            link = Link(url=url, source=page.url, anchor=token, kind="probe")
            self.gate.again([Waiting(urls.fingerprint(url), link, page.host, 2 * LOOK_AGAIN, 0)])

    def _learn_missing(self, lease: Waiting, answer: Response | Failed) -> Step:
        self.tally.requests += 1
        self.frontier.done(lease, self.clock(), slow=answer.elapsed)
        at, target = self.clock(), ""
        page = Page(url=lease.link.url)
        if isinstance(answer, Response):
            self.tally.bytes += answer.wire or len(answer.body)
            if answer.status in REDIRECTS:
                found = urls.Base(lease.link.url).resolve(answer.header("location"))
                target = found if isinstance(found, str) else ""
            else:
                page = self.parse(answer, self.config.topic.language)
        digest = soft404.text_digest(page, lease.link.anchor)
        known = MissingPage(lease.host, at, answer.status, target, simhash(page.terms), digest)
        self._missing[lease.host] = known
        self.history.note_missing(known)
        self._settle_suspects(lease.host)
        return _nothing(lease, at, "a probe of its host")

    def _settle_suspects(self, host: str) -> None:
        for case in self._suspects.pop(host, ()):
            self._record(self._decide(case))


def _nothing(lease: Waiting, at: float, reason: str) -> Step:
    return Step(lease=lease, state="waiting", at=at, reason=reason, check=Check("nothing"))
