"""The crawl loop: order, budgets, redirects, retries, scope, and that nothing the parts do ends it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound.crawler.budget import Budget
from scenthound.crawler.engine import GRACE, SEED_PRIORITY, Crawl
from scenthound.model import Failed, Link, Page, Ranked, Response, Step, Visit, Waiting
from scenthound.parse.page import parse, unread
from scenthound.parse.safe_parse import LARGE
from tests.failing_parser import REASON, WORD, break_parser
from tests.small_web import ByAnchor, Script, ScriptedFetcher, answer, crawl_of, page
from tests.watchdog import PATIENCE

A, B, C, D = (f"http://{name}.test/" for name in "abcd")


def visited(crawl: Crawl) -> list[str]:
    return [stored.url for stored in crawl.library.pages()]  # type: ignore[attr-defined]


async def test_the_best_link_goes_first_wherever_it_was_found(tmp_path: Path) -> None:
    web = {A: page(f"1={B}", f"3={C}"), C: page(f"2={D}"), B: page(), D: page()}
    with crawl_of(tmp_path, web) as crawl:
        assert await crawl.run() == "frontier empty"
        assert visited(crawl) == [A, C, D, B]


async def test_a_link_found_again_keeps_its_best_priority(tmp_path: Path) -> None:
    web = {A: page(f"1={B}", f"2={C}", f"1.5={D}"), C: page(f"5={B}"), B: page(), D: page()}
    with crawl_of(tmp_path, web) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, C, B, D]


async def test_the_page_budget_is_kept_and_a_second_run_goes_on(tmp_path: Path) -> None:
    web = {A: page(f"1={B}", f"2={C}"), B: page(), C: page()}
    with crawl_of(tmp_path, web, {"crawl": {"pages": 2}}) as crawl:
        assert await crawl.run() == "pages"
        assert visited(crawl) == [A, C]
    fetcher = ScriptedFetcher(web)
    with crawl_of(tmp_path, fetcher) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, C, B]
    assert fetcher.asked == [B]


async def test_failed_requests_count_against_a_budget_of_requests(tmp_path: Path) -> None:
    web = {A: page(f"3={A}gone", f"2={B}", f"1={C}"), B: page(), C: page()}
    with crawl_of(tmp_path, web, {"crawl": {"requests": 3}}) as crawl:
        assert await crawl.run() == "requests"
        assert visited(crawl) == [A, B]
        assert crawl.tally.failed == 1


async def test_a_redirect_becomes_a_link_in_its_place(tmp_path: Path) -> None:
    web = {
        A: page(f"3={B}", f"2={C}"),
        B: answer(B, status=301, location=D),
        C: page(),
        D: page(),
    }
    with crawl_of(tmp_path, web) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, D, C]
        row = crawl.library.url_row(B)  # type: ignore[attr-defined]
        assert (row.state, row.reason) == ("moved", D)
        arrived = crawl.library.url_row(D)  # type: ignore[attr-defined]
        assert (arrived.priority, arrived.depth, arrived.hops, arrived.link.source) == (3.0, 1, 1, B)


async def test_redirects_end(tmp_path: Path) -> None:
    web = {f"{A}{n}": answer(f"{A}{n}", status=302, location=f"/{n + 1}") for n in range(50)}
    steps: list[Step] = []
    with crawl_of(tmp_path, web, {"fetch": {"max_redirects": 4}}, seeds=(f"{A}0",), steps=steps) as crawl:
        await crawl.run()
    assert len(crawl.fetcher.asked) == 5  # type: ignore[attr-defined]
    assert (steps[-1].state, steps[-1].reason) == ("failed", "redirect: more than 4 in a row")


@pytest.mark.parametrize("location", ["", "mailto:x@y", "http://"])
async def test_a_redirect_to_nowhere_is_a_failure(tmp_path: Path, location: str) -> None:
    steps: list[Step] = []
    with crawl_of(tmp_path, {A: answer(A, status=301, location=location)}, steps=steps) as crawl:
        await crawl.run()
        assert crawl.library.url_row(A).state in ("failed", "moved")  # type: ignore[attr-defined]
    assert len(crawl.fetcher.asked) <= 2  # type: ignore[attr-defined]


async def test_what_may_pass_is_tried_again_later(tmp_path: Path) -> None:
    now = [1000.0]

    def clock() -> float:
        now[0] += 0.5  # time goes on whenever somebody looks
        return now[0]

    web = {A: [Failed(A, "timeout", retry=True), Failed(A, "timeout", retry=True), page()]}
    steps: list[Step] = []
    with crawl_of(tmp_path, web, {"fetch": {"retries": 2, "backoff": 1.0}}, clock=clock, steps=steps) as crawl:
        await crawl.run()
        assert visited(crawl) == [A]
    assert [(step.state, step.lease.tries) for step in steps[1:]] == [("waiting", 1), ("waiting", 2), ("fetched", 2)]
    assert steps[2].at - steps[1].at >= 1.0
    assert steps[3].visit is not None


async def test_tries_end(tmp_path: Path) -> None:
    web = {A: Failed(A, "timeout", detail="slow", retry=True)}
    with crawl_of(tmp_path, web, {"fetch": {"retries": 2, "backoff": 0.01}}) as crawl:
        await crawl.run()
        row = crawl.library.url_row(A)  # type: ignore[attr-defined]
    assert (row.state, row.reason, len(crawl.fetcher.asked)) == ("failed", "timeout: slow", 3)  # type: ignore[attr-defined]


async def test_scope_and_nofollow_refuse_with_a_reason(tmp_path: Path) -> None:
    html = page(f"3={B}", f"2={A}in", f"1={A}print/x").replace(f'href="{A}in"', f'href="{A}in" rel="ugc nofollow"')
    settings = {"scope": {"allow": "host:a.test", "deny": "path:/print"}}
    with crawl_of(tmp_path, {A: html}, settings) as crawl:
        await crawl.run()
        assert visited(crawl) == [A]
        reasons = {url: crawl.library.url_row(url).reason for url in (B, f"{A}in", f"{A}print/x")}  # type: ignore[attr-defined]
    assert reasons[f"{A}in"] == "nofollow"
    assert reasons[B].startswith("scope")
    assert reasons[f"{A}print/x"].startswith("scope")


async def test_a_page_that_asks_not_to_be_followed_is_not(tmp_path: Path) -> None:
    head = '<meta name="robots" content="nofollow">'
    with crawl_of(tmp_path, {A: page(f"1={B}", head=head), B: page()}) as crawl:
        await crawl.run()
        assert visited(crawl) == [A]


async def test_a_refresh_hands_its_priority_on(tmp_path: Path) -> None:
    head = f'<meta http-equiv="refresh" content="0; url={D}">'
    web = {A: page(f"2={B}", f"1={C}"), B: page(head=head), C: page(), D: page()}
    with crawl_of(tmp_path, web) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, B, D, C]


async def test_a_refresh_loop_ends(tmp_path: Path) -> None:
    web = {f"{A}?n={n}": page(head=f'<meta http-equiv="refresh" content="0; url=/?n={n + 1}">') for n in range(100)}
    with crawl_of(tmp_path, web, {"fetch": {"max_redirects": 5}}, seeds=(f"{A}?n=0",)) as crawl:
        await crawl.run()
        assert len(visited(crawl)) == 6


async def test_a_frame_is_the_page_itself_but_not_for_ever(tmp_path: Path) -> None:
    def framed(n: int) -> str:
        return f'<frameset cols="*,*"><frame src="/{2 * n}"><frame src="/{2 * n + 1}"></frameset>'

    web = {A: page(f"5={B}", f"4={C}"), C: page()} | {f"{B}{n or ''}": framed(n or 1) for n in range(64)}
    with crawl_of(tmp_path, web) as crawl:
        await crawl.run()
        order = visited(crawl)
    assert len(order) == 1 + (1 + 2 + 4) + 1
    assert order[-1] == C


async def test_folders_above_a_page_are_tried_on_request(tmp_path: Path) -> None:
    web = {A: page(f"1={A}x/y/z.html"), f"{A}x/y/z.html": page(), f"{A}x/": page()}
    with crawl_of(tmp_path, web, {"crawl": {"ascend": True}}) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, f"{A}x/y/z.html", f"{A}x/"]
        assert crawl.library.url_row(f"{A}x/y/").state == "failed"  # type: ignore[attr-defined]


RSS = f"<rss><channel><title>news</title><item><title>5</title><link>{A}fresh</link></item></channel></rss>"
MAP = f"<urlset><url><loc>{A}deep/down</loc></url></urlset>"


async def test_feeds_and_sitemaps_of_relevant_pages_are_read_on_request(tmp_path: Path) -> None:
    feed = f'<link rel="alternate" type="application/rss+xml" href="{A}feed">'
    robots = f"User-agent: *\nSitemap: {A}map.xml\n"
    web = {
        f"{A}robots.txt": answer(f"{A}robots.txt", robots, content_type="text/plain"),
        A: page(text="a hound", head=feed),
        f"{A}feed": answer(f"{A}feed", RSS, content_type="application/rss+xml"),
        f"{A}map.xml": answer(f"{A}map.xml", MAP, content_type="application/xml"),
        f"{A}fresh": page(),
        f"{A}deep/down": page(),
    }
    settings = {"crawl": {"feeds": True, "sitemaps": True}, "politeness": {"delay": 0.0, "robots": True}}
    with crawl_of(tmp_path / "on", web, settings, strategy=Flat()) as crawl:
        await crawl.run()
        assert sorted(visited(crawl)) == [A, f"{A}deep/down", f"{A}fresh"]
        assert crawl.tally.pages == 3
    with crawl_of(tmp_path / "off", web, strategy=Flat()) as crawl:
        await crawl.run()
        assert visited(crawl) == [A]


async def test_memory_comes_back_with_the_visit(tmp_path: Path) -> None:
    strategy = ByAnchor()
    with crawl_of(tmp_path, {A: page(f"1={B}"), B: page()}, strategy=strategy) as crawl:
        await crawl.run()
    assert [visit.memory for visit in strategy.seen] == [None, b"from " + A.encode()]


async def test_duplicates_are_recognised_and_not_counted_as_finds(tmp_path: Path) -> None:
    words = " ".join(f"word{n} thing{n * 7}" for n in range(200)) + " hound"
    web = {A: page(f"2={B}", f"1={C}"), B: page(text=words), C: page(text=words + " and a little more")}
    with crawl_of(tmp_path, web) as crawl:
        await crawl.run()
        assert crawl.tally.duplicates == 1
        assert crawl.tally.relevant == 1
        assert crawl.library.page(C).duplicate_of == B  # type: ignore[attr-defined]


@dataclass
class Flat:
    merge: str = "max"

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link=link, priority=0.0) for link in visit.page.links]


@dataclass
class Batches:
    batch: int = 2
    merge: str = "max"

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link=link, priority=float(link.anchor)) for link in visit.page.links]


async def test_a_batch_is_taken_before_ranking_goes_on(tmp_path: Path) -> None:
    # B's link to D (9) is better than C (1), but C was taken together with B.
    web = {A: page(f"2={B}", f"1={C}"), B: page(f"9={D}"), C: page(), D: page()}
    with crawl_of(tmp_path, web, strategy=Batches()) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, B, C, D]


async def test_a_batch_may_come_from_one_host_where_manners_allow(tmp_path: Path) -> None:
    web = {A: page(f"2={A}b", f"1={A}c"), f"{A}b": page(f"9={A}d"), f"{A}c": page(), f"{A}d": page()}
    for name, connections, order in (("many", 10, "bcd"), ("one", 1, "bdc")):
        settings = {"politeness": {"delay": 0.0, "connections": connections}}
        with crawl_of(tmp_path / name, web, settings, strategy=Batches()) as crawl:
            await crawl.run()
            assert visited(crawl) == [A, *(f"{A}{letter}" for letter in order)]


async def test_a_fetcher_that_raises_costs_a_page_and_not_the_crawl(tmp_path: Path) -> None:
    class Faulty(ScriptedFetcher):
        async def __call__(self, link: Link) -> Response | Failed:
            if link.url == B:
                raise RuntimeError("a bug")
            return await super().__call__(link)

    with crawl_of(tmp_path, Faulty({A: page(f"2={B}", f"1={C}"), C: page()})) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, C]
        assert "a bug" in crawl.library.url_row(B).reason  # type: ignore[attr-defined]


@dataclass
class SlowFetcher(ScriptedFetcher):
    """Answers when told to."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)  # for the gate

    async def __call__(self, link: Link) -> Response | Failed:
        outcome = await super().__call__(link)
        if link.url != A:
            self.waiting.set()
            await self.gate.wait()
        return outcome


class Gated(ScriptedFetcher):
    """B and C answer when told to."""

    def __init__(self, script: Script) -> None:
        super().__init__(script, parallel=2)
        self.gates = {B: asyncio.Event(), C: asyncio.Event()}

    async def __call__(self, link: Link) -> Response | Failed:
        outcome = await super().__call__(link)
        if link.url in self.gates:
            await self.gates[link.url].wait()
        return outcome


@pytest.mark.parametrize("budget", [Budget(pages=3), Budget(requests=3), Budget(minutes=1.0)])
async def test_the_last_answer_is_waited_for_in_peace(tmp_path: Path, budget: Budget) -> None:
    """A host is free and has a link, but the budget allows no more: there is nothing to look at until the answer."""
    looks, now = [], [1000.0]

    def clock() -> float:
        looks.append(1)
        return now[0]

    fetcher = Gated({A: page(f"3={B}", f"2={C}", f"1={D}"), B: page(), C: page(), D: page()})
    with crawl_of(tmp_path, fetcher, clock=clock) as crawl:
        running = asyncio.create_task(crawl.run(budget))
        while len(fetcher.asked) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0)
        if budget.minutes:
            now[0] += 100.0
        fetcher.gates[C].set()
        while crawl.tally.pages < 2:  # noqa: ASYNC110
            await asyncio.sleep(0)
        before = len(looks)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(looks) <= before + 10
        fetcher.gates[B].set()
        assert await running in ("pages", "requests", "minutes")
        assert visited(crawl) == [A, C, B]


@pytest.mark.parametrize("why", ["minutes", "stopped", "minutes after pages"])
async def test_what_does_not_end_is_given_up(tmp_path: Path, why: str) -> None:
    """However long a request may take by its timeouts, it has a moment left when time is up; nobody looks meanwhile."""
    looks, now = [], [1000.0]

    def clock() -> float:
        looks.append(1)
        return now[0]

    fetcher = Gated({A: page(f"3={B}", f"2={C}", f"1={D}"), B: page(), C: page(), D: page()})
    budget = Budget(minutes=1.0, pages=3 if "pages" in why else 0)
    with crawl_of(tmp_path, fetcher, clock=clock) as crawl:
        running = asyncio.create_task(crawl.run(budget))
        while len(fetcher.asked) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0)
        if why == "stopped":
            crawl.stop()
        else:
            now[0] += 60.0
        crawl._wake.set()
        for _ in range(100):
            await asyncio.sleep(0)
        assert not running.done()
        assert len(looks) < 100, "a loop that looks again and again"
        now[0] += GRACE
        crawl._wake.set()
        assert await running == (why if why == "stopped" else "minutes")
        assert visited(crawl) == [A]
        assert len(crawl.frontier) == 3, "they wait for the next crawl"


async def test_stop_finishes_what_is_in_flight(tmp_path: Path) -> None:
    fetcher = SlowFetcher({A: page(f"2={B}", f"1={C}"), B: page(), C: page()})
    with crawl_of(tmp_path, fetcher) as crawl:
        running = asyncio.create_task(crawl.run())
        await fetcher.waiting.wait()
        crawl.stop()
        fetcher.gate.set()
        assert await running == "stopped"
        assert visited(crawl) == [A, B]


@dataclass
class Refusing(ByAnchor):
    """Gives up what has no number."""

    def gives_up(self, waiting: Waiting) -> str | None:
        return "no number" if not waiting.priority else None


async def test_stop_is_heard_whoever_says_it(tmp_path: Path) -> None:
    """One who watches, too, while links are being taken; and nobody waits then until a host has rested."""
    settings = {"politeness": {"delay": 600.0, "robots": False}}
    steps: list[Step] = []
    with crawl_of(tmp_path, {A: page(B, f"1={A}x")}, settings, strategy=Refusing(), steps=steps) as crawl:
        crawl.observers = [lambda step: crawl.stop() if step.state == "refused" else None]
        assert await asyncio.wait_for(crawl.run(), PATIENCE) == "stopped"
        assert visited(crawl) == [A]


async def test_a_request_that_ends_itself_costs_a_page(tmp_path: Path) -> None:
    class Faint(ScriptedFetcher):
        async def __call__(self, link: Link) -> Response | Failed:
            if link.url == B:
                raise asyncio.CancelledError
            return await super().__call__(link)

    with crawl_of(tmp_path, Faint({A: page(f"2={B}", f"1={C}"), C: page()})) as crawl:
        assert await asyncio.wait_for(crawl.run(), PATIENCE) == "frontier empty"
        assert visited(crawl) == [A, C]
        assert crawl.library.url_row(B).state == "failed"  # type: ignore[attr-defined]


async def test_stop_now_gives_up_what_is_in_flight_and_asks_for_it_again_next_time(tmp_path: Path) -> None:
    fetcher = SlowFetcher({A: page(f"2={B}", f"1={C}"), B: page(), C: page()})
    with crawl_of(tmp_path, fetcher) as crawl:
        running = asyncio.create_task(crawl.run())
        await fetcher.waiting.wait()
        crawl.stop()
        crawl.stop(now=True)
        assert await running == "stopped"
        assert visited(crawl) == [A]
    with crawl_of(tmp_path, ScriptedFetcher(fetcher.script)) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, B, C]


async def test_seeds_come_first_and_their_depth_is_zero(tmp_path: Path) -> None:
    with crawl_of(tmp_path, {A: page(f"100={C}"), B: page(), C: page()}, seeds=(A, B)) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, B, C]
        row = crawl.library.url_row(A)  # type: ignore[attr-defined]
    assert (row.priority, row.depth, row.link.kind) == (SEED_PRIORITY, 0, "seed")


async def test_time_is_a_budget(tmp_path: Path) -> None:
    endless = {f"{A}{n}": page(f"1={A}{n + 1}") for n in range(5000)}
    ticks = count(0.0, 0.01)  # a hundredth of a second whenever somebody looks
    settings = {"crawl": {"pages": 0, "minutes": 0.05}}
    with crawl_of(tmp_path, endless, settings, seeds=(f"{A}0",), clock=lambda: next(ticks)) as crawl:
        assert await crawl.run() == "minutes"
        assert 0 < crawl.tally.pages < 5000


async def test_time_is_a_budget_even_while_a_host_rests(tmp_path: Path) -> None:
    settings = {"crawl": {"minutes": 0.005}, "politeness": {"delay": 600.0}}
    with crawl_of(tmp_path, {A: page(f"1={A}x")}, settings) as crawl:
        assert await asyncio.wait_for(crawl.run(), PATIENCE) == "minutes"


@dataclass
class Turncoat:
    """Finds out after the first page that it had it backwards."""

    merge: str = "max"

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link=link, priority=float(link.anchor)) for link in visit.page.links]

    def rescore(self, links: list[Link]) -> list[float]:
        return [-float(link.anchor or 0) for link in links]


async def test_an_online_strategy_re_ranks_what_waits(tmp_path: Path) -> None:
    web = {A: page(f"1={B}", f"2={C}", f"3={D}"), B: page(), C: page(), D: page()}
    with crawl_of(tmp_path, web, strategy=Turncoat()) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, B, C, D]


async def test_seeds_are_not_re_ranked(tmp_path: Path) -> None:
    """They were chosen by somebody, and come before whatever a strategy makes of links."""
    web = {A: page(f"-1={B}"), B: page(), C: page(), D: page()}
    with crawl_of(tmp_path, web, seeds=(A, C, D), strategy=Turncoat()) as crawl:
        await crawl.run()
        assert visited(crawl) == [A, C, D, B]


@dataclass
class Slow:
    """Parses for the crawl, a little later; with `breaks`, dies of the second page it is given."""

    breaks: bool = False
    room: int = 3
    large_only: bool = False
    given: list[str] = field(default_factory=list)

    def offer(self, response: Response, language: str, then: Callable[[Page], None]) -> bool:
        if self.room == 0:
            return False
        self.room -= 1
        self.given.append(response.url)
        asyncio.get_running_loop().call_later(0.01, self._back, response, language, then)
        return True

    def _back(self, response: Response, language: str, then: Callable[[Page], None]) -> None:
        self.room += 1
        broken = self.breaks and response.url == self.given[1]
        then(unread(response.url, "planted") if broken else parse(response, language))


async def test_a_crew_parses_while_there_is_other_work(tmp_path: Path) -> None:
    hosts = [f"http://h{n}.test/" for n in range(20)]
    web = {A: page(*(f"1={host}" for host in hosts)), **{host: page(text=f"hound {host}") for host in hosts}}
    steps: list[Step] = []
    with crawl_of(tmp_path, ScriptedFetcher(web, parallel=8), steps=steps) as crawl:
        parser_pool = Slow(breaks=True)
        crawl.parser_pool = parser_pool  # type: ignore[assignment]
        assert await crawl.run() == "frontier empty"
        assert set(visited(crawl)) == {A, *hosts} - {parser_pool.given[1]}
    assert len(parser_pool.given) >= 3
    assert A not in parser_pool.given, "a page alone is parsed here"
    broken = [step for step in steps if step.state == "failed"]
    assert [step.lease.link.url for step in broken] == [parser_pool.given[1]]
    assert broken[0].reason == "parser: planted"


async def test_a_large_page_is_parsed_by_the_crew_even_alone(tmp_path: Path) -> None:
    web = {A: page(f"1={B}", text="hound " * LARGE), B: page()}
    with crawl_of(tmp_path, web) as crawl:
        parser_pool = Slow()
        crawl.parser_pool = parser_pool  # type: ignore[assignment]
        await crawl.run()
        assert visited(crawl) == [A, B]
    assert parser_pool.given == [A]


async def test_budgets_are_kept_with_a_crew(tmp_path: Path) -> None:
    hosts = [f"http://h{n}.test/" for n in range(20)]
    web = {A: page(*(f"1={host}" for host in hosts)), **{host: page(text=host) for host in hosts}}
    fetcher = ScriptedFetcher(web, parallel=8)
    with crawl_of(tmp_path, fetcher, {"crawl": {"pages": 9}}) as crawl:
        crawl.parser_pool = Slow()  # type: ignore[assignment]
        assert await crawl.run() == "pages"
        assert len(visited(crawl)) == len(fetcher.asked) == 9


async def test_a_paused_crawl_asks_for_nothing_until_it_goes_on(tmp_path: Path) -> None:
    web = {A: page(f"1={B}", f"2={C}"), B: page(), C: page()}
    fetcher = ScriptedFetcher(web)
    with crawl_of(tmp_path, fetcher) as crawl:
        crawl.observers = [*crawl.observers, lambda step: crawl.pause()]
        running = asyncio.create_task(crawl.run())
        for _ in range(2000):
            await asyncio.sleep(0)
        assert (fetcher.asked, crawl.paused, running.done()) == ([A], True, False)
        crawl.observers = ()
        crawl.go_on()
        assert await asyncio.wait_for(running, PATIENCE) == "frontier empty"
        assert visited(crawl) == [A, C, B]


async def test_a_paused_crawl_can_be_stopped(tmp_path: Path) -> None:
    with crawl_of(tmp_path, {A: page()}) as crawl:
        crawl.pause()
        running = asyncio.create_task(crawl.run())
        await asyncio.sleep(0)
        crawl.stop()
        assert await asyncio.wait_for(running, PATIENCE) == "stopped"
        assert visited(crawl) == []


async def test_a_budget_can_be_changed_while_it_runs(tmp_path: Path) -> None:
    web = {A: page(f"1={B}", f"2={C}"), B: page(), C: page()}
    with crawl_of(tmp_path, web, {"crawl": {"pages": 1}}) as crawl:
        more = replace(crawl.config, crawl=replace(crawl.config.crawl, pages=2, threshold=0.9))
        crawl.observers = [*crawl.observers, lambda step: crawl.change_settings(more)]
        assert await crawl.run() == "pages"
        assert visited(crawl) == [A, C]
        assert crawl.digest.threshold == 0.9  # type: ignore[attr-defined]


async def test_a_seed_that_is_added_while_it_runs_goes_first(tmp_path: Path) -> None:
    web = {A: page(f"1={B}"), B: page(), C: page()}
    with crawl_of(tmp_path, web) as crawl:
        asked: list[Step] = []
        crawl.observers = [*crawl.observers, asked.append, lambda step: len(asked) == 1 and crawl.add_seeds_now([C])]
        await crawl.run()
        assert visited(crawl) == [A, C, B]


async def test_large_pages_of_a_batch_are_parsed_apart_and_keep_their_order(tmp_path: Path) -> None:
    large = "hound " * LARGE
    web = {A: page(f"3={B}", f"2={C}", f"1={D}"), B: page(text=large), C: page(), D: page(text=large)}
    steps: list[Step] = []
    with crawl_of(tmp_path, ScriptedFetcher(web, parallel=8), strategy=Batches(batch=3), steps=steps) as crawl:
        parser_pool = Slow()
        crawl.parser_pool = parser_pool  # type: ignore[assignment]
        await crawl.run()
        assert visited(crawl) == [A, B, C, D]
        assert sorted(parser_pool.given) == [B, D]


async def test_a_page_on_which_the_parser_fails_costs_that_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it raises: here, and where a sitemap or feed is read."""
    from scenthound.crawler import feeds_and_sitemaps

    def failing_list(*given: object) -> None:
        raise KeyError("nor this")

    break_parser(monkeypatch)
    monkeypatch.setattr(feeds_and_sitemaps, "parse_sitemap", failing_list)
    sitemap = f"{A}sitemap.xml"
    web = {A: page(f"2={B}", f"1={C}", text="hound"), B: page(text=WORD), C: page(), sitemap: "<urlset/>"}
    with crawl_of(tmp_path, web, {"crawl": {"sitemaps": True}}) as crawl:
        assert await crawl.run() == "frontier empty"
        assert visited(crawl) == [A, C]
        row = crawl.library.url_row(B)  # type: ignore[attr-defined]
        assert (row.state, row.reason) == ("failed", REASON)
        row = crawl.library.url_row(sitemap)  # type: ignore[attr-defined]
        assert (row.state, row.reason) == ("failed", "parser: KeyError: 'nor this'")
        assert crawl.tally.failed == 2


async def test_a_page_at_the_parser_holds_up_no_end(tmp_path: Path) -> None:
    class Stuck(Slow):
        def _back(self, *given: object) -> None:
            pass

    web = {A: page(text="hound " * LARGE)}
    with crawl_of(tmp_path, web) as crawl:
        crawl.parser_pool = Stuck()  # type: ignore[assignment]
        running = asyncio.create_task(crawl.run())
        while not crawl._at_parser:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        crawl.stop(now=True)
        assert await asyncio.wait_for(running, PATIENCE) == "stopped"
        assert not crawl.frontier.leased()
        assert crawl.library.url_row(A).state == "waiting"  # type: ignore[attr-defined]
