"""A batch leaves the table as its steps one by one would, and touches each URL as rarely as it can."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scenthound import urls
from scenthound.library import open_library
from scenthound.library.sql.url_table import COLUMNS, URL_ROW, UrlChanges, waiting_from
from scenthound.library.sqlite import migrations
from scenthound.merge_rules import merged
from scenthound.model import Link, MergeRule, Step, Waiting
from tests.conformance.libraries import priorities, steps
from tests.library.steps import SEED, entry, fetched


def table(batches: list[list[Step]]) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.migrate(connection, "memory")
    shunned: set[int] = set()
    number = 0
    for batch in batches:
        changes = UrlChanges(shunned)
        for step in batch:
            number += 1
            changes.end(step.lease, step.state, step.reason, number, number if step.response else None)
            changes.found(step.found, number)
            changes.shun(step.refused, number)
        changes.write(connection)
    rows = connection.execute("SELECT * FROM urls ORDER BY id").fetchall()
    connection.close()
    return rows


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(steps(), max_size=5), max_size=3))
def test_batches_change_nothing_but_speed(batches: list[list[Step]]) -> None:
    assert table(batches) == table([[step] for batch in batches for step in batch])


TARGET = "http://b.example/"
links = st.builds(
    lambda priority, order, depth, memory, evidence, tries, hops, rest, anchor: Waiting(
        urls.fingerprint(TARGET),
        Link(url=TARGET, source=SEED, anchor=anchor),
        "b.example",
        priority,
        order,
        depth,
        memory,
        evidence,
        tries,
        hops,
        rest,
    ),
    priorities,
    st.integers(0, 9),
    st.integers(0, 9),
    st.none() | st.binary(max_size=2),
    st.integers(1, 4),
    st.integers(0, 2),
    st.integers(0, 2),
    st.sampled_from([0.0, 9.5]),
    st.sampled_from(["old", "new", "other"]),
)


@settings(max_examples=200, deadline=None)
@given(links, st.lists(links, min_size=1, max_size=3), st.sampled_from(["max", "min", "last", "mean"]))
def test_the_sql_merges_as_the_rule_says(first: Waiting, later: list[Waiting], rule: MergeRule) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.migrate(connection, "memory")
    expected = first
    for row in [None, *later]:
        changes = UrlChanges()
        if row is None:
            changes.end(entry(SEED), "fetched", "", 1.0, None)
            changes.found([first], 1.0)
        else:
            changes.found([replace(row, rule=rule)], 2.0)
            expected = merged(expected, row, rule)
        changes.write(connection)
    found = connection.execute(f"{URL_ROW} WHERE u.id = ?", (first.id,)).fetchone()
    connection.close()
    assert waiting_from(found) == expected


@pytest.mark.parametrize("rule", ["max", "min", "last"])
def test_a_link_on_every_page_is_written_once(rule: str) -> None:
    changes = UrlChanges()
    for n in range(50):
        lease = entry(f"http://a.example/{n}", order=n)
        changes.end(lease, "fetched", "", 1.0, n)
        changes.found([entry("http://b.example/", n / 50, n, SEED, rule=rule)], 1.0)
    assert len(changes.rounds) == 1
    assert changes.next_order == 50


@pytest.mark.parametrize(
    ("rule", "winner"), [("max", "first"), ("min", "first"), ("mean", "first"), ("last", "second")]
)
@pytest.mark.parametrize("together", [True, False])
def test_of_two_equal_words_the_first_stays(rule: str, winner: str, together: bool) -> None:
    pages = [entry(f"http://a.example/{name}") for name in ("first", "second")]
    target = "http://b.example/"
    first = fetched(pages[0], found=(entry(target, 0.5, 1, pages[0].link.url),))
    second = fetched(pages[1], found=(entry(target, 0.5, 2, pages[1].link.url, rule=rule),))
    rows = table([[first, second]] if together else [[first], [second]])
    [source] = [row[COLUMNS.index("source")] for row in rows if row[COLUMNS.index("url")] == target]
    assert source == urls.fingerprint(f"http://a.example/{winner}")


def test_links_of_one_host_and_one_source_share_their_texts(tmp_path: Path) -> None:
    """Tens of thousands of them are in memory."""
    found = []
    for number in range(3):
        url = f"http://a.example/{number}"
        link = Link(url, "http://a.example/source")
        found.append(Waiting(urls.fingerprint(url), link, "a.example", 0.5, number))
    with open_library(tmp_path / "library", create=True) as library:
        source = Waiting(
            urls.fingerprint("http://a.example/source"), Link("http://a.example/source"), "a.example", 1.0, 9
        )
        library.record(Step(lease=source, state="waiting", at=1.0, found=(source, *found)))
        library.flush()
        rows = library.waiting("a.example", 10)
    assert {row.link.source for row in rows} == {"", "http://a.example/source"}
    assert len({id(row.host) for row in rows}) == 1
    assert len({id(row.link.source) for row in rows if row.link.source}) == 1
