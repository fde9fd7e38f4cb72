"""What answers mean in a crawl that looks at stored pages again.

    304, or the same bytes            same      one small row
    other bytes, nothing to read      noise     one small row
    something new                     changed   a new version; its links are ranked and wait like any others
    404, 410, soft 404                missing, then gone
    a redirect                        moved; the target is a link of its own, and is asked for next
    anything else                     failed    the page is due again when its schedule says so

Due pages come back to the frontier as links that were done with. Hosts rest between them as they do between all links,
robots.txt is read and obeyed, and requests that fail in passing are made again later. All other links of the crawl are
the business of the `PageDigest` inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha1
from typing import Any

from msgspec.structs import replace

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler.answer_digest import REDIRECTS, PageDigest, reason_of, unread_reason
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library.step_rules import validators
from scenthound.library.stored_pages import answer_of
from scenthound.model import Check, Failed, Outcome, Page, Response, Step, Waiting
from scenthound.protocols.library import Library
from scenthound.protocols.records import WatchedPage
from scenthound.revisit.detect import soft404
from scenthound.revisit.detect.changes import PageChange, detect
from scenthound.revisit.detect.conditional_fetcher import ConditionalFetcher
from scenthound.revisit.detect.gone_or_moved import ABSENT, BACK, PERMANENT, STILL, absent, confirmed, lost_in_front
from scenthound.revisit.detect.page_images import PageImages
from scenthound.revisit.detect.stored_page import seen_now, stored
from scenthound.revisit.detect.text_diff import diff, summary, to_text
from scenthound.revisit.soft404_suspects import Soft404Suspects, Suspect
from scenthound.text.simhash import simhash

LOOK_AGAIN = 1e9
"""Priority from which a link is one of a revisit: above all that a strategy ranks, and above seeds."""

MOST_DETAIL = 300
ON_THE_SIDE = ("probe", "image")
"""Kinds of links that a look itself asks for."""


class RevisitDigest:
    """Digests looks at stored pages, and leaves other answers to `pages`. `look_again` says which pages are due."""

    def __init__(
        self,
        pages: PageDigest,
        frontier: PoliteFrontier,
        history: Library,
        fetcher: ConditionalFetcher,
        *,
        images: bool = False,
    ) -> None:
        self.pages = pages
        self.frontier = frontier
        self.history = history
        self.fetcher = fetcher
        self.tally = pages.tally
        self.seconds = pages.seconds
        self.batch = pages.batch
        self.clock = pages.clock
        self._images = PageImages(history) if images else None
        self._suspects = Soft404Suspects(history)
        self._due: dict[int, WatchedPage] = {}
        self._ways: dict[int, Waiting] = {}  # to due pages, as the strategy ranked them

    def look_again(self, pages: Sequence[WatchedPage]) -> None:
        """Puts pages into the frontier, the first of them first."""
        self.fetcher.know((page.url, page.etag, page.modified) for page in pages)
        self._due |= {page.id: page for page in pages}
        leases = self.history.leases([page.id for page in pages])
        self._ways = {lease.id: lease for lease in leases}
        count = len(leases)
        self.frontier.again(
            [
                replace(lease, priority=LOOK_AGAIN + count - n, tries=0, hops=0, not_before=0.0, rule=None)
                for n, lease in enumerate(leases)
            ]
        )

    # What the engine asks

    def parsed_apart(self, lease: Waiting, answer: Response) -> bool:
        """Most looks need no parser."""
        looked_at = lease.id in self._due or lease.link.kind in ON_THE_SIDE
        return not looked_at and self.pages.parsed_apart(lease, answer)

    def digest(self, lease: Waiting, answer: Response | Failed, page: Page | None = None) -> Iterable[Step]:
        if lease.link.kind == "probe":
            return self._learn_missing(lease, answer)
        if lease.link.kind == "image":
            return self._compare_image(lease, answer)
        due = self._due.get(lease.id)
        return self.pages.digest(lease, answer, page) if due is None else (self._look(lease, due, answer),)

    def refusal(self, lease: Waiting, reason: str, for_good: bool) -> Iterable[Step]:
        if lease.link.kind in ON_THE_SIDE:
            yield from self._settle_suspects(lease.host)
            yield _nothing(lease, self.clock(), reason)
        elif (page := self._due.get(lease.id)) is not None:
            yield self._step(lease, page, "refused", self.clock(), detail=reason)
        else:
            yield from self.pages.refusal(lease, reason, for_good)

    def sitemaps(self, host: str, named: Sequence[str]) -> None:
        self.pages.sitemaps(host, named)

    def finish(self) -> Iterator[Step]:
        """Probes that were not answered by now never will be."""
        for host in self._suspects.hosts():
            yield from self._settle_suspects(host)
        yield from self.pages.finish()

    def change_settings(self, config: Config) -> None:
        self.pages.change_settings(config)

    # A look

    def _look(self, lease: Waiting, page: WatchedPage, answer: Response | Failed) -> Step:
        self._count(answer)
        if isinstance(answer, Failed):
            return self._no_answer(lease, page, answer)
        if answer.status in REDIRECTS:
            return self._moved(lease, page, answer)
        self._done(lease, answer)
        if answer.status == 304 or sha1(answer.body).digest() == page.digest:
            return self._as_it_was(lease, page, answer, "same")
        return self._compare(lease, page, answer)

    def _count(self, answer: Response | Failed) -> None:
        self.tally.requests += 1
        if isinstance(answer, Response):
            self.tally.bytes += answer.wire or len(answer.body)

    def _done(self, lease: Waiting, answer: Response | Failed) -> float:
        """Ends the lease; the time it is."""
        self.frontier.done(lease, self.pages.pacing(), slow=answer.elapsed)
        return self.clock()

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
            self.pages.near.forget(page.url)
        check = Check(outcome, page.relevance, page.relevant, page.fetched_at, **about)
        state = "failed" if outcome == "gone" else "fetched"
        reason = f"gone: {check.detail}" if outcome == "gone" else ""
        return Step(lease=lease, state=state, at=at, reason=reason, response=response, check=check)  # type: ignore[arg-type]

    def _no_answer(self, lease: Waiting, page: WatchedPage, failed: Failed) -> Step:
        if self.pages.worth_retrying(lease, failed):
            return replace(self.pages.retry(lease, failed), check=Check("nothing"))
        now = self.pages.give_up(lease, failed)
        if failed.kind == "status" and failed.status in ABSENT:
            outcome = absent(page.looks, now, failed.status)
            return self._step(lease, page, outcome, now, status=failed.status, detail=str(failed.status))
        self.tally.failed += 1
        return self._step(lease, page, "failed", now, status=failed.status, detail=reason_of(failed)[:MOST_DETAIL])

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
        target = urls.Base(lease.link.url).resolve(answer.header("location"))
        if isinstance(target, urls.Malformed):
            detail = f"redirect: target is no URL we follow ({target.reason})"
            return self._step(lease, page, "failed", self._done(lease, answer), status=answer.status, detail=detail)
        missing = self._suspects.missing_page(page.host)
        if lost_in_front(page.url, target) or (missing is not None and missing.target == target):
            now = self._done(lease, answer)
            outcome, detail = absent(page.looks, now, answer.status), f"soft 404: it redirects to {target}"
            return self._step(lease, page, outcome, now, status=answer.status, detail=detail)
        if answer.status not in PERMANENT and not confirmed(page.looks, self.clock()):
            detail = f"redirects to {target} for now"
            return self._step(lease, page, "missing", self._done(lease, answer), status=answer.status, detail=detail)
        self._looked_at(page)
        self.pages.near.forget(page.url)
        check = Check(
            "moved", page.relevance, page.relevant, page.fetched_at, status=answer.status, detail=target[:MOST_DETAIL]
        )
        return replace(self.pages.redirect(replace(lease, priority=LOOK_AGAIN), answer), check=check)

    # A page that answers with something else

    def _compare(self, lease: Waiting, page: WatchedPage, answer: Response) -> Step:
        read = self.pages.read(answer)
        if read.problem:
            self.tally.failed += 1
            detail = unread_reason(read)[:MOST_DETAIL]
            return self._step(lease, page, "failed", answer.at, status=answer.status, detail=detail)
        visit = self.pages.see(lease, read)
        old = stored(self.history, page, self.pages.parse, self.pages.config.topic.language)
        change = detect(old.prints, seen_now(visit.page, answer.body, old)) if old.prints else PageChange("text")
        why = soft404.suspicion(old.text, page.title, visit.page, change.size)
        case = Suspect(lease, page, answer, visit, old, change, why)
        if not self._suspects.must_wait(case):
            return self._decide(case)
        if (probe := self._suspects.wait(case, 2 * LOOK_AGAIN)) is not None:
            self.frontier.again([probe])
        return _nothing(lease, answer.at, "waits for a probe of its host")

    def _decide(self, case: Suspect) -> Step:
        page, response, change = case.page, case.response, case.change
        if case.why and (how := self._suspects.not_found(case)):
            outcome = absent(page.looks, response.at, response.status)
            detail = f"soft 404: {how}"
            return self._step(case.lease, page, outcome, response.at, status=response.status, detail=detail)
        if not change:
            words = to_text(diff(case.old.text, case.visit.page.text), 0)[:MOST_DETAIL].replace("\n", " ")
            return self._as_it_was(case.lease, page, response, "noise", kind=" ".join(change.tests), detail=words)
        return self._changed(case)

    def _changed(self, case: Suspect) -> Step:
        page, visit, change, near = case.page, case.visit, case.change, self.pages.near
        self._looked_at(page)
        self._ask_for_images(case.lease, page, visit.page)
        found, refused = self.pages.follow(self._ways.get(page.id, case.lease), visit)
        fingerprint = simhash(visit.page.terms)
        original = near.find(fingerprint) or ""
        if not original:
            near.add(fingerprint, page.url)
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
            page.counts,
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

    # Probes

    def _learn_missing(self, lease: Waiting, answer: Response | Failed) -> Iterator[Step]:
        self._count(answer)
        self._done(lease, answer)
        at, page = self.clock(), Page(url=lease.link.url)
        if isinstance(answer, Response) and answer.status not in REDIRECTS:
            page = self.pages.read(answer)
        self._suspects.learn(lease, answer, page, at)
        yield from self._settle_suspects(lease.host)
        yield _nothing(lease, at, "a probe of its host")

    def _settle_suspects(self, host: str) -> Iterator[Step]:
        for case in self._suspects.release(host):
            yield self._decide(case)

    # Images

    def _ask_for_images(self, lease: Waiting, page: WatchedPage, now: Page | None = None) -> None:
        if self._images is None:
            return
        if now is None:
            response = answer_of(self.history, page.url, damaged_too=True)
            now = self.pages.read(response) if response is not None else Page(url=page.url)
        wanted = self._images.of(now, lease, page, LOOK_AGAIN)
        known = [image for link in wanted if (image := self._images.stored(link.link.url)) is not None]
        self.fetcher.know((image.url, image.etag, image.modified) for image in known)
        self.frontier.again(wanted)

    def _compare_image(self, lease: Waiting, answer: Response | Failed) -> Iterator[Step]:
        self._count(answer)
        self._done(lease, answer)
        outcome, words = self._images.compare(lease, answer) if self._images is not None else ("nothing", "")
        holders = self._images.holders(lease) if self._images is not None and outcome != "nothing" else ()
        for lease_of_page, page, images in holders:
            yield self._step(
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
        yield _nothing(lease, self.clock(), "an image")


def _nothing(lease: Waiting, at: float, reason: str) -> Step:
    return Step(lease=lease, state="waiting", at=at, reason=reason, check=Check("nothing"))
