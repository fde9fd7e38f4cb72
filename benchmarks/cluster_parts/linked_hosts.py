"""Pages on many loopback addresses that link to each other, and a log of every request.

    linked_hosts.py PORT LOG [PAGES]        so many pages a host

Each address is a host (127.0.1.1, 127.0.1.2 ...), so that a crawl in any number of processes finds it without a
resolver of its own. A page is made from its address alone. The log has a line of JSON a request: host, path, when it
began and when it ended.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from random import Random

from aiohttp import web

HOSTS = 24
PAGES = 60  # of a host
LINKS = 12


def hosts(port: int) -> list[str]:
    return [f"127.0.1.{n}:{port}" for n in range(1, HOSTS + 1)]


def page(host: str, number: int, port: int, pages: int = PAGES) -> str:
    random = Random(f"{host} {number}")
    names = hosts(port)
    links = [f'<a href="http://{random.choice(names)}/{random.randrange(pages)}">otter {n}</a>' for n in range(LINKS)]
    words = ["otter", "river", "fish", "stone", "bank", "water"]
    if pages > PAGES:  # many pages that say the same would be taken for a trap
        words += [f"{word}{number}x{host.rpartition(':')[0].replace('.', 'x')}" for word in words]
    text = " ".join(random.choice(words) for _ in range(300))
    return f"<title>Page {number} of {host}</title><p>{text}</p>{''.join(links)}"


async def serve(port: int, log: str, pages: int = PAGES) -> None:
    with open(log, "a", buffering=1, encoding="utf-8") as lines:  # noqa: ASYNC230

        async def answer(request: web.Request) -> web.Response:
            began, host = time.time(), request.host
            if request.path == "/robots.txt":
                response = web.Response(text="User-agent: *\nAllow: /\n")
            else:
                number = int(request.match_info.get("number") or 0)
                response = web.Response(text=page(host, number, port, pages), content_type="text/html")
            lines.write(json.dumps([host, request.path, began, time.time()]) + "\n")
            return response

        app = web.Application()
        app.router.add_get("/robots.txt", answer)
        app.router.add_get(r"/{number:\d*}", answer)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        for host in hosts(port):
            await web.TCPSite(runner, host.partition(":")[0], port).start()
        print("ready", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else PAGES))
