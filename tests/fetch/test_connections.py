"""A crawl of many hosts holds few connections, and waits for one where the system has none left."""

import asyncio
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import FetchSection, PolitenessSection
from scenthound.fetch import connections
from scenthound.fetch.http import HttpFetcher
from scenthound.fetch.resolve import StaticResolver
from scenthound.model import Link, Response
from tests.fetch.serving import answer, serving
from tests.watchdog import PATIENCE

ROOT = Path(__file__).parents[2]
HOSTS = 40


def fetcher(port: int) -> HttpFetcher:
    settings = FetchSection(parallel=HOSTS, private_addresses=True)
    return HttpFetcher(
        settings, PolitenessSection(delay=0.0), resolver=StaticResolver([".many.test"], "127.0.0.1", port)
    )


async def test_idle_connections_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_IDLE", 10)
    async with serving({"/": answer(b"hello")}) as served:
        asking = fetcher(served.port)
        try:
            for number in range(HOSTS):
                assert isinstance(await asking(Link(f"http://h{number}.many.test/")), Response)
            assert asking._connector is not None
            assert len(asking._connector._conns) == 10
            before = served.connections
            await asking(Link("http://h0.many.test/"))
            assert served.connections == before, "those that are kept are used again"
            asking._connector.close_idle()
            assert isinstance(await asking(Link("http://h0.many.test/")), Response)
            assert served.connections == before + 1
        finally:
            await asking.close()


async def test_what_may_not_be_asked_any_more_is_not_sent() -> None:
    """As a process that is stopped while it connects, and wakes up when the host is another's."""
    allowed = True

    class Late(StaticResolver):
        async def resolve(self, *name: Any, **settings: Any) -> Any:
            nonlocal allowed
            allowed = False
            return await super().resolve(*name, **settings)

    async with serving({"/": answer(b"hello")}) as served:
        asking = HttpFetcher(
            FetchSection(private_addresses=True),
            PolitenessSection(),
            resolver=Late([".many.test"], "127.0.0.1", served.port),
        )
        asking.ask_only_while(lambda: allowed)
        request = asyncio.create_task(asking(Link("http://late.many.test/")))
        async with asyncio.timeout(PATIENCE):
            while not served.connections:  # noqa: ASYNC110  (the server counts, and tells nobody)
                await asyncio.sleep(0.01)
        allowed = True
        assert isinstance(await asking(Link(served.url("/", "127.0.0.1"))), Response)
        assert [headers["Host"] for _, headers in served.requests] == [f"127.0.0.1:{served.port}"]
        assert not request.done(), "it waits to be given up"
        request.cancel()
        await asking.close()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no way to count open files")
async def test_without_handles_requests_wait_for_each_other() -> None:
    """In a process of its own, which is short of them."""
    async with serving({"/": answer(b"hello")}) as served:
        command = [sys.executable, "-m", "tests.fetch.test_connections", str(served.port)]
        asking = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        said, _ = await asyncio.wait_for(asking.communicate(), PATIENCE)
    assert json.loads(said) == ["ok"] * HOSTS


async def ask_with_few_handles(port: int) -> list[str]:
    """What becomes of many requests at once, where there are handles for a few connections only."""
    asking = fetcher(port)
    await asking(Link("http://first.many.test/"))
    most = max(map(int, os.listdir("/proc/self/fd"))) + 6
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    answers = await asyncio.gather(*(asking(Link(f"http://h{number}.many.test/")) for number in range(HOSTS)))
    await asking.close()
    return ["ok" if isinstance(each, Response) else f"{each.kind}: {each.detail}" for each in answers]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(ask_with_few_handles(int(sys.argv[1])))))
