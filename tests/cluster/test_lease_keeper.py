"""Leases last while a worker is busy, and nobody is asked once they may be over."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Iterator

import pytest

from scenthound.cluster import lease_keeper
from scenthound.cluster.lease_keeper import SAFETY, LeasedFetcher, LeaseKeeper
from scenthound.errors import LibraryError
from scenthound.model import Failed, Link, Response
from tests.watchdog import PATIENCE

LINK = Link(url="http://a.example/")
SECONDS = 10.0


class Leases:
    """Leases of a database that answers as it is told to."""

    seconds = SECONDS

    def __init__(self) -> None:
        self.kept: bool | LibraryError = True
        self.renewed = threading.Event()

    def renew(self, shards: Collection[int]) -> bool:
        self.renewed.set()
        if isinstance(self.kept, LibraryError):
            raise self.kept
        return self.kept


class Fetching:
    parallel = 4
    recorded = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, link: Link) -> Response | Failed:
        self.asked.append(link.url)
        return Failed(link.url, "protocol", "", at=0.0)

    async def close(self) -> None: ...


class Time:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def leases() -> Leases:
    return Leases()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def keeper(leases: Leases, time: Time, monkeypatch: pytest.MonkeyPatch) -> Iterator[LeaseKeeper]:
    monkeypatch.setattr(lease_keeper, "BEAT", 0.01)
    made = LeaseKeeper(leases, time)  # type: ignore[arg-type]
    yield made
    made.stop()


def renewals(leases: Leases, times: int = 2) -> None:
    for _ in range(times):  # the second one begins when what the first one said has been taken in
        leases.renewed.clear()
        assert leases.renewed.wait(PATIENCE)


def test_it_counts_from_before_the_report_and_ends_early(keeper: LeaseKeeper, time: Time) -> None:
    assert not keeper.holds()
    keeper.reported({1, 2}, 100.0)
    time.now = 100.0 + SECONDS * (1 - SAFETY) - 0.01
    assert keeper.holds()
    time.now += 0.02
    assert not keeper.holds()


def test_a_busy_worker_keeps_its_leases(keeper: LeaseKeeper, leases: Leases, time: Time) -> None:
    keeper.start()
    keeper.reported({1}, 100.0)
    for time.now in (105.0, 110.0, 115.0, 116.0):  # the last one begins when the one before was taken in
        renewals(leases, 1)
    assert keeper.holds()


@pytest.mark.parametrize("kept", [False, LibraryError("PostgreSQL does not answer")])
def test_what_is_lost_or_cannot_be_renewed_runs_out(
    keeper: LeaseKeeper, leases: Leases, time: Time, kept: bool | LibraryError
) -> None:
    leases.kept = kept
    keeper.start()
    keeper.reported({1}, 100.0)
    time.now = 106.0
    renewals(leases)
    assert keeper.holds()
    time.now = 108.0
    renewals(leases)
    assert not keeper.holds()


def test_what_was_lost_is_over_at_once(keeper: LeaseKeeper) -> None:
    keeper.reported({1}, 100.0)
    keeper.lost()
    assert not keeper.holds()


async def test_nobody_is_asked_once_they_may_be_over(keeper: LeaseKeeper, time: Time) -> None:
    inside = Fetching()
    fetcher = LeasedFetcher(inside, keeper.holds)
    keeper.reported({1}, 100.0)
    await fetcher(LINK)
    assert inside.asked == [LINK.url]
    time.now = 200.0
    late = asyncio.create_task(fetcher(LINK))
    await keeper.over()
    await asyncio.sleep(0)
    assert not late.done()
    assert inside.asked == [LINK.url]
    late.cancel()


def test_the_fetcher_inside_looks_again_before_it_sends(keeper: LeaseKeeper, time: Time) -> None:
    class LooksAgain(Fetching):
        def ask_only_while(self, may: Callable[[], bool]) -> None:
            self.may = may

    inside = LooksAgain()
    LeasedFetcher(inside, keeper.holds)
    keeper.reported({1}, 100.0)
    assert inside.may()
    time.now = 200.0
    assert not inside.may()


def test_the_fetcher_is_otherwise_what_it_was() -> None:
    inside = Fetching()
    fetcher = LeasedFetcher(inside, lambda: True)
    fetcher.parallel = 9
    assert inside.parallel == fetcher.parallel == 9
    assert fetcher.recorded
