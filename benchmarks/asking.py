"""How long one waits for the next question of `scenthound label --ask`, once a key was pressed.

    ./run python benchmarks/asking.py                   2,000 pages to ask about, 20 answers

A library of pages of ordinary size is made as in `judging.py`. Each answer is stored, the judge begins anew in its
thread, and the next page is chosen and made ready to be shown, as on a terminal. `--reading` waits before each answer
until scores go by the one before, as a person would who reads. The last line is the longest wait in seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from judging import collect, generated

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from scenthound import config as toml
from scenthound.app.event_loop import run
from scenthound.app.label_questions import MOST_PAGES, open_session, read_session
from scenthound.cli.views.label import PATIENCE

GOAL = 0.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=MOST_PAGES)
    parser.add_argument("--answers", type=int, default=20)
    parser.add_argument("--judge", default="auto")
    parser.add_argument("--reading", action="store_true")
    given = parser.parse_args()
    print(f"asking, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    web = generated(given.pages * 4 // 3)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "library"
        toml.save(asyncio.run(collect(folder, web, given.pages, given.judge)), folder / "topic.toml")
        started = perf_counter()
        waits, settled = [], []
        with open_session(folder, run(read_session(folder))) as asking:
            session = asking.session
            question = session.question()
            print(f"{len(session.pages):,} pages read in {perf_counter() - started:.1f} s")
            for number in range(given.answers):
                if question is None:
                    break
                pressed = perf_counter()
                session.answer(question.url, number % 3 == 0)
                session.settle(PATIENCE)
                session.change()
                question = session.question()
                waits.append(perf_counter() - pressed)
                if given.reading:
                    session.settle()
                    settled.append(perf_counter() - pressed)
    print(f"next question after {median(waits):.3f} s in the middle, {max(waits):.3f} s at most")
    if settled:
        print(f"scores by the last answer after {median(settled):.2f} s in the middle, {max(settled):.2f} s at most")
    print(f"{'within' if max(waits) <= GOAL else 'OVER'} the goal of {GOAL} s")
    print(f"{max(waits):.3f} s")


if __name__ == "__main__":
    main()
