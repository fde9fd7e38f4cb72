"""Pages parsed by other processes are the pages parsed here; what kills or stalls a process costs one page."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import uvloop
from msgspec.structs import replace
from multidict import istr

from scenthound.model import Page, Response
from scenthound.parse.page import parse
from scenthound.parse.parser_pool import ParserPool
from scenthound.parse.safe_parse import LARGE
from tests.watchdog import PATIENCE

BROKEN = "its source broke the process that parsed it"
WORDS = "crawler frontier topic page link anchor judge library harvest seed budget polite robots strategy score ranked"

# Obeys, but for pages that say otherwise: what a parser does when it meets what breaks it.
MOODY = """
import os, sys, time, msgspec
from scenthound.parse import page, parser_worker as worker
guarded, parse = worker.parse_guarded, page.parse
def raising(response, language):
    if b"RAISE" in response.body: raise LookupError("nobody foresaw this")
    return parse(response, language)
page.parse = raising
def moody(response, language):
    if b"DIE" in response.body: os._exit(3)
    if b"STALL" in response.body: time.sleep(600)
    page = guarded(response, language)
    return msgspec.structs.replace(page, title="\\ud800") if b"HALF" in response.body else page
worker.parse_guarded = moody
worker.work(sys.stdin.buffer, sys.stdout.buffer)
"""


def response(n: int, more: str = "") -> Response:
    body = f"<title>{n}</title><p>{WORDS} {n} {more}<a href=/x{n}>to {n}</a>"
    return Response(f"http://a.example/{n}", 200, (("Content-Type", "text/html"),), body.encode())


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - what is waited for has no event
        await asyncio.sleep(0.005)


async def through(parser_pool: ParserPool, responses: Sequence[Response]) -> list[Page]:
    """All of them through the pool, in order, each offered until it is taken."""
    answers: dict[int, Page] = {}
    for n, given in enumerate(responses):
        await until(
            lambda given=given, n=n: parser_pool.offer(given, "en", lambda parsed: answers.__setitem__(n, parsed))
        )
    await until(lambda: len(answers) == len(responses))
    return [answers[n] for n in range(len(responses))]


def parser_pool(**more: object) -> ParserPool:
    return ParserPool(1, command=(sys.executable, "-c", MOODY), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 2])
async def test_the_same_pages_as_here(size: int) -> None:
    given = [response(n, "&eacute; 日本 " * n) for n in range(40)]
    there = ParserPool(size)
    try:
        pages = await through(there, given)
    finally:
        await there.close()
    assert pages == [parse(one, "en") for one in given]
    assert pages[7].simhash != 0


class Reads:
    def __init__(self, reader: str) -> None:
        self.page_reader = reader


@pytest.mark.parametrize(
    ("judge", "notes"),
    [
        (Reads("tests.parse.noted_title:read"), b"7 en"),
        (Reads("tests.parse.noted_title:fails"), b""),
        (Reads("tests.parse.no_such_module:read"), b""),
        (object(), b""),
    ],
)
async def test_a_process_reads_off_pages_what_a_judge_wants(judge: object, notes: bytes) -> None:
    """And where it cannot, the page comes without."""
    there = ParserPool(1)
    there.read_for(judge)
    try:
        [page] = await through(there, [response(7)])
    finally:
        await there.close()
    assert page.notes == notes
    assert replace(page, notes=b"") == parse(response(7), "en")


def test_in_the_event_loop_that_crawls_use() -> None:
    async def all_of_it() -> list[Page]:
        there = ParserPool(1)
        try:
            return await through(there, [response(n) for n in range(20)])
        finally:
            await there.close()

    assert uvloop.run(all_of_it()) == [parse(response(n), "en") for n in range(20)]


async def test_a_page_that_kills_its_process_is_given_up_and_no_other() -> None:
    there = parser_pool()
    try:
        pages = await through(there, [response(n, "DIE" if n in (3, 4, 9) else "") for n in range(12)])
    finally:
        await there.close()
    assert {n: page.problem for n, page in enumerate(pages) if page.problem} == dict.fromkeys((3, 4, 9), BROKEN)
    assert [page.title for page in pages if not page.problem] == [str(n) for n in range(12) if n not in (3, 4, 9)]


async def stalls(there: ParserPool) -> None:
    """Until a process is at a page that stalls it; then its time is up, however long that is."""

    def at_it() -> list[Any]:
        return [one for one in there._processes if one.queue and b"STALL" in one.queue[0].response.body]

    await until(lambda: bool(at_it()))
    [process] = at_it()
    process._look(process.queue[0].number)


async def test_a_page_that_takes_for_ever_is_given_up() -> None:
    there = parser_pool(patience=600.0)
    try:
        given = [response(n, "STALL" if n == 1 else "") for n in range(4)]
        pages, _ = await asyncio.gather(through(there, given), stalls(there))
    finally:
        await there.close()
    assert [page.problem for page in pages] == ["", "it took more than 600 seconds", "", ""]


async def test_a_page_that_is_looked_at_twice_has_had_its_time() -> None:
    there = parser_pool(patience=0.2)
    try:
        [page] = await through(there, [response(1, "STALL")])
    finally:
        await there.close()
    assert page.problem == "it took more than 0.2 seconds"


async def test_a_page_on_which_the_parser_fails_costs_no_process() -> None:
    there = parser_pool()
    try:
        pages = await through(there, [response(n, "RAISE" if n == 1 else "") for n in range(3)])
    finally:
        await there.close()
    assert [page.problem for page in pages] == ["", "LookupError: nobody foresaw this", ""]


async def test_with_no_processes_wanted_there_is_one_for_large_pages() -> None:
    there, answers = ParserPool.of(0), list[Page]()
    try:
        assert not there.offer(response(1), "en", answers.append)
        assert there.offer(response(2, "many words " * (LARGE // 10)), "en", answers.append)
        assert not there.offer(response(3), "en", answers.append)
        await until(lambda: len(answers) == 1)
    finally:
        await there.close()
    assert (answers[0].title, there.size, ParserPool.of(3).size) == ("2", 1, 3)


FAILING = {
    "no such program": ("/does/not/exist",),
    "ends before its start is reported": ("/bin/false",),
    "no such module": (sys.executable, "-m", "scenthound.parse.no_such_module"),
    "never ready": (sys.executable, "-c", "import time; time.sleep(600)"),
}


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("command", FAILING.values(), ids=FAILING)
@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_no_processes_to_be_had(
    run: Callable[..., None], command: tuple[str, ...], size: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A few are tried, it is said once, and what waited is parsed here."""
    large = [response(n, "many words " * (LARGE // 10)) for n in range(2)]

    async def all_of_it() -> None:
        there, answers = ParserPool(size, command=command, start_patience=0.2), list[Page]()
        for one in large:
            assert there.offer(one, "en", answers.append)
        await until(lambda: len(answers) == 2)
        assert sorted(page.title for page in answers) == ["0", "1"]
        assert not there.size
        assert not there.offer(large[0], "en", answers.append)
        assert not there.offer(response(1), "en", answers.append)
        await there.close()
        assert len(answers) == 2

    run(all_of_it())
    assert [record.getMessage().partition(",")[0] for record in caplog.records if record.name.startswith("scent")] == [
        "No process for parsing could be started"
    ]


async def test_a_process_that_fails_to_start_once_is_started_again(tmp_path: Path) -> None:
    """As where memory was short for a moment."""
    program = f"""
import pathlib, sys
mark = pathlib.Path({str(tmp_path / "tried")!r})
if not mark.exists():
    mark.touch()
    sys.exit(1)
{MOODY}
"""
    there = ParserPool(1, command=(sys.executable, "-c", program))
    try:
        pages = await through(there, [response(n) for n in range(3)])
        assert there.size == 1
    finally:
        await there.close()
    assert [page.title for page in pages] == ["0", "1", "2"]


async def test_closed_in_the_middle_of_work() -> None:
    there, answers = parser_pool(), list[Page]()
    await until(lambda: there.offer(response(1, "STALL"), "en", answers.append))
    await asyncio.wait_for(there.close(), PATIENCE)
    assert not answers


async def test_closed_before_a_process_is_ready() -> None:
    there, answers = ParserPool(2, command=FAILING["never ready"]), list[Page]()
    assert there.offer(response(1, "many words " * LARGE), "en", answers.append)
    await asyncio.wait_for(there.close(), PATIENCE)
    assert not answers


async def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    there = parser_pool()
    try:
        odd = Response("http://a.example/", 200, (("Content-Type", "text/html"), ("X-Odd", "\udcff")), b"<p>x")
        half, odd_one = await through(there, [response(1, "HALF"), odd])
    finally:
        await there.close()
    assert half == replace(parse(response(1, "HALF"), "en"), title="?")
    assert odd_one == parse(odd, "en")


async def test_a_large_page_waits_for_a_process() -> None:
    there, answers = parser_pool(patience=600.0), dict[int, Page]()
    large = "many words " * (LARGE // 10)
    try:
        for n, words in enumerate([large, large + "STALL", large, "DIE" + large, large]):
            assert there.offer(response(n, words), "en", lambda page, n=n: answers.__setitem__(n, page))
        await stalls(there)
        await until(lambda: len(answers) == 5)
    finally:
        await there.close()
    assert [answers[n].problem for n in range(5)] == ["", "it took more than 600 seconds", "", BROKEN, ""]


async def test_headers_as_the_http_client_has_them() -> None:
    given = response(1)
    given = Response(
        given.url, 200, ((istr("Content-Type"), "text/html"), (istr("X-Robots-Tag"), "noindex")), given.body
    )
    there = parser_pool()
    try:
        (page,) = await through(there, [given])
    finally:
        await there.close()
    assert page.noindex
