"""Every bad habit in a crawl of its own, held to its line of docs/promises.md; every line of that page has its test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.hostile.checks import CHECKS
from tests.hostile.crawling import Outcome, assert_intact, crawl_behaviour
from tests.hostile.memory import peak_memory
from tests.hostile.promises import COLUMNS, PAGE, Promise, promises, rows
from tests.hostile.server import HABITS, MEETINGS, NEIGHBOUR, NEIGHBOUR_PAGES, Meeting, url

ROOT = Path(__file__).parents[2]
PROMISES = promises()
ENDINGS = {"frontier empty", "pages", "minutes"}
_warm: list[bool] = []


async def warmed(folder: Path) -> None:
    """A crawl before the first that is measured: what is imported and kept for good is no habit's doing."""
    if not _warm:
        await crawl_behaviour(folder / "warm", "no-body")
        _warm.append(True)


def test_every_behaviour_has_its_line_and_every_line_its_behaviour() -> None:
    assert set(PROMISES) == set(HABITS)
    assert len(PROMISES) >= 80


def test_every_line_names_tests_that_exist() -> None:
    differences = ["", "RFC 9309", "Google's parser", "here", "why"]  # each has its test in the file named above them
    for row in rows(PAGE.read_text(encoding="utf-8")):
        if row in (COLUMNS, differences) or row[0].strip("`") in PROMISES or row[-1] == "test" or row[0][:1].isdigit():
            continue
        named = re.findall(r"`(tests/[^`]+)`", row[-1])
        assert named, f"no test is named by: {row}"
        for name in named:
            assert (ROOT / name).is_file(), f"{name} is not there"


@pytest.mark.parametrize("name", HABITS)
async def test_a_behaviour_costs_what_is_promised(name: str, tmp_path: Path) -> None:
    await warmed(tmp_path)
    with peak_memory() as peak:
        outcome = await crawl_behaviour(tmp_path / "library", name)
    promise = PROMISES[name]
    assert_as_promised(outcome, promise)
    assert outcome.requests() <= promise.requests
    assert peak.bytes <= promise.memory
    assert outcome.disk() <= promise.disk
    assert outcome.web.breaches == 0
    assert {url(NEIGHBOUR, path) for path in NEIGHBOUR_PAGES} <= set(outcome.fetched(NEIGHBOUR))
    assert_intact(outcome)
    if name in CHECKS:
        assert CHECKS[name](outcome)


def assert_as_promised(outcome: Outcome, promise: Promise) -> None:
    """What became of the page that has the habit, and of the good one on the same host."""
    seed = MEETINGS.get(promise.name, Meeting()).seeds[0]
    row = outcome.row(seed if "://" in seed else url(promise.name, seed))
    assert (row.state, row.reason) == (promise.state, row.reason if row.reason.startswith(promise.reasons) else promise)
    assert row.reason.isprintable()
    out_of_reach = promise.state == "waiting" or row.reason.startswith("address: ")  # the host, and so all its pages
    assert outcome.row(url(promise.name, "/good")).state == (promise.state if out_of_reach else "fetched")
    assert outcome.ending in ENDINGS
