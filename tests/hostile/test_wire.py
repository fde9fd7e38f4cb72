"""Servers that break HTTP: each costs its own page at most, within bounded time, memory and disk.

For every habit the table says what must become of the page that has it. That the good page of the same host and
the page of another host are fetched afterwards, and that the library is whole, is asked of all of them.
"""

from __future__ import annotations

import sys
import tracemalloc
from pathlib import Path

import pytest

from scenthound.fetch.unpack import CODINGS
from tests.hostile import wire
from tests.hostile.crawling import IMPATIENT, SETTINGS, Outcome, assert_intact, crawl, crawl_habit
from tests.hostile.server import HABITS, url

MAX_BYTES = SETTINGS["fetch"]["max_bytes"]
TRIES = 1 + SETTINGS["fetch"]["retries"]
HOPS = 1 + SETTINGS["fetch"]["max_redirects"]
IN_TRANSIT = 10_000_000  # bytes that the system's buffers may hold of an answer nobody reads

EXPECTED = {
    # Time: given up, asked once more, given up for good.
    "slow-drip": ("failed", "timeout: the "),
    "slow-headers": ("failed", "timeout: the "),
    "silent": ("failed", "timeout: the server fell silent"),
    "silent-body": ("failed", "timeout: the server fell silent"),
    "endless-interim": ("failed", "timeout: the "),
    # Lengths: what is too long is dropped, what is cut short is asked again, what contradicts itself is not believed.
    "endless-body": ("failed", "too-large"),
    "endless-chunks": ("failed", "too-large"),
    "length-too-long": ("failed", "reset"),
    "length-too-short": ("fetched", ""),
    "length-negative": ("failed", "protocol"),
    "length-huge": ("failed", "too-large"),
    "length-absurd": ("failed", "protocol"),
    "length-words": ("failed", "protocol"),
    "length-twice": ("failed", "protocol"),
    "length-and-chunks": ("failed", "protocol"),
    "chunk-too-long": ("failed", "reset"),
    "chunk-no-number": ("failed", "protocol"),
    "chunk-wrong-end": ("failed", "protocol"),
    "early-close": ("failed", "reset"),
    "close-in-headers": ("failed", "reset: the connection ended within the headers"),
    "reset-mid-body": ("failed", "reset"),
    "keepalive-lie": ("fetched", ""),
    # Codings
    "gzip-bomb": ("failed", "too-large"),
    "deflate-bomb": ("failed", "too-large"),
    "br-bomb": ("failed", "too-large" if "br" in CODINGS else "protocol: unknown content coding"),
    "zstd-bomb": ("failed", "too-large" if "zstd" in CODINGS else "protocol: unknown content coding"),
    "gzip-gzip-bomb": ("failed", "too-large"),
    "gzip-members": ("failed", "protocol: bad content coding"),
    "gzip-garbage": ("failed", "protocol: bad content coding"),
    "gzip-cut": ("failed", "reset"),
    "unknown-encoding": ("failed", "protocol: unknown content coding: rot13"),
    "many-encodings": ("failed", "protocol: unknown content coding"),
    # Redirects: the page has moved; what became of its target is asked below.
    "endless-redirect": ("moved", "http://endless-redirect.test/bad?1"),
    "looping-redirect": ("moved", "http://looping-redirect.test/other"),
    "self-redirect": ("moved", "http://self-redirect.test/bad"),
    "growing-redirect": ("moved", "http://growing-redirect.test/bad?"),
    "host-redirect": ("moved", "http://n1.host-redirect.test/bad"),
    "redirect-nowhere": ("failed", "redirect: no Location"),
    "redirect-to-file": ("failed", "redirect: target is no URL we follow (scheme file)"),
    "redirect-to-ftp": ("failed", "redirect: target is no URL we follow (scheme ftp)"),
    "redirect-to-script": ("failed", "redirect: target is no URL we follow (scheme javascript)"),
    "redirect-to-private": ("moved", "http://192.168.0.1/admin"),
    "redirect-to-metadata": ("moved", "http://169.254.169.254/latest/meta-data/"),
    "redirect-to-inside": ("moved", "http://wiki.inside.test/"),
    "redirect-bytes": ("moved", "http://redirect-bytes.test/"),
    # Statuses
    "bad-status-line": ("failed", "protocol"),
    "http09": ("failed", "protocol"),
    "another-protocol": ("failed", "protocol"),
    "status-huge": ("failed", "protocol"),
    "status-unknown": ("failed", "status: 777"),
    "status-304": ("failed", "status: 304"),
    "status-204": ("failed", "empty"),
    "status-204-body": ("failed", ""),
    "status-101": ("failed", "status: 101"),
    "no-body": ("failed", "empty"),
    "retry-after-nonsense": ("failed", "status: 429"),
    # Headers
    "endless-headers": ("failed", "protocol"),
    "header-flood": ("failed", "protocol"),
    "header-huge": ("failed", "protocol"),
    "header-bytes": ("fetched", ""),
    "header-escape": ("failed", "type: image/?[2j?png"),
    "headers-twice": ("fetched", ""),
    "cookie-flood": ("fetched", ""),
}
SLOW = {name for name, (_, reason) in EXPECTED.items() if reason.startswith("timeout")}
ELSEWHERE = {"retry-after-a-year"}


def test_every_habit_has_an_expectation() -> None:
    assert {name for name, act in HABITS.items() if act.__module__ == wire.__name__} == set(EXPECTED) | ELSEWHERE


def assert_bounded(outcome: Outcome, name: str) -> None:
    assert len(outcome.web.paths(name)) <= 1 + max(TRIES, HOPS)
    assert outcome.web.sent[f"{name}.test"] < IN_TRANSIT
    assert outcome.disk() < 200_000
    assert outcome.ending == "frontier empty"


@pytest.mark.parametrize("name", EXPECTED)
async def test_a_bad_server_costs_its_own_page_only(name: str, tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", name, IMPATIENT if name in SLOW else None)
    state, reason = EXPECTED[name]
    row = outcome.row(url(name))
    assert (row.state, row.reason[: len(reason)]) == (state, reason)
    assert row.reason.isprintable()
    assert outcome.row(url(name, "/good")).state == "fetched"
    assert outcome.row(url("fine", "/")).state == "fetched"
    assert_bounded(outcome, name)
    assert_intact(outcome)


async def test_all_bad_servers_at_once(tmp_path: Path) -> None:
    """They do not get in each other's way, and the good pages do not wait for the bad ones to end."""
    names = list(EXPECTED)
    seeds = [url(name, path) for path in ("/bad", "/good") for name in names]
    patience = {"fetch": SETTINGS["fetch"] | {"read_timeout": 4.0, "total_timeout": 6.0}}
    outcome = await crawl(tmp_path / "library", seeds, patience)
    for name in names:
        state, reason = EXPECTED[name]
        row = outcome.row(url(name))
        assert (row.state, row.reason[: len(reason)]) == (state, reason), name
        assert outcome.row(url(name, "/good")).state == "fetched", name
    assert outcome.disk() < 1_500_000
    assert_intact(outcome)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip-gzip"])
async def test_a_bomb_costs_its_limit_and_not_what_it_unpacks_to(coding: str, tmp_path: Path) -> None:
    if coding.partition("-")[0] not in CODINGS:
        pytest.skip(f"no package for {coding} is installed")
    resource = pytest.importorskip("resource")
    wire.bomb(coding.partition("-")[0])
    tracemalloc.start()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        outcome = await crawl_habit(tmp_path / "library", f"{coding}-bomb")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (1 if sys.platform == "darwin" else 1024)
    assert peak < 20 * MAX_BYTES < wire.UNPACKED
    assert grown < 0.8 * wire.UNPACKED
    assert outcome.row(url(f"{coding}-bomb")).reason.startswith("too-large")


async def test_endless_redirects_end(tmp_path: Path) -> None:
    outcome = await crawl(
        tmp_path / "library", [url("endless-redirect"), url("growing-redirect"), url("host-redirect")]
    )
    assert outcome.row(url("endless-redirect", "/bad?5")).reason == "redirect: more than 5 in a row"
    assert outcome.row("http://n5.host-redirect.test/bad").reason == "redirect: more than 5 in a row"
    assert len(outcome.web.paths("growing-redirect")) == HOPS


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("redirect-to-private", "http://192.168.0.1/admin"),
        ("redirect-to-metadata", "http://169.254.169.254/latest/meta-data/"),
        ("redirect-to-inside", "http://wiki.inside.test/"),
    ],
)
@pytest.mark.parametrize("robots", [True, False])
async def test_a_redirect_does_not_lead_inside(name: str, target: str, robots: bool, tmp_path: Path) -> None:
    """Neither for the page nor for the robots.txt that comes before it."""
    outcome = await crawl(tmp_path / "library", [url(name)], {"politeness": {"delay": 0.0, "robots": robots}})
    row = outcome.row(target)
    assert row.state == "refused"
    assert row.reason.startswith("address: ")
    assert ("needs --allow-private" in row.reason) is (name != "redirect-to-metadata")
    assert {host for host, *_ in outcome.web.asked} == {f"{name}.test"}


async def test_what_follows_a_short_answer_is_not_taken_for_the_next(tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", "length-too-short")
    with outcome.library() as library:
        titles = {page.url: page.title for page in library.pages()}
    assert titles[url("length-too-short")] == "short"
    assert titles[url("length-too-short", "/good")] == "good page of length-too-short"


async def test_no_cookie_is_taken(tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", "cookie-flood")
    assert outcome.web.paths("cookie-flood") == ["/bad", "/good"]
    assert not any("cookie" in headers for *_, headers in outcome.web.asked)


async def test_a_server_that_asks_for_a_year_of_rest_gets_a_day_and_stops_nobody_else(tmp_path: Path) -> None:
    outcome = await crawl_habit(tmp_path / "library", "retry-after-a-year", {"crawl": {"minutes": 0.005}})
    row = outcome.row(url("retry-after-a-year"))
    assert row.state == "waiting"
    assert 86_000 < row.not_before - row.changed_at <= 86_400
    assert outcome.web.paths("retry-after-a-year") == ["/bad"]
    assert outcome.row(url("fine", "/")).state == "fetched"
    assert_intact(outcome)
