"""The bare loop: fetch, parse, follow. No robots, no judgement, no order, no store: the limit to measure against."""

from __future__ import annotations

import asyncio
from time import perf_counter

import aiohttp
import can_ada
import uvloop
from selectolax.lexbor import LexborHTMLParser

from throughput_parts.race import IN_FLIGHT, Task, finish


async def crawl(start: str, origin: str) -> int:
    seen, waiting, pages = {start}, asyncio.Queue[str](), 0
    waiting.put_nowait(start)

    async def work(session: aiohttp.ClientSession) -> None:
        nonlocal pages
        while True:
            url = await waiting.get()
            try:
                async with session.get(url) as response:
                    body = await response.read() if response.status == 200 else b""
            except aiohttp.ClientError:
                body = b""
            if body:
                pages += 1
                base = can_ada.parse(url)
                for node in LexborHTMLParser(body).css("a[href]"):
                    try:
                        link = (base + (node.attributes["href"] or "")).href.partition("#")[0]
                    except ValueError:
                        continue
                    if link not in seen and link.startswith(origin):
                        seen.add(link)
                        waiting.put_nowait(link)
            waiting.task_done()

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=IN_FLIGHT)) as session:
        workers = [asyncio.create_task(work(session)) for _ in range(IN_FLIGHT)]
        await waiting.join()
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return pages


def main(given: Task) -> None:
    started = perf_counter()
    finish(uvloop.run(crawl(given.start, given.origin + "/")), perf_counter() - started)
