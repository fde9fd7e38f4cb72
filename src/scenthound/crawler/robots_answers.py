"""What answers to requests for robots.txt mean: rules for hosts, another place to look, or links that have to wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from scenthound import urls
from scenthound.config import Config
from scenthound.crawler.answer_digest import REDIRECTS, AnswerDigest
from scenthound.fetch import robots
from scenthound.fetch.robots import HostRules
from scenthound.model import Failed, Link, Response, Step, Waiting
from scenthound.protocols.crawl import Clock, Frontier
from scenthound.protocols.library import Recorder

MOST_REDIRECTS = 5  # RFC 9309, 2.3.1.2


class RobotsAnswers:
    """For one crawl. `unread`: robots.txt files that the library knows as failed; `record`: for what others hear of."""

    def __init__(
        self,
        config: Config,
        digest: AnswerDigest,
        frontier: Frontier,
        library: Recorder,
        record: Callable[[Step], None],
        *,
        clock: Clock,
        pacing: Clock,
        unread: Iterable[str] = (),
    ) -> None:
        self.config = config
        self.unreachable: dict[str, str] = {}  # host -> why its robots.txt could not be read
        self._digest = digest
        self._frontier = frontier
        self._library = library
        self._record = record
        self._clock = clock
        self._pacing = pacing
        self._unread = set(unread)

    def held(self) -> dict[str, int]:
        """How many links wait for hosts whose robots.txt could not be read, by the kind of reason."""
        reasons: Counter[str] = Counter()
        for host, links in self._frontier.held().items():
            reasons[self.unreachable.get(host, "robots unreachable").partition(":")[0]] += links
        return dict(reasons)

    async def read(self, answer: Response | Failed) -> HostRules:
        politeness = self.config.politeness
        return await robots.parse_apart(answer, politeness.agent, self._pacing(), politeness.max_crawl_delay)

    def learn(self, request: Waiting, answer: Response | Failed, rules: HostRules | None) -> None:
        """Ends the lease of a request. `rules` are None where its fetcher failed before anything could be read."""
        now = self._pacing()
        rules = rules or robots.unreachable(answer, now)
        owner = (request.memory or b"").decode() or request.host
        if rules.unreachable and not (rules.final and not request.hops):
            self._wait(request, owner, answer, rules)
            return
        self._frontier.done(request, now, slow=answer.elapsed)
        if isinstance(answer, Response) and answer.status in REDIRECTS and request.hops < MOST_REDIRECTS:
            target = urls.Base(request.link.url).resolve(answer.header("location"))
            if isinstance(target, str):
                self._frontier.robots_request(Link(url=target, kind="robots"), owner, request.hops + 1)
                return
        ruled = {owner}
        if urls.path(request.link.url) == "/robots.txt":
            ruled.add(request.host)  # where another host's led to: it is that host's own as well
        for host in ruled:
            self.unreachable.pop(host, None)
            self._frontier.rules(host, rules)
            self._digest.sitemaps(host, rules.sitemaps)
        if answer.status == 200 or request.link.url in self._unread:
            self._unread.discard(request.link.url)
            delays, kept = dict.fromkeys(ruled, rules.delay or 0.0), answer if isinstance(answer, Response) else None
            self._library.record(Step(lease=request, state="fetched", at=answer.at, response=kept, delays=delays))

    def _wait(self, request: Waiting, owner: str, answer: Response | Failed, rules: HostRules) -> None:
        """Asks for a robots.txt again as often as for a page; then its host is held, and its links wait."""
        now, fetch = self._pacing(), self.config.fetch
        self.unreachable[owner] = rules.unreachable
        if rules.passing and request.tries < fetch.retries:
            pause = max(rules.wait, fetch.backoff * 2**request.tries)
            again = replace(request, tries=request.tries + 1, not_before=now + pause)
            self._frontier.done(request, now, retry=again, slow=answer.elapsed)
            return
        self._frontier.done(request, now, slow=answer.elapsed, struggles=rules.passing)
        self._frontier.hold(owner, now + max(rules.wait, robots.WHILE))
        self._unread.add(request.link.url)
        self._record(
            Step(lease=replace(request, priority=0.0), state="failed", at=self._clock(), reason=rules.unreachable)
        )
