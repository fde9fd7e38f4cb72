"""The schema grows by steps, each taken once."""

import sqlite3
from collections.abc import Iterator

import pytest

from scenthound.library.sqlite import migrations


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


def test_each_step_is_taken_once(connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    migrations.migrate(connection, "here")
    taken: list[int] = []
    monkeypatch.setattr(migrations, "MIGRATIONS", [*migrations.MIGRATIONS, lambda _: taken.append(1)])
    migrations.migrate(connection, "here")
    migrations.migrate(connection, "here")
    assert taken == [1]
    assert connection.execute("PRAGMA user_version").fetchone() == (len(migrations.MIGRATIONS),)


def test_a_step_that_fails_leaves_nothing(connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise sqlite3.OperationalError("no")

    monkeypatch.setattr(migrations, "MIGRATIONS", [fail])
    with pytest.raises(sqlite3.OperationalError):
        migrations.migrate(connection, "here")
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT * FROM urls WHERE state = 0 AND host = 'x' ORDER BY priority DESC, nth, id LIMIT 5", "urls_waiting"),
        ("SELECT host, count(*), max(priority) FROM urls WHERE state = 0 GROUP BY host", "COVERING INDEX urls_waiting"),
        ("SELECT count(*) FROM urls WHERE state > 0 AND state = 4", "COVERING INDEX urls_finished"),
        ("SELECT id FROM urls INDEXED BY urls_waiting WHERE state = 0", "COVERING INDEX urls_waiting"),
    ],
)
def test_questions_of_a_running_crawl_use_an_index(connection: sqlite3.Connection, query: str, index: str) -> None:
    migrations.migrate(connection, "here")
    plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}"))
    assert index in plan
    assert "TEMP B-TREE" not in plan


def test_what_an_unreadable_robots_file_held_back_waits_again(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only of hosts whose robots.txt was never read; a rule that was read stays one."""
    steps = migrations.MIGRATIONS
    monkeypatch.setattr(migrations, "MIGRATIONS", steps[: steps.index(migrations.held_back)])
    migrations.migrate(connection, "here")
    rows = [
        (1, "unwell.test", 3, "robots", "a"),
        (2, "unwell.test", 3, "nofollow", "a"),
        (3, "strict.test", 3, "robots", "a"),
        (4, "strict.test", 1, "", "robots"),
    ]
    for number, host, state, reason, kind in rows:
        columns = connection.execute("SELECT name, type FROM pragma_table_info('urls')").fetchall()
        given = {"id": number, "host": host, "state": state, "reason": reason, "kind": kind}
        values = [given.get(name, "" if type_ == "TEXT" else 0) for name, type_ in columns]
        connection.execute(f"INSERT INTO urls VALUES ({', '.join('?' * len(values))})", values)
    monkeypatch.undo()
    migrations.migrate(connection, "here")
    states = connection.execute("SELECT id, state, reason FROM urls ORDER BY id").fetchall()
    assert states == [(1, 0, ""), (2, 3, "nofollow"), (3, 3, "robots"), (4, 1, "")]
