"""A clock that is set, forward or back, changes what is stored and nothing else."""

import asyncio
import time
from pathlib import Path

import pytest

from scenthound.crawler.steady_clock import SteadyClock, pacing_for
from scenthound.model import Failed, Link, Response, Step
from tests.small_web import Script, ScriptedFetcher, crawl_of, page
from tests.watchdog import PATIENCE

A = "http://a.test/"
HOUR = 3600.0


class Times:
    """A wall clock that can be set, and a clock that only goes on."""

    def __init__(self) -> None:
        self.wall_ = 1_000_000.0
        self.ticks_ = 50.0

    def wall(self) -> float:
        return self.wall_

    def ticks(self) -> float:
        return self.ticks_

    def pass_by(self, seconds: float) -> None:
        self.wall_ += seconds
        self.ticks_ += seconds


def test_it_begins_with_the_time_of_the_day_and_is_not_set() -> None:
    times = Times()
    steady = SteadyClock(times.wall, times.ticks)
    assert steady() == 1_000_000.0
    times.pass_by(5.0)
    times.wall_ -= HOUR
    assert steady() == 1_000_005.0
    times.wall_ += 5 * HOUR
    times.pass_by(1.0)
    assert steady() == 1_000_006.0


def test_a_clock_that_is_handed_in_keeps_both() -> None:
    times = Times()
    assert pacing_for(times.wall) == times.wall
    assert isinstance(pacing_for(time.time), SteadyClock)


class SetsTheClock(ScriptedFetcher):
    """Sets the wall clock once the first page has come."""

    def __init__(self, script: Script, times: Times, by: float) -> None:
        super().__init__(script)
        self.times, self.by = times, by

    async def __call__(self, link: Link) -> Response | Failed:
        if len(self.asked) == 1:
            self.times.wall_ += self.by
        return await super().__call__(link)


@pytest.mark.parametrize("by", [-HOUR, HOUR])
async def test_a_clock_that_is_set_neither_freezes_a_crawl_nor_ends_it(tmp_path: Path, by: float) -> None:
    times, steps = Times(), list[Step]()
    fetcher = SetsTheClock({A: page("3=/lost", "2=/x", "1=/y"), f"{A}x": page(), f"{A}y": page()}, times, by)
    settings = {"politeness": {"delay": 0.01, "robots": False}, "crawl": {"minutes": 10.0}}
    pacing = SteadyClock(times.wall)
    with crawl_of(tmp_path, fetcher, settings, clock=times.wall, pacing=pacing, steps=steps) as crawl:
        async with asyncio.timeout(PATIENCE):
            assert await crawl.run() == "frontier empty"
    assert fetcher.asked == [A, f"{A}lost", f"{A}x", f"{A}y"]
    assert [step.at for step in steps if step.state == "failed"] == [1_000_000.0 + by]
