"""The hostile web for any program: serves until it is interrupted, on loopback only.

python -m tests.hostile
curl --resolve gzip-bomb.test:PORT:127.0.0.1 http://gzip-bomb.test:PORT/bad
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tests.hostile import crawling  # noqa: F401  brings all habits along
from tests.hostile.names import ADDRESS
from tests.hostile.promises import promises
from tests.hostile.server import HABITS, serving


async def serve() -> None:
    told = promises()
    async with serving() as web:
        for name in sorted(HABITS):
            print(f"{name:40} {told[name].web}")
        print(
            f"{len(HABITS)} hosts, NAME.test, at {ADDRESS}:{web.port}, over TLS at {ADDRESS}:{web.tls_port}", flush=True
        )
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(serve())
