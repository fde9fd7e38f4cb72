"""From an answer to a step: what a fetched link means, before it is recorded.

The engine leases, asks and records. What an answer means is decided by its `AnswerDigest`; that of an ordinary crawl is
a `PageDigest`. A crawl that sees more in some answers has a digest of its own around that one, which uses its public
methods: see `revisit.revisit_digest`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec.structs import replace

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler.budget import Tally
from scenthound.crawler.feeds_and_sitemaps import KINDS, MOST_LINKS, FeedsAndSitemaps
from scenthound.crawler.form_questions import FormQuestions
from scenthound.crawler.link_filter import LinkFilter, refusal
from scenthound.crawler.mirrors import Mirrors
from scenthound.crawler.rescored_links import rescored
from scenthound.crawler.steady_clock import pacing_for
from scenthound.crawler.trap_watch import TrapWatch
from scenthound.judges.labelled import counts
from scenthound.judges.threshold import threshold_of
from scenthound.model import Failed, Link, Page, Ranked, Refusal, Response, Step, Visit, Waiting
from scenthound.parse.safe_parse import parse_safely
from scenthound.protocols.crawl import (
    Clock,
    Frontier,
    HearsMisses,
    HearsMoves,
    HearsRefusals,
    Judge,
    Learns,
    Strategy,
    Watches,
)
from scenthound.protocols.hooks import hook
from scenthound.protocols.rescoring import rescores_now
from scenthound.scope.scope import Scope
from scenthound.text.near_duplicates import NearDuplicates

Parser = Callable[[Response, str], Page]

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class AnswerDigest(Protocol):
    """What the engine asks about answers. It records each step before it asks for the next."""

    tally: Tally
    seconds: dict[str, float]  # spent so far, by stage
    batch: int  # so many links are taken, and their answers digested in order, before more are; 0: one by one

    def parsed_apart(self, lease: Waiting, answer: Response) -> bool: ...  # may another process parse it?

    def digest(self, lease: Waiting, answer: Response | Failed, page: Page | None = None) -> Iterable[Step]:
        """What becomes of a lease; it ends here. `page` is the answer, where it was parsed already."""

    def refusal(
        self, lease: Waiting, reason: str, for_good: bool
    ) -> Iterable[Step]: ...  # a link that the frontier refused; not for good: it may come back

    def sitemaps(self, host: str, named: Sequence[str]) -> None: ...  # what a robots.txt names

    def finish(self) -> Iterable[Step]: ...  # what is still open when a run ends

    def change_settings(self, config: Config) -> None: ...  # what somebody changed while the crawl runs


class PageDigest:
    """What answers mean in a crawl for pages: parser and judge read a page, the strategy ranks its links."""

    def __init__(
        self,
        config: Config,
        *,
        strategy: Strategy,
        judge: Judge,
        frontier: Frontier,
        scope: Scope,
        traps: TrapWatch | None = None,
        mirrors: Mirrors | None = None,
        forms: FormQuestions | None = None,
        feeds_and_sitemaps: FeedsAndSitemaps | None = None,
        near: NearDuplicates | None = None,
        tally: Tally | None = None,
        clock: Clock = time.time,
        pacing: Clock | None = None,
        parse: Parser = parse_safely,
    ) -> None:
        self.config = config
        self.strategy = strategy
        self.judge = judge
        self.watcher = hook(judge, Watches)
        self.threshold = threshold_of(config)
        self.frontier = frontier
        self.scope = scope
        self.traps = traps
        self.mirrors = mirrors
        self.forms = forms
        self.link_filter = LinkFilter(config, scope, traps.traps if traps is not None else None)
        self.feeds_and_sitemaps = feeds_and_sitemaps or FeedsAndSitemaps()
        self.near = NearDuplicates() if near is None else near
        self.tally = tally or Tally()
        self.clock = clock
        self.pacing = pacing or pacing_for(clock)
        self.parse = parse
        self.batch: int = getattr(strategy, "batch", 0)
        self.seconds: dict[str, float] = dict.fromkeys(("parse", "judge", "rank"), 0.0)

    def go_on_with(self, strategy: Strategy, judge: Judge) -> None:
        """From the next page on these rank and judge: they have learned something that those before them cannot."""
        self.strategy, self.judge = strategy, judge
        self.watcher = hook(judge, Watches)

    # What the engine asks

    def parsed_apart(self, lease: Waiting, answer: Response) -> bool:
        return answer.status == 200 and lease.link.kind not in KINDS

    def digest(self, lease: Waiting, answer: Response | Failed, page: Page | None = None) -> tuple[Step, ...]:
        self.tally.requests += 1
        if isinstance(answer, Failed):
            return (self.failure(lease, answer),)
        self.tally.bytes += answer.wire or len(answer.body)
        if answer.status in REDIRECTS:
            return (self.redirect(lease, answer),)
        self.frontier.done(lease, self.pacing(), slow=answer.elapsed, page=lease.link.kind not in KINDS)
        if lease.link.kind in KINDS:
            return (self._consult(lease, answer),)
        page = page or self.read(answer)
        return (self._unread(lease, page) if page.problem else self._visit(lease, answer, page),)

    def refusal(self, lease: Waiting, reason: str, for_good: bool) -> tuple[Step, ...]:
        self.tell_refused(lease.link, for_good=for_good)
        return (Step(lease=lease, state="refused", at=self.clock(), reason=reason, for_good=for_good),)

    def sitemaps(self, host: str, named: Sequence[str]) -> None:
        self.feeds_and_sitemaps.note(host, named)

    def finish(self) -> tuple[Step, ...]:
        return ()

    def change_settings(self, config: Config) -> None:
        self.config, self.threshold = config, threshold_of(config)

    # A page

    def _visit(self, lease: Waiting, response: Response, page: Page) -> Step:
        visit = self.see(lease, page)
        fingerprint = visit.page.simhash
        original = self.near.find(fingerprint) or ""
        next_order = self.frontier.next_order()
        found, refused = self.follow(lease, visit)
        found += self._questions(lease, visit, response)
        if not original:
            self.near.add(fingerprint, visit.page.url)
        new = [row for row in found if row.rule is None and row.order >= next_order]
        if self.traps is not None:
            self.traps.learn(visit, [row.link.url for row in new], original=original)
        if self.mirrors is not None:
            self.mirrors.learn(visit.page.url, original, words=bool(fingerprint))
        self.tally.pages += 1
        self.tally.duplicates += bool(original)
        self.tally.relevant += visit.relevant and not original
        self.tally.scripts.count(page, response.rendering, visit.relevant and not original)
        return Step(
            lease=lease,
            state="fetched",
            at=response.at,
            response=response,
            visit=visit,
            simhash=fingerprint,
            duplicate_of=original,
            found=found,
            new=tuple(row.id for row in new) if self.traps is not None else (),
            refused=refused,
        )

    def _questions(self, lease: Waiting, visit: Visit, response: Response) -> tuple[Waiting, ...]:
        """What to ask the search forms of the page, where that is wanted: before anything that links lead to."""
        if self.forms is None:
            return ()
        depth = lease.depth + 1
        asked = [link for link in self.forms.worth_asking(visit, response) if self.scope.refuses(link, depth) is None]
        return tuple(self.frontier.put([Ranked(link=link, priority=lease.priority) for link in asked], depth))

    def read(self, response: Response) -> Page:
        """The answer as the parser understands it."""
        started = time.perf_counter()
        page = self.parse(response, self.config.topic.language)
        self.seconds["parse"] += time.perf_counter() - started
        return page

    def see(self, lease: Waiting, page: Page) -> Visit:
        """Lets the judge speak, and then learn what is ordinary."""
        if page.noindex and self.config.library.keep_noindex:
            page = replace(page, noindex=False)
        started = time.perf_counter()
        relevance = self.judge(page)
        if self.watcher is not None:
            self.watcher.saw(page)
        self.seconds["judge"] += time.perf_counter() - started
        relevant = counts(self.judge, page.url, relevance, self.threshold)
        return Visit(lease.link, page, relevance, relevant, lease.depth, lease.memory)

    def follow(self, lease: Waiting, visit: Visit) -> tuple[tuple[Waiting, ...], tuple[Refusal, ...]]:
        """Lets the strategy learn and rank, the scope refuse, and the frontier take in."""
        started = time.perf_counter()
        strategy, depth = self.strategy, lease.depth + 1
        if (learner := hook(strategy, Learns)) is not None:
            learner.learn(visit)
        links, onward, refused = self.link_filter.sort(visit.page, depth, lease.hops)
        found = self.frontier.put(strategy.rank(replace(visit, page=replace(visit.page, links=links))), depth)
        if onward and lease.hops < self.config.fetch.max_redirects:
            inherited = [Ranked(link=link, priority=lease.priority, memory=lease.memory) for link in onward]
            found += self.frontier.put(inherited, lease.depth, lease.hops + 1)
        if lists := self.feeds_and_sitemaps.worth_asking(visit):
            lists = [link for link in lists if self.scope.refuses(link, depth) is None]
            found += self.frontier.put([Ranked(link=link, priority=lease.priority) for link in lists], depth)
        found += self.rescore()
        self.seconds["rank"] += time.perf_counter() - started
        return tuple(found), refused

    def rescore(self) -> list[Waiting]:
        """Lets a strategy that learned something say it again of the links that would go next."""
        return rescored(self.strategy, self.frontier) if rescores_now(self.strategy, self.tally.pages) else []

    def _consult(self, lease: Waiting, response: Response) -> Step:
        """A feed or sitemap: its links are ranked as if they stood on a page, but it is none."""
        page, lists = self.feeds_and_sitemaps.read(lease.link, response, self.config.topic.language)
        if page.problem:
            return self._unread(lease, page)
        relevance = self.judge(page)
        links, _, refused = self.link_filter.sort(page, lease.depth, lease.hops)
        page = replace(page, links=links)
        visit = Visit(lease.link, page, relevance, relevance >= self.threshold, lease.depth, lease.memory)
        ranked = sorted(self.strategy.rank(visit), key=lambda entry: -entry.priority)[:MOST_LINKS]
        ranked += [Ranked(link=link, priority=lease.priority) for link in lists]
        found = tuple(self.frontier.put(ranked, lease.depth))
        return Step(lease=lease, state="fetched", at=response.at, response=response, found=found, refused=refused)

    # No page

    def redirect(self, lease: Waiting, response: Response) -> Step:
        """The target becomes a waiting link in the place of the one that redirects."""
        now = self.clock()
        self.frontier.done(lease, self.pacing(), slow=response.elapsed, page=False)
        target = urls.Base(lease.link.url).resolve(response.header("location"))
        if isinstance(target, urls.Malformed):
            return self._lost(lease, f"redirect: target is no URL we follow ({target.reason})", now)
        if lease.hops >= self.config.fetch.max_redirects:
            return self._lost(lease, f"redirect: more than {self.config.fetch.max_redirects} in a row", now)
        kind = lease.link.kind if lease.link.kind in KINDS else "redirect"
        link = replace(lease.link, url=target, source=lease.link.url, kind=kind)
        if (reason := self.scope.refuses(link, lease.depth)) is not None:
            self.tell_refused(lease.link)
            refused = (refusal(link, reason, lease.depth),)
            return Step(lease=lease, state="moved", at=now, reason=target, response=response, refused=refused)
        self.tell_moved(lease.link, target)
        stand_in = Ranked(link=link, priority=lease.priority, memory=lease.memory)
        found = tuple(self.frontier.put([stand_in], lease.depth, lease.hops + 1))
        return Step(lease=lease, state="moved", at=now, reason=target, response=response, found=found)

    def failure(self, lease: Waiting, failed: Failed) -> Step:
        if self.worth_retrying(lease, failed):
            return self.retry(lease, failed)
        now, reason = self.give_up(lease, failed), reason_of(failed)
        if failed.kind == "address":
            self.tell_refused(lease.link)
            return Step(lease=lease, state="refused", at=now, reason=reason)
        return self._lost(lease, reason, now)

    def worth_retrying(self, lease: Waiting, failed: Failed) -> bool:
        return failed.retry and lease.tries < self.config.fetch.retries

    def retry(self, lease: Waiting, failed: Failed) -> Step:
        """The link waits once more, longer each time; its host rests too where it says so."""
        pause = self._let_rest(lease, failed)
        again, now = replace(lease, tries=lease.tries + 1), self.pacing()
        self.frontier.done(lease, now, retry=replace(again, not_before=now + pause), slow=failed.elapsed)
        at = self.clock()
        return Step(lease=replace(again, not_before=at + pause), state="waiting", at=at, reason=reason_of(failed))

    def give_up(self, lease: Waiting, failed: Failed) -> float:
        """Ends a lease that is not tried again, and returns the time. Its host rests all the same where it says so."""
        self._let_rest(lease, failed)
        self.frontier.done(lease, self.pacing(), slow=failed.elapsed, struggles=failed.retry, page=False)
        return self.clock()

    def _let_rest(self, lease: Waiting, failed: Failed) -> float:
        """For how many seconds the link, or its host where that asks for it, is to be left alone."""
        pause: float = max(failed.retry_after, self.config.fetch.backoff * 2**lease.tries)
        if failed.retry_after or (failed.retry and failed.status in (429, 503)):
            self.frontier.rest(lease.host, self.pacing() + pause)
        return pause

    def _unread(self, lease: Waiting, page: Page) -> Step:
        return self._lost(lease, unread_reason(page), self.clock())

    def _lost(self, lease: Waiting, reason: str, now: float) -> Step:
        self.tally.failed += 1
        if (hearer := hook(self.strategy, HearsMisses)) is not None:
            hearer.missed(lease.link)
        return Step(lease=lease, state="failed", at=now, reason=reason)

    def tell_moved(self, link: Link, target: str) -> None:
        if (hearer := hook(self.strategy, HearsMoves)) is not None:
            hearer.moved(link, target)

    def tell_refused(self, link: Link, *, for_good: bool = True) -> None:
        if (hearer := hook(self.strategy, HearsRefusals)) is not None:
            hearer.refused(link, for_good)


def unread_reason(page: Page) -> str:
    return f"parser: {page.problem}"


def reason_of(failed: Failed) -> str:
    return f"{failed.kind}: {failed.detail or failed.status or 'no detail'}"
