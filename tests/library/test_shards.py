"""Hosts and their shards: the same in Python and in PostgreSQL, and evenly spread."""

from __future__ import annotations

import pytest

from scenthound.library.shards import SHARDS, SQL, shard_of

psycopg = pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

HOSTS = [
    "a.example",
    "www.a.example",
    "a.example:8080",
    "www.www.a.example",
    "xn--bcher-kva.example",
    "[::1]:80",
    "127.0.0.2",
]


def test_postgresql_agrees(postgres_server: str) -> None:
    with psycopg.connect(postgres_server) as connection:
        values = ", ".join(f"('{host}')" for host in HOSTS)
        rows = connection.execute(f"SELECT host, {SQL} FROM (VALUES {values}) t(host)".encode()).fetchall()
    assert dict(rows) == {host: shard_of(host) for host in HOSTS}


def test_www_and_port_make_no_difference() -> None:
    assert shard_of("www.a.example:8080") == shard_of("a.example")


def test_it_never_changes() -> None:
    """A library that is crawled by another version, or on another machine, has its hosts where they were."""
    assert [shard_of(host) for host in ("a.example", "example.org", "127.0.0.2")] == [96, 223, 65]


def test_hosts_are_spread_evenly() -> None:
    counts = [0] * SHARDS
    for n in range(SHARDS * 40):
        counts[shard_of(f"host{n}.example")] += 1
    assert min(counts) > 10
    assert max(counts) < 100
