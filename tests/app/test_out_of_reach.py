"""Hosts that cannot be asked: the true reason for each seed, and what to do next."""

from pathlib import Path

import pytest

from scenthound.app.events import Summary
from scenthound.app.explanation import explain
from scenthound.app.library_status import read_status
from scenthound.app.out_of_reach import ADVICE, held_links, nothing_fetched, seed_troubles
from scenthound.config import from_dict
from scenthound.crawler.assemble import assembled
from scenthound.library import open_library
from scenthound.model import Failed, FailureKind, Response
from scenthound.report.failure_words import in_words
from scenthound.report.formatting import ending_words
from tests.small_web import ScriptedFetcher, answer, crawl_of, page

A = "http://a.test/"
ROBOTS = f"{A}robots.txt"
SETTINGS = {"politeness": {"delay": 0.0, "robots": True}, "fetch": {"retries": 0}}


async def crawl(folder: Path, robots: Response | Failed) -> dict[str, int]:
    with crawl_of(folder, {ROBOTS: robots, A: page()}, SETTINGS, seeds=(A, f"{A}x")) as crawl:
        await crawl.run()
        return crawl.held()


def summary(**fields: object) -> Summary:
    numbers = dict.fromkeys(("seconds", "pages", "new_pages", "relevant", "harvest", "duplicates"), 0)
    numbers |= dict.fromkeys(("requests", "bytes", "waiting", "failed", "hosts"), 0)
    texts = {"topic": "x", "strategy": "x", "folder": "x", "ending": "frontier empty", "failures": {}}
    return Summary(**(numbers | texts | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["dns", "connect", "tls", "timeout", "reset"])
async def test_the_reason_is_told_everywhere(kind: FailureKind, tmp_path: Path) -> None:
    reason = f"{kind}: as it is"
    assert await crawl(tmp_path, Failed(ROBOTS, kind, "as it is")) == {kind: 2}
    status = read_status(tmp_path)
    assert (status.held, status.failures, status.refusals) == ({kind: 2}, {kind: 1}, {})
    told = explain(tmp_path, f"{A}x")
    assert (told.state, told.reason) == ("waiting", reason)
    trouble = nothing_fetched(summary(), tmp_path, [A], "scenthound crawl x")
    assert trouble is not None
    assert f"{A}  {in_words(reason)}" in str(trouble)
    assert "scenthound crawl x" in str(trouble)
    assert (trouble.exit_code, kind in ADVICE) == (7, True)


async def test_a_robots_file_out_of_order(tmp_path: Path) -> None:
    assert await crawl(tmp_path, answer(ROBOTS, status=500)) == {"robots unreachable": 2}
    with open_library(tmp_path, write=False) as library:
        assert held_links(library) == {"robots unreachable": 2}
        assert [trouble.cause for trouble in seed_troubles(library, [A])] == ["robots unreachable: 500"]


async def test_the_end_of_a_run_that_left_links_behind(tmp_path: Path) -> None:
    config = from_dict({"topic": {"keywords": ["ferns"]}, "crawl": {"seeds": [A]}, **SETTINGS})
    fetcher = ScriptedFetcher({ROBOTS: Failed(ROBOTS, "timeout", "nothing came"), A: page()})
    async with assembled(config, tmp_path, fetcher=fetcher) as crawl:
        assert await crawl.run() == "frontier empty"
    (run,) = read_status(tmp_path).runs
    assert ending_words(run.ending, run.held) == "what is left waits for hosts that could not be asked"
    assert ending_words(run.ending) == "no link was left to follow"


async def test_an_address_that_must_not_be_asked(tmp_path: Path) -> None:
    refused = Failed(ROBOTS, "address", "10.0.0.1: private, needs --allow-private")
    assert await crawl(tmp_path, refused) == {}
    assert read_status(tmp_path).refusals == {"address": 2}
    trouble = nothing_fetched(summary(), tmp_path, [A], "scenthound crawl x")
    assert str(trouble).endswith("If it is a server of yours: scenthound crawl x --allow-private")


async def test_robots_that_say_no_are_called_robots(tmp_path: Path) -> None:
    assert await crawl(tmp_path, answer(ROBOTS, "User-agent: *\nDisallow: /", content_type="text/plain")) == {}
    assert read_status(tmp_path).refusals == {"robots": 2}
    assert "does not allow it" in str(nothing_fetched(summary(), tmp_path, [A], "scenthound crawl x"))


async def test_there_is_nothing_to_complain_about(tmp_path: Path) -> None:
    await crawl(tmp_path, answer(ROBOTS, status=404))
    assert nothing_fetched(summary(), tmp_path, [A], "x") is None  # it was fetched by an earlier run
    assert nothing_fetched(summary(new_pages=1), tmp_path, [f"{A}x"], "x") is None
    assert nothing_fetched(summary(ending="stopped"), tmp_path, [f"{A}x"], "x") is None
    assert nothing_fetched(summary(), tmp_path, [f"{A}x"], "x") is not None


def test_a_server_that_is_silent_until_the_time_is_up(tmp_path: Path) -> None:
    with crawl_of(tmp_path, {}, SETTINGS, seeds=(A,)):
        pass  # it asked, and nothing came
    trouble = nothing_fetched(summary(ending="minutes"), tmp_path, [A], "scenthound crawl x")
    assert f"{A}  timeout: no answer before the time was up" in str(trouble)
    assert str(trouble).endswith("See that the server can be reached, then: scenthound crawl x")
    assert nothing_fetched(summary(ending="stopped"), tmp_path, [A], "scenthound crawl x") is None
