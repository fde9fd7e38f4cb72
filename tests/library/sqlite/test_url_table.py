"""A batch leaves the table as its steps one by one would, and touches each URL as rarely as it can."""

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound import urls
from scenthound.library.sqlite import migrations
from scenthound.library.sqlite.url_table import COLUMNS, UrlChanges
from scenthound.model import Step
from tests.conformance.libraries import steps
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
