"""A generated web in a process of its own, so that what it costs is not taken for the crawl's: prints its port.

It is that of the demo, made larger: a fast crawl would be through the demo's own in seconds.
"""

from __future__ import annotations

import asyncio

from scenthound.lab.generated.web import GeneratedWeb
from scenthound.lab.generated.web_server import serve

PAGES, HOSTS, TOPICS = 20_000, 120, 6


def large_demo_web() -> GeneratedWeb:
    return GeneratedWeb(seed=1, pages=PAGES, hosts=HOSTS, topics=TOPICS)


async def main() -> None:
    async with serve(large_demo_web()) as address:
        print(address.port, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
