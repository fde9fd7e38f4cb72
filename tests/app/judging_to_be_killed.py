"""Judges a library again in a process of its own, for tests that kill it: FOLDER [PAGE].

At that page it says so and waits to be killed.
"""

import asyncio
import sys
from pathlib import Path

from scenthound.app.judge import JudgeSession
from scenthound.crawler import judge_again

LAST = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def reached(done: int, whole: int) -> None:
    if done == LAST:
        print(done, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    judge_again.WRITTEN_AT_ONCE = 10  # so that some is written when it is killed
    asyncio.run(JudgeSession(Path(sys.argv[1]), progress=reached).run())
