"""What one answer becomes, without a loop around it; and that another digest may be put around the ordinary one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import from_dict
from scenthound.crawler.answer_digest import PageDigest, reason_of
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.engine import Crawl
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Failed, Link, Page, Ranked, Response, Step, Waiting
from scenthound.protocols.crawl import Judge
from tests.small_web import ByAnchor, answer, counts_word, crawl_of, page

A, B, C = (f"http://{name}.test/" for name in "abc")


class Bench:
    """A digest over a frontier from which one link is leased."""

    def __init__(self, judge: Judge | None = None, **settings: Any) -> None:
        config = from_dict({"politeness": {"delay": 0.0, "robots": False}} | settings)
        self.frontier = PoliteFrontier(None, config.politeness)
        self.frontier.put([Ranked(Link(A), 1.0)], 0)
        (self.lease,) = self.frontier.take(1, 0.0)
        self.digest = PageDigest(
            config,
            strategy=ByAnchor(),
            judge=judge or counts_word("hound"),
            frontier=self.frontier,
            scope=make_scope(config),
            clock=lambda: 10.0,
        )

    def step(self, given: Response | Failed, parsed: Page | None = None) -> Step:
        (step,) = self.digest.digest(self.lease, given, parsed)
        assert self.frontier.leased() == 0, "a lease ends with its answer"
        return step


def test_a_page_is_read_judged_and_its_links_wait() -> None:
    bench = Bench()
    step = bench.step(answer(A, page(f"2={B}", f"1={C}", text="a hound")))
    assert step.state == "fetched"
    assert step.visit is not None
    assert (step.visit.relevance, step.visit.relevant) == (1.0, True)
    assert [(row.link.url, row.priority) for row in step.found] == [(B, 2.0), (C, 1.0)]
    tally = bench.digest.tally
    assert (tally.pages, tally.relevant, tally.requests, tally.failed) == (1, 1, 1, 0)
    assert tally.bytes > 0


def test_what_was_parsed_already_is_not_parsed_again() -> None:
    bench = Bench()
    step = bench.step(answer(A, page(f"2={B}")), Page(url=A, title="from elsewhere"))
    assert step.visit is not None
    assert step.visit.page.title == "from elsewhere"
    assert step.found == ()


class GetsUsedToPages:
    """Judges the first page it knows nothing of 1, and any later one 0."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, page: Page) -> float:
        return 0.0 if self.seen else 1.0

    def saw(self, page: Page) -> None:
        self.seen.append(page.url)


def test_a_judge_that_watches_sees_each_page_once_it_has_judged_it() -> None:
    judge = GetsUsedToPages()
    step = Bench(judge).step(answer(A, page(text="a hound")))
    assert step.visit is not None
    assert (step.visit.relevance, judge.seen) == (1.0, [A])


def test_a_page_counts_from_the_judges_own_threshold_on_where_none_is_set() -> None:
    class Doubtful:
        def __call__(self, page: Page) -> float:
            return 0.05

    def counts(**crawl: Any) -> bool:
        step = Bench(Doubtful(), crawl=crawl).step(answer(A, page(text="a hound")))
        assert step.visit is not None
        return step.visit.relevant

    assert [counts(judge="keywords"), counts(judge="topic-vector")] == [False, True]
    assert [counts(judge="keywords", threshold=0.01), counts(judge="topic-vector", threshold=0.1)] == [True, False]


@pytest.mark.parametrize(
    ("given", "state", "reason"),
    [
        (answer(A, status=301, location=B), "moved", B),
        (answer(A, status=301, location="mailto:x@y"), "failed", "redirect: target is no URL we follow"),
        (Failed(A, "status", 404, "404"), "failed", "status: 404"),
        (Failed(A, "address", detail="private"), "refused", "address: private"),
        (Failed(A, "timeout", retry=True), "waiting", "timeout: no detail"),
    ],
)
def test_what_is_no_page(given: Response | Failed, state: str, reason: str) -> None:
    step = Bench().step(given)
    assert step.state == state
    assert step.reason.startswith(reason)
    assert step.visit is None


class HearsAll(ByAnchor):
    """Keeps what it hears of links that bring no page."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[Any, ...]] = []

    def missed(self, link: Link) -> None:
        self.told.append(("missed", link.url))

    def moved(self, link: Link, target: str) -> None:
        self.told.append(("moved", link.url, target))

    def refused(self, link: Link, for_good: bool) -> None:
        self.told.append(("refused", link.url, for_good))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (answer(A, status=301, location=B), [("moved", A, B)]),
        (answer(A, status=301, location=f"{C}x.zip"), [("refused", A, True)]),  # out of scope
        (answer(A, status=301, location="mailto:x@y"), [("missed", A)]),
        (Failed(A, "status", 404, "404"), [("missed", A)]),
        (Failed(A, "address", detail="private"), [("refused", A, True)]),
        (Failed(A, "timeout", retry=True), []),
    ],
)
def test_a_strategy_hears_what_became_of_a_link_without_a_page(
    given: Response | Failed, told: list[tuple[Any, ...]]
) -> None:
    bench = Bench()
    bench.digest.strategy = strategy = HearsAll()
    bench.step(given)
    assert strategy.told == told


@pytest.mark.parametrize("for_good", [True, False])
def test_a_strategy_hears_of_what_the_frontier_refused(for_good: bool) -> None:
    bench = Bench()
    bench.digest.strategy = strategy = HearsAll()
    (step,) = bench.digest.refusal(bench.lease, "robots", for_good)
    assert (step.state, step.reason, step.for_good) == ("refused", "robots", for_good)
    assert strategy.told == [("refused", A, for_good)]


def test_a_retry_waits_longer_each_time() -> None:
    bench = Bench(fetch={"retries": 5, "backoff": 2.0})
    step = bench.step(Failed(A, "timeout", retry=True))
    assert (step.lease.tries, step.lease.not_before) == (1, 12.0)
    (bench.lease,) = bench.frontier.take(1, 12.0)
    assert bench.step(Failed(A, "timeout", retry=True)).lease.not_before == 14.0


@pytest.mark.parametrize(
    ("kind", "status", "apart"),
    [("link", 200, True), ("seed", 200, True), ("feed", 200, False), ("sitemap", 200, False), ("link", 301, False)],
)
def test_only_pages_may_be_parsed_apart(kind: Any, status: int, apart: bool) -> None:
    lease = Waiting(1, Link(A, kind=kind), "a.test", 0.0, 0)
    assert Bench().digest.parsed_apart(lease, answer(A, status=status)) is apart


def test_a_reason_says_what_is_known() -> None:
    assert reason_of(Failed(A, "dns")) == "dns: no detail"
    assert reason_of(Failed(A, "status", 500)) == "status: 500"


class Doubtful:
    """A digest around another: it reports each page twice, and at the end of a run what it thinks of it."""

    def __init__(self, pages: PageDigest) -> None:
        self.pages = pages
        self.tally, self.seconds, self.batch = pages.tally, pages.seconds, pages.batch
        self.recorded: list[Step] = []

    def parsed_apart(self, lease: Waiting, answer: Response) -> bool:
        return False

    def digest(self, lease: Waiting, answer: Response | Failed, page: Page | None = None) -> Iterator[Step]:
        for step in self.pages.digest(lease, answer, page):
            yield step
            assert self.recorded[-1] is step, "each step is recorded before the next is made"
            yield Step(lease=lease, state="fetched", at=step.at, reason="once more")

    def refusal(self, lease: Waiting, reason: str, for_good: bool) -> Sequence[Step]:
        return self.pages.refusal(lease, reason, for_good)

    def sitemaps(self, host: str, named: Sequence[str]) -> None:
        self.pages.sitemaps(host, named)

    def finish(self) -> Iterator[Step]:
        yield Step(lease=self.recorded[-1].lease, state="fetched", at=0.0, reason="at last")


async def test_a_crawl_may_have_another_digest(tmp_path: Path) -> None:
    with crawl_of(tmp_path, {A: page(f"1={B}"), B: page()}) as given:
        assert isinstance(given.digest, PageDigest)
        digest = Doubtful(given.digest)
        crawl = Crawl(
            given.config,
            digest=digest,
            frontier=given.frontier,
            fetcher=given.fetcher,
            library=given.library,
            observers=[digest.recorded.append],
        )
        assert await crawl.run() == "frontier empty"
        assert [(step.lease.link.url, step.reason) for step in digest.recorded] == [
            (A, ""),
            (A, "once more"),
            (B, ""),
            (B, "once more"),
            (B, "at last"),
        ]
        assert crawl.tally.pages == 2


@pytest.mark.parametrize("retries", [0, 2])
@pytest.mark.parametrize(("status", "asked", "rests"), [(429, 30.0, 30.0), (503, 0.0, 5.0), (500, 0.0, 0.0)])
def test_a_host_rests_whenever_it_asks_for_it(retries: int, status: int, asked: float, rests: float) -> None:
    """Also after the last try: the next link of the host waits as long as the one that failed would have."""
    bench = Bench(fetch={"retries": retries})
    bench.frontier.put([Ranked(Link(f"{A}other"), 1.0)], 0)
    step = bench.step(Failed(A, "status", status=status, retry=True, retry_after=asked))
    assert step.state == ("waiting" if retries else "failed")
    assert bench.frontier.next_time(10.0) == 10.0 + rests


def test_a_host_that_fails_for_good_is_asked_less_often() -> None:
    bench = Bench(fetch={"retries": 0}, politeness={"delay": 1.0, "robots": False})
    bench.frontier.put([Ranked(Link(f"{A}other"), 1.0)], 0)
    bench.step(Failed(A, "status", status=500, retry=True))
    assert bench.frontier.next_time(10.0) == 12.0
