"""A round of looks in a process of its own, for a test that kills it: FOLDER PORT OFFSET."""

import asyncio
import sys
from pathlib import Path

from scenthound.revisit.rounds import RevisitOptions, Revisits
from tests.revisit.changing_web import ChangingWeb, Clock, fetcher, settings


async def main(folder: Path, port: int, offset: float) -> None:
    clock = Clock(offset)
    config = settings(ChangingWeb(port=port), delay=0.02)
    rounds = Revisits(
        config, folder, RevisitOptions(requests=1000), make_fetcher=lambda: fetcher(config, clock), clock=clock
    )
    await rounds.round()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
