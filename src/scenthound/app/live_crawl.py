"""The crawl of a folder as somebody at a dashboard has it: started, watched, changed, paused, stopped, begun again.

    live = LiveCrawl(folder)
    await live.start(pages=500)
    live.pause(); live.go_on(); live.change(CrawlChange(pages=800, threshold=0.6))
    print(live.view().harvest)

All of it belongs to the thread of the crawl's event loop. A view is made when somebody asks for it: a crawl that
nobody watches pays nothing. Whoever watches asks about once a second, and at once when there is `news`: what somebody
changed, the first page that came by it, and that all stored pages were judged by it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from scenthound.app.arrived_pages import ArrivedPages
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions, plan_crawl
from scenthound.app.crawl_view import (
    CrawlChange,
    CrawlState,
    CrawlView,
    HostLine,
    JudgedLine,
    RecallLine,
    WaitingLine,
    no_recall,
    recall_line,
)
from scenthound.app.events import Event, Judged
from scenthound.app.steering import OVER_LINKS, Steering, SteeringAction, SteeringLog, SteeringRule
from scenthound.app.topic_steering import TopicSteering, words_of
from scenthound.config import Config
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.engine import Crawl
from scenthound.errors import ScenthoundError, UsageError
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.judges.threshold import threshold_of
from scenthound.library import line_file
from scenthound.library.run_settings import SETTINGS
from scenthound.model import Step, Waiting
from scenthound.protocols.crawl import Frontier, Judge
from scenthound.report.failure_words import kind_in_words

SHOWN_LINKS, SHOWN_HOSTS, SHOWN_KINDS = 12, 12, 8
MOST_LOOKED_THROUGH = 5_000
"""Links at the top of the frontier that are looked through for some that no rule bans."""


class LiveCrawl:
    """The crawl of one folder, if one was begun here."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session: CrawlSession | None = None
        self.error = ""
        self.steering = SteeringLog(folder)
        self._steered: Crawl | None = None  # the crawl that follows the rules
        self._steering: Steering | None = None  # what they come to
        self._task: asyncio.Task[object] | None = None
        self._arrived = ArrivedPages()
        self._kinds: Counter[str] = Counter()
        self._judged: JudgedLine | None = None
        self._recall: tuple[int, RecallLine] | None = None  # at so many pages
        self._topic = TopicSteering(folder, self.steering)
        self._noted: tuple[object, list[str], list[str]] = (None, [], [])  # how topic.toml looked, its words and seeds
        self.changes = 0  # how often there was news
        self._news = asyncio.Event()
        self._page_awaited = False  # somebody changed something, and no page has come since

    # From start to end

    async def start(self, change: CrawlChange | None = None) -> None:
        """Begins a crawl, or goes on with it. What is wrong with its settings is said at once."""
        if self.under_way:
            raise UsageError("A crawl of this library is under way already.")
        wanted = change or CrawlChange()
        plan = plan_crawl(
            str(self.folder),
            CrawlOptions(
                pages=wanted.pages,
                minutes=wanted.minutes,
                threshold=wanted.threshold,
                parallel=wanted.parallel,
                until=[] if wanted.recall is None else [f"recall={wanted.recall:g}"],
            ),
        )
        session = CrawlSession(plan)
        self.watch(session)
        self._task = asyncio.create_task(self._run(session))
        await asyncio.sleep(0)

    def watch(self, session: CrawlSession) -> None:
        """Watches a crawl that somebody else runs."""
        self.session, self.error = session, ""
        self._arrived.clear()
        self._kinds.clear()
        self._judged = self._recall = None
        session.observers = [*session.observers, self._saw]
        session.listeners.append(self._heard)

    async def _run(self, session: CrawlSession) -> None:
        try:
            await session.run()
        except ScenthoundError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"something went wrong that should not have: {type(error).__name__}: {error}"

    async def close(self) -> None:
        """Ends the crawl that was begun here, at a clean point."""
        if self._task is not None:
            if self.session is not None:
                self.session.stop(now=True)
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def state(self) -> CrawlState:
        session = self.session
        if session is None:
            return "none"
        if self.error:
            return "broken"
        if session.outcome is not None:
            return "ended"
        if session.stopping:
            return "stopping"
        if session.crawl is None:
            return "starting"
        return "paused" if session.crawl.paused else "running"

    @property
    def under_way(self) -> bool:
        return self.state in ("starting", "running", "paused", "stopping")

    # Steering

    def pause(self) -> None:
        self._crawling().pause()
        self._tell_news()

    def go_on(self) -> None:
        self._crawling().go_on()
        self._tell_news()

    def stop(self) -> None:
        if self.session is not None and self.under_way:
            self.session.stop()
            self._tell_news()

    def labelled(self) -> None:
        """Somebody has just set a label: a crawl that is under way takes it in at once."""
        if self.session is not None and self.session.crawl is not None and self.under_way:
            self.session.crawl.look_at_labels()
            self._page_awaited = True

    def change(self, change: CrawlChange) -> None:
        """From the next request on; pages that are stored count by a new threshold when they were judged again."""
        crawl = self._crawling()
        assert self.session is not None
        change_crawl(self.session, change)
        crawl.look_at_labels()  # by the threshold, too, stored pages are judged again
        self._changed()

    def add_seeds(self, given: list[str]) -> list[str]:
        """Has the crawl that is under way ask for these pages next; which ones, in the spelling of the library."""
        self._crawling()
        return [self.steer("add-seed", url).rule for url in given]

    def steer(self, action: SteeringAction, text: str) -> SteeringRule:
        """Raises, lowers or bans the links that a rule matches, adds or strikes a word of the topic or a seed.

        A crawl that is under way follows at once; else the next one does.
        """
        if action in OVER_LINKS:
            made = self.steering.add(action, text)
        else:
            topic = self._topic
            does = {
                "add-word": topic.add_word,
                "strike-word": topic.strike_word,
                "add-seed": topic.add_seed,
                "strike-seed": topic.strike_seed,
            }
            made = does[action](text)
            self._follow_topic(made.rule if action == "add-seed" else "")
        self._follow_rules()
        self._changed()
        return made

    def unsteer(self, number: int) -> None:
        """Takes that back. Links that a rule had refused wait again when they are found again."""
        rule = self.steering.rule(number)
        if rule.action in OVER_LINKS:
            self.steering.undo(number)
        else:
            self._topic.undo(rule)
            self._follow_topic(rule.rule if rule.action == "strike-seed" else "")
        self._follow_rules()
        self._changed()

    def _changed(self) -> None:
        self._page_awaited = True
        self._tell_news()

    def _follow_topic(self, seed: str) -> None:
        """A crawl that is under way goes on by the topic that topic.toml has now; `seed` is asked for next."""
        session = self.session
        if session is None or session.crawl is None or not self.under_way:
            return
        noted, config = self._topic.settings(), session.crawl.config
        if noted.topic != config.topic:
            session.change_topic(replace(config, topic=noted.topic))
        if seed:
            session.crawl.add_seeds_now([seed])

    def _follow_rules(self, *, anew: bool = False) -> None:
        crawl = self.session.crawl if self.session is not None and self.under_way else None
        if crawl is not None and isinstance(crawl.frontier, PoliteFrontier):
            rules, struck = self.steering.rules(), self.steering.struck_seeds()
            self._steering = Steering(rules, struck) if rules or struck else None
            crawl.take_moved(crawl.frontier.steer_by(self._steering, anew=anew))
            self._steered = crawl

    def _heard(self, event: Event) -> None:
        if not isinstance(event, Judged) or not event.finished:
            return
        elapsed = self.session.progress.elapsed if self.session is not None else 0.0
        self._judged = JudgedLine(list(event.because), event.relevant_before, event.relevant, event.links, elapsed)
        if self._steered is not None:
            self._follow_rules(anew=True)  # all links were ranked anew
        self._tell_news()

    def _crawling(self) -> Crawl:
        if self.session is None or self.session.crawl is None or not self.under_way:
            raise UsageError("No crawl of this library is under way here.")
        return self.session.crawl

    # Watching

    async def news(self, seconds: float) -> None:
        """Until there is something that somebody waits to see, or for so long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)

    def _tell_news(self) -> None:
        told, self._news = self._news, asyncio.Event()
        self.changes += 1
        told.set()

    def _saw(self, step: Step) -> None:
        if self.session is not None and self.session.crawl is not None and self._steered is not self.session.crawl:
            self._steered = self.session.crawl
            self._follow_rules(anew=True)
        if step.visit is not None:
            self._arrived.saw(step.visit.page)
            if self._page_awaited:
                self._page_awaited = False
                asyncio.get_running_loop().call_soon(self._tell_news)  # when all have heard of the page
            if step.response is not None:
                self._kinds[step.response.header("content-type").partition(";")[0].strip().lower() or "unknown"] += 1

    def view(self) -> CrawlView:
        session = self.session
        if session is None or session.crawl is None:
            words, seeds = self._words_and_seeds()
            return CrawlView(self.state, error=self.error, steering=self.steering.rules(), words=words, seeds=seeds)
        crawl, progress, tally = session.crawl, session.progress, session.crawl.tally
        rate, config = progress.rate(), crawl.config
        best = progress.best
        words, seeds = self._words_and_seeds()
        return CrawlView(
            state=self.state,
            topic=config.topic.name,
            error=self.error,
            ending=session.outcome.ending if session.outcome is not None else "",
            pages=tally.pages,
            new_pages=progress.pages,
            relevant=tally.relevant,
            harvest=tally.relevant / tally.pages if tally.pages else 0.0,
            recent=progress.recent,
            expected_precision=sum(page.relevance for page in best) / len(best) if best else None,
            rate=rate,
            elapsed=progress.elapsed,
            seconds_left=progress.seconds_left() if self.state == "running" else None,
            waiting=len(crawl.frontier),
            budget=config.crawl.pages,
            minutes=config.crawl.minutes,
            threshold=threshold_of(config),
            parallel=crawl.fetcher.parallel,
            failed=sum(progress.troubles.values()),
            refused=progress.refused,
            bytes=tally.bytes,
            troubles={kind_in_words(kind): times for kind, times in progress.troubles.most_common()},
            curve=[round(value, 3) for value in progress.curve.values],
            hosts=self._hosts(),
            frontier=self.frontier(),
            arrived=self._arrived.lines(progress.arrived, list(progress.last), _judge(crawl)),
            steering=self.steering.rules(),
            kinds=dict(self._kinds.most_common(SHOWN_KINDS)),
            words=words,
            seeds=seeds,
            recall=self._estimate(crawl),
            judged=self._judged,
            judging=crawl.judging_again() if self.under_way else None,
        )

    def _words_and_seeds(self) -> tuple[list[str], list[str]]:
        """As topic.toml has them; it is read when it has changed."""
        looks = line_file.looks(self.folder / SETTINGS)
        if looks != self._noted[0]:
            try:
                config = self._topic.settings() if looks is not None else Config()
                self._noted = (looks, words_of(config), list(config.crawl.seeds))
            except ScenthoundError:  # somebody is writing it; what is wrong with it the next crawl says
                self._noted = (looks, [], [])
        return self._noted[1], self._noted[2]

    def _estimate(self, crawl: Crawl) -> RecallLine:
        """Made anew when the crawl has grown by a hundredth: an estimate takes some milliseconds."""
        if crawl.coverage is None or not crawl.coverage.rules.recall:
            return no_recall(crawl.config.crawl.confidence, running=self.under_way)
        pages = crawl.tally.pages
        if self._recall is None or pages - self._recall[0] >= max(5, pages // 100) or not self.under_way:
            self._recall = (pages, recall_line(crawl.coverage.estimate()))
        return self._recall[1]

    def frontier(self, limit: int = SHOWN_LINKS) -> list[WaitingLine]:
        """The links that would go next, were all hosts free."""
        crawl = self.session.crawl if self.session is not None else None
        if crawl is None:
            return []
        return [
            WaitingLine(each.link.url, each.host, each.priority, each.link.anchor or each.link.title, each.link.source)
            for each in self._unrefused(crawl.frontier, limit)
        ]

    def _unrefused(self, frontier: Frontier, limit: int) -> list[Waiting]:
        """The top without links that a rule will have refused when their turn comes."""
        wanted, steering = limit, self._steering
        while True:
            top = _top(frontier, wanted)
            found = [each for each in top if steering is None or not _is_banned(each, steering)]
            if len(found) >= limit or len(top) < wanted or wanted >= MOST_LOOKED_THROUGH:
                return found[:limit]
            wanted *= 4

    def _hosts(self) -> list[HostLine]:
        assert self.session is not None
        crawl, progress = self.session.crawl, self.session.progress
        assert crawl is not None
        now = crawl.pacing()
        lines = []
        for host, pages in progress.hosts.most_common(SHOWN_HOSTS):
            if not isinstance(crawl.frontier, PoliteFrontier):
                lines.append(HostLine(host, pages))
                continue
            manners = crawl.frontier.manners(host, now)
            lines.append(HostLine(host, pages, manners.waiting, manners.state, round(manners.seconds, 1)))
        return lines


def _is_banned(waiting: Waiting, steering: Steering) -> bool:
    return waiting.link.kind != "seed" and steering.refuses(waiting.link.url) is not None


def _judge(crawl: Crawl) -> Judge | None:
    return crawl.digest.judge if isinstance(crawl.digest, PageDigest) else None


def _top(frontier: Frontier, limit: int) -> list[Waiting]:
    return frontier.top(limit) if isinstance(frontier, PoliteFrontier) else frontier.best(limit)


def change_crawl(session: CrawlSession, change: CrawlChange) -> None:
    """Has a crawl that is under way go on by other settings. What it could not do is refused."""
    if change.recall is not None:
        raise UsageError("When it is enough is said when a crawl begins: stop this one, and go on with a recall.")
    config = session.plan.config if session.crawl is None else session.crawl.config
    if change.parallel is not None and config.fetch.recorded:
        raise UsageError("A recorded web is replayed one page at a time, so that its order can be repeated.")
    session.change_settings(changed(config, change))


def changed(config: Config, change: CrawlChange) -> Config:
    """The settings with the change in them. What no crawl could run with is refused."""
    crawl = replace(config.crawl)
    crawl.pages = config.crawl.pages if change.pages is None else change.pages
    crawl.minutes = config.crawl.minutes if change.minutes is None else change.minutes
    crawl.threshold = config.crawl.threshold if change.threshold is None else change.threshold
    fetch = replace(config.fetch, parallel=config.fetch.parallel if change.parallel is None else change.parallel)
    found = replace(config, crawl=crawl, fetch=fetch)
    found.check()
    return found
