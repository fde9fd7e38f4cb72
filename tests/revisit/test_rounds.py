"""Rounds of looks: budgets, discovery, politeness, rounds without end, restarts."""

import asyncio
import signal
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from aiohttp.web import Request, Response

from scenthound.errors import LibraryBusy
from scenthound.library import open_library
from scenthound.revisit.rounds import RevisitOptions, RevisitRound, Revisits, budgeted, next_round
from tests.revisit.changing_web import ChangingWeb, Clock, collect, fetcher, html, prose, serving, settings
from tests.watchdog import PATIENCE

SCRIPT = Path(__file__).with_name("revisit_to_be_killed.py")


def filled(web: ChangingWeb, pages: int, host: str = "a.test") -> None:
    name = "" if host == "a.test" else host[0]
    web.put("/", html(prose(f"{name}start"), *(f"/{n}" for n in range(pages))), host)
    for n in range(pages):
        web.put(f"/{n}", html(prose(f"{name}page{n}")), host)


def revisits(web: ChangingWeb, folder: Path, clock: Clock, options: RevisitOptions, delay: float = 0.0) -> Revisits:
    config = settings(web, delay=delay)
    return Revisits(config, folder, options, make_fetcher=lambda: fetcher(config, clock), clock=clock)


@pytest.mark.parametrize("requests", [1, 5, 7, 30])
async def test_a_budget_is_kept_to_the_request(tmp_path: Path, requests: int) -> None:
    async with serving(ChangingWeb(tags=False)) as web:
        filled(web, 10)
        clock = Clock()
        await collect(settings(web), tmp_path, clock)
        clock.pass_days(2)
        for n in range(4):
            web.put(f"/{n}", html(prose(f"page{n}") + " More to read.", f"/new{n}"))
            web.put(f"/new{n}", html(prose(f"new{n}")))
        web.put("/5", (301, {"Location": "/6?there"}))
        web.log.clear()
        outcome = await revisits(web, tmp_path, clock, RevisitOptions(requests=requests, discover=0.2)).round()
        assert len(web.log) == outcome.requests <= requests
        if requests < 11:
            assert outcome.requests >= requests - int(0.2 * requests)
        else:
            assert outcome.looks == {"same": 6, "changed": 4, "moved": 1}
            assert outcome.found == 4, "the new links of changed pages were followed"


async def test_discovery_takes_its_share_and_no_more(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        filled(web, 40)
        clock, config = Clock(), settings(web)
        config.crawl.pages = 20
        await collect(config, tmp_path, clock)
        with open_library(tmp_path, write=False) as library:
            assert library.counts().waiting == 21
        clock.pass_days(2)
        outcome = await revisits(web, tmp_path, clock, RevisitOptions(requests=20, discover=0.25)).round()
        assert (sum(outcome.looks.values()), outcome.found, outcome.requests) == (15, 5, 20)
        clock.pass_days(2)
        outcome = await revisits(web, tmp_path, clock, RevisitOptions(requests=10, discover=0.0)).round()
        assert (sum(outcome.looks.values()), outcome.found) == (10, 0)


async def test_hosts_are_left_in_peace_across_rounds(tmp_path: Path) -> None:
    """The politeness proof, for looks: no two requests of a host closer than its delay, robots.txt included."""
    delay = 0.05
    async with serving(ChangingWeb(robots="User-agent: *\nDisallow: /private")) as web:
        hosts = [f"{name}.test" for name in "abcd"]
        for host in hosts:
            filled(web, 4, host)
        clock, config = Clock(), settings(web, delay=delay)
        config.crawl.seeds = [web.url("/", host) for host in hosts]
        await collect(config, tmp_path, clock)
        web.put("/1", (301, {"Location": "/2?moved"}), "a.test")
        web.put("/2", (503, {"Retry-After": "1"}), "b.test")
        web.put("/3", html("Error 404: page not found", title="404"), "c.test")
        for _ in range(2):
            clock.pass_days(0.25)
            await revisits(web, tmp_path, clock, RevisitOptions(requests=60), delay=delay).round()
    by_host = defaultdict(list)
    for asked in sorted(web.log, key=lambda asked: asked.start):
        by_host[asked.host].append(asked)
    assert len(by_host) == 4
    assert len(web.log) >= 3 * 20
    gaps = [later.start - earlier.end for asked in by_host.values() for earlier, later in pairwise(asked)]
    assert min(gaps) >= delay - 1e-4  # the server's clock is not ours


async def test_a_round_may_be_stopped(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        filled(web, 30)
        clock = Clock()
        await collect(settings(web), tmp_path, clock)
        clock.pass_days(1)
        rounds = revisits(web, tmp_path, clock, RevisitOptions(requests=100), delay=0.02)
        rounds.observers.append(lambda step: rounds.stop() if len(web.asked()) and rounds.due else None)
        outcome = await rounds.round()
        assert outcome.ending == "stopped"
        assert sum(outcome.looks.values()) < 30
        assert rounds.stopped()


async def test_a_time_limit(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        filled(web, 40)
        clock = Clock()
        await collect(settings(web), tmp_path, clock)
        clock.pass_days(1)
        answer = web._respond

        def slowly(host: str, request: Request) -> Response:
            clock.offset += 60.0
            return answer(host, request)

        web._respond = slowly  # type: ignore[method-assign]
        outcome = await revisits(web, tmp_path, clock, RevisitOptions(seconds=1200.0, discover=0.5)).round()
        assert outcome.ending == "minutes"
        assert 10 <= sum(outcome.looks.values()) <= 20 < outcome.due


class TestWithoutEnd:
    async def test_rounds_come_at_their_times(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            filled(web, 5)
            clock, slept, told = Clock(), [], []
            await collect(settings(web), tmp_path, clock)
            clock.pass_days(1)

            async def sleep(seconds: float) -> None:
                slept.append(seconds)
                clock.offset += seconds

            config = settings(web)
            rounds = Revisits(
                config,
                tmp_path,
                RevisitOptions(requests=3, every=6 * 3600.0, discover=0.0),
                make_fetcher=lambda: fetcher(config, clock),
                clock=clock,
                sleep=sleep,
            )

            def report(outcome: RevisitRound, again: float) -> None:
                told.append((sum(outcome.looks.values()), again - outcome.began))

            await rounds.keep_on(report, rounds=4)
            assert told == [(3, 6 * 3600.0)] * 4
            assert len(slept) == 3
            assert all(6 * 3600 - PATIENCE < seconds <= 6 * 3600 for seconds in slept)
            with open_library(tmp_path, write=False) as library:
                assert len(library.runs()) == 5

    async def test_a_restart_waits_for_the_next_round(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            filled(web, 5)
            clock = Clock()
            await collect(settings(web), tmp_path, clock)
            clock.pass_days(1)
            options = RevisitOptions(requests=3, every=3600.0, discover=0.0)
            await revisits(web, tmp_path, clock, options).round()
            clock.offset += 600
            with open_library(tmp_path, write=False) as library:
                when, requests = next_round(library, options, clock())
                assert requests == 3
                assert 3000 - PATIENCE < when - clock() <= 3000

    async def test_a_round_that_was_killed_goes_on_with_what_is_left(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            filled(web, 5)
            clock = Clock()
            await collect(settings(web), tmp_path, clock)
            clock.pass_days(1)
            options = RevisitOptions(requests=5, every=3600.0, discover=0.0)
            await revisits(web, tmp_path, clock, RevisitOptions(requests=2, discover=0.0)).round()
            with open_library(tmp_path) as library:
                library.start_run("{}")  # and no end
            with open_library(tmp_path, write=False) as library:
                when, requests = next_round(library, options, now := clock())
                assert (when, requests) == (now, 3)

    async def test_stopping_ends_the_wait(self, tmp_path: Path) -> None:
        async with serving(ChangingWeb()) as web:
            filled(web, 2)
            clock = Clock()
            await collect(settings(web), tmp_path, clock)
            clock.pass_days(1)
            rounds = revisits(web, tmp_path, clock, RevisitOptions(requests=2, every=3600.0))
            task = asyncio.create_task(rounds.keep_on(lambda outcome, again: None))
            while not web.not_modified:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            rounds.stop()
            await asyncio.wait_for(task, PATIENCE)

    def test_without_a_limit_each_page_is_seen_once_a_week(self, tmp_path: Path) -> None:
        from tests.library.collection import collect as store
        from tests.library.collection import numbered

        store(tmp_path, numbered(700))
        with open_library(tmp_path, write=False) as library:
            assert budgeted(RevisitOptions(every=86_400.0, discover=0.0), library).requests == 100
            assert budgeted(RevisitOptions(every=86_400.0, discover=0.5), library).requests == 200
            assert budgeted(RevisitOptions(requests=7, every=86_400.0), library).requests == 7


async def test_one_writer_at_a_time(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        filled(web, 2)
        clock = Clock()
        await collect(settings(web), tmp_path, clock)
        with open_library(tmp_path), pytest.raises(LibraryBusy):
            await revisits(web, tmp_path, clock, RevisitOptions(requests=2)).round()


async def test_killed_in_the_middle_nothing_is_lost(tmp_path: Path) -> None:
    """kill -9, several times: every look stored before stays, no page is damaged, and in the end all were looked at."""
    async with serving(ChangingWeb()) as web:
        filled(web, 30)
        clock = Clock()
        await collect(settings(web), tmp_path, clock)
        clock.pass_days(1)
        for n in range(0, 30, 2):
            web.put(f"/{n}", html(prose(f"page{n}") + " More to read."))
        before = 0
        for kill in range(2):
            web.log.clear()
            process = subprocess.Popen(  # noqa: ASYNC220
                [sys.executable, str(SCRIPT), str(tmp_path), str(web.port), str(clock.offset)], cwd=SCRIPT.parents[2]
            )
            while len(web.log) < 4 + kill and process.poll() is None:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            with open_library(tmp_path, write=False) as library:
                looks = list(library.looks())
                assert len(looks) >= before
                before = len(looks)
                assert library.counts().waiting == 0
                for page in library.pages():
                    assert len(library.body(page.url).body) == page.bytes  # type: ignore[union-attr]
                    assert library.text(page.url)
        clock.pass_days(1)
        outcome = await revisits(web, tmp_path, clock, RevisitOptions(requests=31, discover=0.0)).round()
        assert outcome.looks["changed"] + sum(look.outcome == "changed" for look in looks) == 15
        with open_library(tmp_path, write=False) as library:
            assert sorted({len(library.versions(page.url)) for page in library.pages()}) == [1, 2]
