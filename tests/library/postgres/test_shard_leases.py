"""Leases of shards: one owner each, a number that only grows, and a budget that goes where the value is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from math import inf
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from scenthound.config import LibrarySection
from scenthound.errors import LeaseLost, LibraryBusy, LibraryError
from scenthound.library import open_library, open_shards
from scenthound.library.library_address import read_address
from scenthound.library.shards import SHARDS, shard_of
from scenthound.protocols.shards import RANKS, Worth
from tests.library.steps import SEED, entry, fetched

postgres_driver = pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.library.postgres import shard_leases  # noqa: E402
from scenthound.library.postgres.shard_leases import PostgresLeases, priority_of  # noqa: E402

LONG, SHORT = 600.0, 0.05
NOTHING = Worth()
PLAIN = LibrarySection(warc=False)


@pytest.fixture
def folder(tmp_path: Path, postgres: str) -> Path:
    open_library(tmp_path, create=True, settings=LibrarySection(address=postgres, warc=False)).close()
    return tmp_path


@pytest.fixture
def worker(folder: Path, postgres: str) -> Iterator[object]:
    opened: list[PostgresLeases] = []

    def make(name: str, seconds: float = LONG) -> PostgresLeases:
        opened.append(PostgresLeases(read_address(postgres), name, seconds))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def test_a_lone_worker_has_all_shards_and_a_second_one_gets_half(worker) -> None:  # type: ignore[no-untyped-def]
    first, second = worker("one"), worker("two")
    assert set(first.report(NOTHING, False).shards) == set(range(SHARDS))
    assert not second.report(NOTHING, False).shards, "nobody takes what another one has"
    standing = first.report(NOTHING, False)
    assert len(standing.surplus) == SHARDS // 2
    first.give_back(standing.surplus)
    taken = second.report(NOTHING, False).shards
    assert set(taken) == set(standing.surplus), "only what has to move moves"
    assert not first.report(NOTHING, False).surplus
    assert set(first.report(NOTHING, False).shards) | set(taken) == set(range(SHARDS))


def test_who_does_not_report_loses_its_shards_and_numbers_grow(worker) -> None:  # type: ignore[no-untyped-def]
    lost, heir = worker("one", SHORT), worker("two")
    before = lost.report(NOTHING, False).shards
    taken: dict[int, int] = {}
    while len(taken) < SHARDS:  # as soon as the leases are over
        taken = dict(heir.report(NOTHING, False).shards)
    assert all(taken[shard] > fence for shard, fence in before.items())


def moved(before: dict[str, set[int]], after: dict[str, set[int]], lost: str) -> set[int]:
    """Shards of others than the lost worker that are not whose they were."""
    return {shard for name, theirs in before.items() if name != lost for shard in theirs - after[name]}


def settled(workers: dict[str, PostgresLeases]) -> dict[str, set[int]]:
    """Who has what once everybody has reported often enough to even it out."""
    for _ in range(4):
        for each in workers.values():
            if surplus := each.report(NOTHING, False).surplus:
                each.give_back(surplus)
    return {name: set(each.report(NOTHING, False).shards) for name, each in workers.items()}


def test_only_the_shards_of_a_worker_that_leaves_and_comes_back_move(worker) -> None:  # type: ignore[no-untyped-def]
    workers = {name: worker(name) for name in ("one", "two", "three")}
    before = settled(workers)
    assert sorted(map(len, before.values())) == [84, 86, 86]
    for lost in ("three", "one", "two", "one"):
        gone = workers.pop(lost)
        gone.leave()
        assert not moved(before, settled(workers), lost)
        after = settled({**workers, lost: gone})
        assert sorted(map(len, after.values())) == [84, 86, 86]
        assert len(moved(before, after, lost)) <= 2, "those who stay may differ by what the last one has less"
        workers[lost], before = gone, after


def test_what_was_given_back_for_one_that_is_lost_goes_where_it_was(worker) -> None:  # type: ignore[no-untyped-def]
    one, two, late = worker("one"), worker("two"), worker("late")
    before = settled({"one": one, "two": two})
    late.report(NOTHING, False)
    for each in (one, two):
        each.give_back(each.report(NOTHING, False).surplus)
    late.leave()
    assert settled({"two": two, "one": one}) == before


def test_a_worker_that_is_silent_has_no_claim_to_what_others_have(worker) -> None:  # type: ignore[no-untyped-def]
    one, silent, heir = worker("one"), worker("silent"), worker("heir")
    assert {len(each) for each in settled({"one": one, "silent": silent}).values()} == {SHARDS // 2}
    half = "UPDATE workers SET until = clock_timestamp() + make_interval(secs => lease / 2) WHERE worker = 'silent'"
    silent._connection.execute(half)  # its last report is so long ago
    assert not heir.report(NOTHING, False).shards, "it waits for what the silent one had"
    assert not one.report(NOTHING, False).surplus


def test_a_write_under_an_old_number_is_refused_by_the_database(folder: Path, worker) -> None:  # type: ignore[no-untyped-def]
    old, new = worker("one", SHORT), worker("two")
    library = open_shards(folder, old.report(NOTHING, False).shards, PLAIN)
    library.record(fetched(entry(SEED)))
    library.flush()
    while len(new.report(NOTHING, False).shards) < SHARDS:
        pass
    library.record(fetched(entry("http://late.example/")))
    with pytest.raises(LeaseLost, match="another worker has taken them"):
        library.flush()
    with pytest.raises(LeaseLost):
        library.close()
    with open_library(folder, write=False) as reader:
        assert [page.url for page in reader.pages()] == [SEED]


def test_whoever_takes_over_waits_for_a_write_that_has_begun(folder: Path, postgres: str, worker) -> None:  # type: ignore[no-untyped-def]
    from scenthound.library.postgres.connection import PostgresConnection

    old, new = worker("one", SHORT), worker("two")
    fences = " ".join(f"{shard}:{fence}" for shard, fence in old.report(NOTHING, False).shards.items())
    with closing(PostgresConnection(read_address(postgres))) as writing:
        writing.execute("SELECT set_config('scenthound.fences', ?, false)", (fences,))
        writing.begin()
        writing.execute("UPDATE hosts SET pages = pages")
        done = threading.Event()

        def take_over() -> None:
            while len(new.report(NOTHING, False).shards) < SHARDS:
                pass
            done.set()

        thread = threading.Thread(target=take_over)
        thread.start()
        assert not done.wait(0.3)
        writing.commit()
        assert done.wait(30)
        thread.join()


def test_links_are_handed_to_the_owner_in_the_same_transaction(folder: Path, worker) -> None:  # type: ignore[no-untyped-def]
    one = worker("one")
    shards = one.report(NOTHING, False).shards
    near, far = "http://near.example/", "http://far.example/"
    assert shard_of("near.example") != shard_of("far.example")
    mine = {shard: fence for shard, fence in shards.items() if shard != shard_of("far.example")}
    theirs = {shard_of("far.example"): shards[shard_of("far.example")]}
    with open_shards(folder, mine, PLAIN) as library, open_shards(folder, theirs, PLAIN) as other:
        library.record(fetched(entry(near), found=(entry(far, 0.7, 3, near), entry(f"{near}x", 0.6, 4, near))))
        library.flush()
        assert [row.link.url for row in other.handed()] == [far]
        assert other.handed() == []
        assert [queue.host for queue in other.queues()] == ["far.example"]
        assert [queue.host for queue in library.queues()] == ["near.example"]
        assert len(list(library.known())) == 2
        assert len(list(other.known())) == 1


def test_many_write_at_once_and_numbers_stay_in_order(folder: Path, worker) -> None:  # type: ignore[no-untyped-def]
    shards = worker("one").report(NOTHING, False).shards
    halves = [{s: f for s, f in shards.items() if s % 2 == half} for half in (0, 1)]
    libraries = [open_shards(folder, half, PLAIN) for half in halves]

    def work(nth: int) -> None:
        for n in range(30):
            libraries[nth].record(fetched(entry(f"http://w{nth}.example/{n}"), float(n)))
            if n % 7 == 0:
                libraries[nth].flush()

    threads = [threading.Thread(target=work, args=(nth,)) for nth in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for library in libraries:
        library.close()
    with open_library(folder, write=False) as reader:
        assert [page.seq for page in reader.pages()] == list(range(1, 61))
        assert reader.counts().fetched == 60


def told(*priorities: float) -> list[float]:
    best = sorted(priorities, reverse=True)
    return [best[rank - 1] for rank in RANKS if rank <= len(best)]


def far(*priorities: float) -> Worth:
    """All of them can be asked now, on hosts far from the start."""
    return Worth(told(*priorities), priorities[:64], priorities[:64])


def resting(*priorities: float) -> Worth:
    """They can be asked soon."""
    return Worth(told(*priorities))


def near(count: int) -> Worth:
    return Worth([0.5] * min(count, 15), [0.5] * count, near=[0.5] * count)


@pytest.mark.parametrize("workers", [1, 3])
def test_what_a_rank_is_worth_is_known_nearly(workers: int) -> None:
    random = Random(workers)
    waiting = [[random.random() for _ in range(random.randrange(600, 900))] for _ in range(workers)]
    best = sorted((priority for each in waiting for priority in each), reverse=True)
    for rank in (1, 2, 8, 15):
        assert priority_of([told(*each) for each in waiting], rank) == best[rank - 1]
    for rank in (40, 100, 400):
        found = priority_of([told(*each) for each in waiting], rank)
        assert best[rank - 1] >= found >= best[int(rank * 1.4)], "rather more links pass than fewer"
    assert priority_of([told(*each) for each in waiting], 5000) == -inf


def test_the_budget_goes_where_the_value_is(worker) -> None:  # type: ignore[no-untyped-def]
    """640 pages are left: the best 64 links are good enough."""
    rich, poor = worker("rich"), worker("poor")
    rich.report(resting(*[0.9] * 64), False)
    allotment = poor.allot(far(*[0.1] * 64), 640, 16, thrift=0.1)
    assert (allotment.requests, allotment.least, allotment.rank) == (0, 0.9, 64), "all of the best are another's"
    assert rich.allot(far(*[0.9] * 64), 640, 16, thrift=0.1).requests == 32, "twice what it asks at once"
    rich.report(resting(*[0.9] * 60), False)
    allotment = poor.allot(far(*[0.5] * 3, *[0.1] * 64), 640, 16, thrift=0.1)
    assert allotment.requests == 32, "no more than 63 are better"
    assert allotment.least == 0.1


def test_the_fewer_pages_are_left_the_better_a_link_must_be(worker) -> None:  # type: ignore[no-untyped-def]
    """But as many are good enough as are allotted at a time, before any of them is answered."""
    one, two = worker("one"), worker("two")
    two.report(resting(0.9, 0.8, 0.7), False)
    mine = far(0.6, 0.5, 0.4)
    asked = {pages: one.allot(mine, pages, 1, thrift=0.1) for pages in (1, 40, 50, 60, 70)}
    assert {pages: each.rank for pages, each in asked.items()} == {1: 4, 40: 4, 50: 5, 60: 6, 70: 7}
    assert [each.least for each in asked.values()] == [0.6, 0.6, 0.5, 0.4, -inf]


def test_of_links_at_hand_as_many_are_good_enough_as_all_ask_at_once(worker) -> None:  # type: ignore[no-untyped-def]
    one, two = worker("one"), worker("two")
    two.report(far(0.8, 0.3), False)
    allotment = one.allot(far(0.9, 0.7, 0.6), 1000, 1, thrift=0.1)
    assert allotment.requests == 1
    assert allotment.least == -inf, "it takes the best it has by then"
    assert two.allot(far(0.8, 0.3), 1000, 1, thrift=0.1).requests == 1


def test_the_best_links_of_a_large_crawl_may_all_be_with_one(worker) -> None:  # type: ignore[no-untyped-def]
    rich, poor = worker("rich"), worker("poor")
    rich.report(resting(*[0.9] * 5000), False)
    assert poor.allot(far(*[0.1] * 64), 1_000_000, 16, thrift=0.1).requests == 0, "of most of them it did not tell"


def test_hosts_near_the_start_are_asked_whatever_their_links_are_worth(worker) -> None:  # type: ignore[no-untyped-def]
    rich, poor = worker("rich"), worker("poor")
    rich.report(far(*[0.9] * 64), False)
    mixed = Worth(told(0.1, 0.1, 0.1), [0.1, 0.1, 0.1], far=[0.1], near=[0.1, 0.1], paced=True)
    assert poor.allot(mixed, 640, 16, thrift=0.1).requests == 2


def without_delay(*priorities: float) -> Worth:
    """All of them can be asked now, on hosts near the start that keep no delay."""
    return Worth(told(*priorities), priorities, near=priorities)


def test_one_host_near_the_start_is_not_asked_as_often_as_many_together(worker) -> None:  # type: ignore[no-untyped-def]
    """Two workers with a request each: four links at hand are twice what they ask at once."""
    many, one = worker("many"), worker("one")
    alone = without_delay(*[0.1] * 9)
    many.report(without_delay(*[0.9] * 4), False)
    assert one.allot(alone, 640, 1, thrift=0.1).requests == 0
    assert one.allot(replace(alone, paced=True), 640, 1, thrift=0.1).requests == 2, "its delay says how often"
    many.report(without_delay(*[0.9] * 3), False)
    assert one.allot(alone, 640, 1, thrift=0.1).requests == 2, "twice what it asks at once"
    many.report(without_delay(*[0.9] * 4), False)
    assert one.allot(without_delay(0.9, 0.1), 640, 1, thrift=0.1).requests == 1, "what is as good as the last passes"


@pytest.mark.parametrize(("most", "thrift"), [(0, 0.1), (640, 0.0)])
def test_where_pages_are_not_what_is_short_everybody_works(worker, most: int, thrift: float) -> None:  # type: ignore[no-untyped-def]
    rich, poor = worker("rich"), worker("poor")
    rich.report(far(*[0.9] * 512), False)
    assert poor.allot(far(*[0.1] * 64), most, 16, thrift=thrift).requests == 32
    assert poor.allot(without_delay(*[0.1] * 64), most, 1, thrift=thrift).requests == 2


def test_what_waits_for_its_host_counts_where_any_link_is_good_enough(worker) -> None:  # type: ignore[no-untyped-def]
    rich, poor = worker("rich"), worker("poor")
    rich.report(far(0.9), False)
    later = Worth(at_hand=[-inf], far=[-inf])
    assert poor.allot(later, 100, 1, thrift=0.1).requests == 1
    rich.report(resting(*[0.9] * 10), False)
    assert poor.allot(later, 100, 1, thrift=0.1).requests == 0


def test_no_more_pages_are_allotted_than_are_wanted(worker) -> None:  # type: ignore[no-untyped-def]
    one, two = worker("one"), worker("two")
    two.report(NOTHING, False)
    assert one.allot(near(64), 10, 16).requests == 10
    assert two.allot(near(64), 10, 16).requests == 0, "they are promised"
    two.report(NOTHING, False)
    assert one.allot(near(2), 10, 16).requests == 2
    assert two.allot(near(64), 10, 16).requests == 8


def test_pages_allotted_ahead_are_promised_as_well(worker) -> None:  # type: ignore[no-untyped-def]
    one, two = worker("one"), worker("two")
    two.report(NOTHING, False)
    assert one.allot(near(4), 10, 16).requests == 4
    assert one.allot(near(3), 10, 16, holding=4).requests == 3
    assert two.allot(near(64), 10, 16).requests == 3
    assert one.allot(near(64), 10, 16, holding=7).requests == 0
    two.report(NOTHING, True)
    assert one.allot(near(64), 10, 16, holding=2).requests == 8, "what it does not hold is stored, or not wanted"


def test_who_runs_dry_gives_its_pages_back(worker) -> None:  # type: ignore[no-untyped-def]
    one, two = worker("one"), worker("two")
    two.report(NOTHING, False)
    assert one.allot(near(64), 10, 16).requests == 10
    assert two.allot(near(64), 10, 16).requests == 0
    one.report(NOTHING, True)
    assert two.allot(near(64), 10, 16).requests == 10


def test_it_is_over_when_nobody_has_anything_to_do(folder: Path, worker) -> None:  # type: ignore[no-untyped-def]
    one, two = worker("one"), worker("two")
    one.report(NOTHING, False)
    two.report(NOTHING, False)
    one.give_back(one.report(NOTHING, False).surplus)
    assert not two.report(NOTHING, True).ending, "another one works"
    assert one.report(NOTHING, True).ending == "frontier empty"
    assert two.report(NOTHING, True).ending == "frontier empty"
    one.begin()
    assert not one.ending()


def test_it_is_not_over_while_a_link_is_on_its_way(folder: Path, worker) -> None:  # type: ignore[no-untyped-def]
    one = worker("one")
    shards = one.report(NOTHING, False).shards
    mine = {shard: fence for shard, fence in shards.items() if shard != shard_of("far.example")}
    with open_shards(folder, mine, PLAIN) as library:
        library.record(fetched(entry(SEED), found=(entry("http://far.example/", 0.5, 1, SEED),)))
    assert not one.report(NOTHING, True).ending
    rest = {shard_of("far.example"): shards[shard_of("far.example")]}
    with open_shards(folder, rest, PLAIN) as other:
        assert other.handed()
    assert one.report(NOTHING, True).ending == "frontier empty"


def test_leases_can_be_renewed_until_they_are_lost(worker) -> None:  # type: ignore[no-untyped-def]
    one, two = worker("one", SHORT), worker("two")
    held = one.report(NOTHING, False).shards
    one.seconds = LONG
    while not one.renew(held):  # it may have been too late already
        held = one.report(NOTHING, False).shards
    assert not two.report(NOTHING, False).shards
    one.give_back({0})
    assert two.report(NOTHING, False).shards.keys() == {0}
    assert not one.renew(held), "one of them is another's"
    assert one.renew(held.keys() - {0})


def test_a_thread_may_renew_while_another_reports(worker) -> None:  # type: ignore[no-untyped-def]
    one = worker("one")
    held, over, kept = one.report(NOTHING, False).shards, threading.Event(), []

    def renew() -> None:
        while not over.is_set():
            kept.append(one.renew(held))

    thread = threading.Thread(target=renew)
    thread.start()
    for _ in range(40):
        assert one.report(Worth(at_hand=[0.5]), False).shards == held
        one.allot(near(1), 10, 4)
    over.set()
    thread.join()
    assert kept
    assert all(kept)


def test_a_new_driver_takes_no_lease_before_its_time(worker) -> None:  # type: ignore[no-untyped-def]
    """Whoever holds it may be asking a host just now."""
    one, heir, driver = worker("one"), worker("two"), worker("driver")
    held = one.report(NOTHING, False).shards
    driver.begin()
    assert not heir.report(NOTHING, False).shards
    assert one.report(NOTHING, False).shards == held


def test_one_driver_at_a_time(folder: Path, worker) -> None:  # type: ignore[no-untyped-def]
    first, second = worker("driver-1", SHORT), worker("driver-2", SHORT)
    first.lead()
    with pytest.raises(LibraryBusy, match=r"Another crawl with workers .* runs on"):
        second.lead()
    first.close()
    second.seconds = LONG
    second.lead()


def test_workers_that_were_left_behind_are_ended_and_can_write_no_more(folder: Path, worker) -> None:  # type: ignore[no-untyped-def]
    lost, driver = worker("one", 0.5), worker("driver")
    library = open_shards(folder, lost.report(NOTHING, False).shards, PLAIN)
    library.record(fetched(entry(SEED)))
    library.flush()
    with pytest.raises(LibraryBusy):
        open_library(folder).close()
    driver.end_all()
    assert lost.report(NOTHING, False).ending == "stopped"
    open_library(folder).close()
    library.record(fetched(entry("http://late.example/")))
    with pytest.raises(LibraryError):
        library.close()
    with open_library(folder, write=False) as reader:
        assert [page.url for page in reader.pages()] == [SEED]


def test_who_is_stopped_within_a_report_holds_up_nobody(worker, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(shard_leases, "MOST_IDLE", 0.1)
    one, two = worker("one"), worker("two")
    with pytest.raises(LibraryError), one._alone():  # noqa: PT012
        assert two.report(NOTHING, False).shards, "the server has ended the other's transaction"
        one._connection.execute("SELECT 1")
    assert not one.report(NOTHING, False).ending, "it connects again"


def test_nobody_waits_for_a_write_of_another_worker(folder: Path, postgres: str, worker) -> None:  # type: ignore[no-untyped-def]
    """Neither who makes a lease longer that is being written under, nor who looks for free shards."""
    from scenthound.library.postgres.connection import PostgresConnection

    one, two = worker("one"), worker("two")
    held = one.report(NOTHING, False).shards
    fences = " ".join(f"{shard}:{fence}" for shard, fence in held.items())
    with closing(PostgresConnection(read_address(postgres))) as writing:
        writing.execute("SELECT set_config('scenthound.fences', ?, false)", (fences,))
        writing.begin()
        writing.execute("UPDATE hosts SET pages = pages")
        one._connection.execute("SET lock_timeout = 5000")
        two._connection.execute("SET lock_timeout = 5000")
        assert one.renew(held)
        assert one.report(NOTHING, False).shards == held
        one.give_back(held)
        assert not two.report(NOTHING, False).shards, "they are written to"
        writing.commit()
        assert two.report(NOTHING, False).shards
