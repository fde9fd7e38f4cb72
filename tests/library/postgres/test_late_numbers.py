"""Batches get their numbers last: whoever lays one out holds up nobody, and what others stored meanwhile is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import LibrarySection
from scenthound.library import open_library, open_shards
from scenthound.library.library_address import read_address
from scenthound.library.shards import shard_of
from scenthound.library.sql.bulk_insert import LEAST_COPIED
from scenthound.model import Step
from scenthound.protocols.shards import SharedLibrary, Worth
from scenthound.urls import host
from tests.library.steps import SEED, entry, fetched, refusal

pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.library.postgres.connection import PostgresConnection
from scenthound.library.postgres.late_numbers import LateBatch
from scenthound.library.postgres.shard_leases import PostgresLeases

OTHER = "http://b.example/"
SAME = b"<p>the same on both</p>"


@pytest.fixture
def folder(tmp_path: Path, postgres: str) -> Path:
    open_library(tmp_path, create=True, settings=LibrarySection(address=postgres)).close()
    return tmp_path


@pytest.fixture
def libraries(folder: Path, postgres: str) -> Iterator[tuple[SharedLibrary, SharedLibrary]]:
    """Of two workers: the first has the shard of `SEED`, the second all others."""
    with closing(PostgresLeases(read_address(postgres), "one", 600.0)) as leases:
        fences = leases.report(Worth(), False).shards
        first = shard_of(host(SEED))
        rest = {shard: fence for shard, fence in fences.items() if shard != first}
        settings = LibrarySection()
        with (
            open_shards(folder, {first: fences[first]}, settings) as one,
            open_shards(folder, rest, settings) as two,
        ):
            yield one, two


def before(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, then: Callable[[], None]) -> None:
    """The first time it is called, something else happens before it."""
    method, waiting = getattr(owner, name), [then]

    def called(*given: Any) -> Any:
        if waiting:
            waiting.pop()()
        return method(*given)

    monkeypatch.setattr(owner, name, called)


def stored_by(library: SharedLibrary, *steps: Step) -> Callable[[], None]:
    def store() -> None:
        for step in steps:
            library.record(step)
        library.flush()

    return store


@pytest.mark.parametrize(("owner", "name"), [(LateBatch, "stage"), (PostgresConnection, "commit")])
def test_another_stores_while_one_lays_out(
    libraries: tuple[SharedLibrary, SharedLibrary], monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> None:
    one, two = libraries
    before(monkeypatch, owner, name, stored_by(two, fetched(entry(OTHER), text="quicker")))
    stored_by(one, fetched(entry(SEED), text="slower"))()
    assert [(page.seq, page.url) for page in one.pages()] == [(1, OTHER), (2, SEED)]
    assert [one.text(url) for url in (OTHER, SEED)] == ["quicker", "slower"]
    assert all(one.body(url) for url in (OTHER, SEED))


@pytest.mark.parametrize(("owner", "name"), [(LateBatch, "stage"), (PostgresConnection, "commit")])
def test_a_body_that_another_has_just_stored_is_kept_once(
    libraries: tuple[SharedLibrary, SharedLibrary],
    postgres: str,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
) -> None:
    one, two = libraries
    before(monkeypatch, owner, name, stored_by(two, fetched(entry(OTHER), body=SAME)))
    own = "http://a.example/own"
    stored_by(one, fetched(entry(SEED), body=SAME), fetched(entry(own), body=b"<p>its own</p>"))()
    answers = {url: one.body(url) for url in (OTHER, SEED, own)}
    assert {url: answer.body for url, answer in answers.items() if answer} == {
        OTHER: SAME, SEED: SAME, own: b"<p>its own</p>",
    }  # fmt: skip
    with closing(PostgresConnection(read_address(postgres))) as connection:
        assert connection.execute("SELECT id FROM contents ORDER BY id").fetchall() == [(1,), (2,)]
        counters = dict(connection.execute("SELECT name, value FROM counters").fetchall())
        assert (counters["page"], counters["version"], counters["content"]) == (4, 4, 3)
        pages = dict(connection.execute("SELECT seq, content FROM pages").fetchall())
        assert pages == {1: 1, 2: 1, 3: 2}
        assert connection.execute("SELECT count(*) FROM versions WHERE content IS NULL").fetchone() == (0,)


def test_links_go_ahead_and_pages_follow(libraries: tuple[SharedLibrary, SharedLibrary]) -> None:
    """So many that they are sent ahead, with refusals and failures beside them, in one batch."""
    one, _ = libraries
    found = tuple(entry(f"http://a.example/{n}", n / 1000, n + 1) for n in range(2 * LEAST_COPIED))
    shunned = tuple(refusal(f"http://a.example/no/{n}", "scope") for n in range(LEAST_COPIED))
    page = fetched(entry(SEED), found=found, refused=shunned, links=tuple(row.link.url for row in found))
    gone = Step(lease=entry("http://a.example/gone"), state="failed", at=2.0, reason="gone")
    stored_by(one, page, gone)()
    assert [row.order for row in one.waiting("a.example", 2)] == [2 * LEAST_COPIED, 2 * LEAST_COPIED - 1]
    counts = one.counts()
    assert (counts.fetched, counts.waiting, counts.failed) == (1, 2 * LEAST_COPIED, {"gone": 1})
    assert counts.refused == {"scope": LEAST_COPIED}


def test_a_page_that_comes_twice_in_a_batch_keeps_its_order(libraries: tuple[SharedLibrary, SharedLibrary]) -> None:
    one, _ = libraries
    link = entry("http://a.example/later", 0.25, 1)
    first = fetched(entry(SEED), body=b"<p>first</p>", found=(link,))
    again = Step(lease=link, state="refused", at=2.0, reason="robots")
    second = fetched(entry(SEED), at=3.0, body=b"<p>second</p>", found=(entry(link.link.url, 0.5, 2, rule="max"),))
    stored_by(one, first, again, second)()
    assert [version.seq for version in one.versions(SEED)] == [1, 2]
    answer = one.body(SEED)
    assert answer is not None
    assert answer.body == b"<p>second</p>"
    [waits] = one.waiting("a.example", 9)
    assert waits.priority == 0.5, "found again after it was refused"
