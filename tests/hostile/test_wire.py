"""Servers that break HTTP, beyond what `test_promises.py` asks of every habit: all at once, and some closely."""

from __future__ import annotations

import sys
import tracemalloc
from pathlib import Path

import pytest

from scenthound.fetch.unpack import CODINGS
from tests.hostile import bodies, headers, wire
from tests.hostile.crawling import SETTINGS, assert_intact, crawl, crawl_habit
from tests.hostile.promises import promises
from tests.hostile.server import HABITS, url

MAX_BYTES = SETTINGS["fetch"]["max_bytes"]
HOPS = 1 + SETTINGS["fetch"]["max_redirects"]

ELSEWHERE = {"retry-after-a-year"}  # whose host would be waited for
PROMISES = {
    name: promise
    for name, promise in promises().items()
    if HABITS[name].__module__ in (wire.__name__, bodies.__name__, headers.__name__) and name not in ELSEWHERE
}


async def test_all_bad_servers_at_once(tmp_path: Path) -> None:
    """They do not get in each other's way, and the good pages do not wait for the bad ones to end."""
    seeds = [url(name, path) for path in ("/bad", "/good") for name in PROMISES]
    patience = {"fetch": SETTINGS["fetch"] | {"read_timeout": 4.0, "total_timeout": 6.0}}
    outcome = await crawl(tmp_path / "library", seeds, patience)
    for name, promise in PROMISES.items():
        row = outcome.row(url(name))
        assert row.state == promise.state, name
        assert row.reason.startswith(promise.reasons), name
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
