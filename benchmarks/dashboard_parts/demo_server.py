"""The demo's web in a process of its own, so that what it costs is not taken for the crawl's: prints its port."""

from __future__ import annotations

import asyncio

from scenthound.app.demo import demo_web
from scenthound.lab.generated.web_server import serve


async def main() -> None:
    async with serve(demo_web()) as address:
        print(address.port, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
