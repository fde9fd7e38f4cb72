"""What the dashboard costs: the server's time for every view of a large library, and the speed of a watched crawl.

    ./run python -m benchmarks.dashboard --pages 1000000     every view, over HTTP (a quarter of an hour to make)
    ./run python -m benchmarks.dashboard --library FOLDER    of a library that is there already, or is to stay there
    ./run python -m benchmarks.dashboard --browser           what Chromium loads, and how soon keys and steering act
    ./run python -m benchmarks.dashboard --watched           a crawl beside the same crawl with somebody watching

The large library is that of `benchmarks/reading.py`: texts by Zipf's law, 500 hosts, three waiting links a page, and a
search index as a search leaves it. The rest is measured on the demo's web.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path

from benchmarks import reading
from benchmarks.dashboard_parts import in_browser, view_times, watched_crawl
from scenthound.web.live import EVERY

FIRST_PAINT = 300.0  # ms: the goal
KILOBYTES, NEXT_QUESTION, STEERED = 150.0, 200.0, 1000.0  # goals, in kB and ms
LOST = 0.02  # of its speed, by a crawl that is watched: the goal


def _views(folder: Path) -> None:
    once = view_times.loaded_once(folder)
    print(f"scripts, styles and icons, loaded once: {once:.1f} kB; goal with a view {KILOBYTES:.0f} kB\n", flush=True)
    print("| view | first | median | worst | kB |\n|---|---:|---:|---:|---:|")
    slowest = 0.0
    for name, found in view_times.measured(folder).items():
        if name in view_times.WHOLE_PAGES:
            slowest = max(slowest, statistics.median(found.milliseconds))
        times = (
            f"{found.milliseconds[0]:.0f} | {statistics.median(found.milliseconds):.0f} | {max(found.milliseconds):.0f}"
        )
        print(f"| {name} | {times} | {found.kilobytes:.1f} |", flush=True)
    print(f"\nfirst paint of the slowest view: {slowest:.0f} ms, {_verdict(slowest, FIRST_PAINT)}")


def _browser() -> None:
    found = asyncio.run(in_browser.measured())
    most = max(found.kilobytes.values())
    for name, kilobytes in found.kilobytes.items():
        print(f"{name:12} {kilobytes:6.1f} kB")
    print(f"most of all views {most:.1f} kB, {_verdict(most, KILOBYTES)}")
    for name, times, goal in (
        ("key to the next question", found.next_question, NEXT_QUESTION),
        ("steering to the new top of the frontier", found.steered, STEERED),
    ):
        if not times:
            print(f"{name}: NOT MEASURED, nothing could be tried")
            continue
        print(
            f"{name}: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms of {len(times)}, "
            f"{_verdict(max(times), goal)}"
        )


def _watched(rounds: int, pages: int) -> None:
    print("| alone, CPU s | watched, CPU s | alone, pages/s | watched, pages/s |\n|---:|---:|---:|---:|")
    pairs = watched_crawl.pairs(rounds, pages, _print_pair)
    views = [seconds for _, seen in pairs for seconds in seen.views]
    took = statistics.mean(views)
    print(f"\na view takes {1000 * took:.1f} ms of the crawl's thread (mean of {len(views)}), made each {EVERY:g} s:")
    print(f"{100 * took / EVERY:.2f} % of its time, {_verdict(took / EVERY, LOST)}")
    cost = statistics.median(seen.cpu / alone.cpu for alone, seen in pairs) - 1
    lost = 1 - statistics.median(seen.rate / alone.rate for alone, seen in pairs)
    print(f"a watched crawl costs {100 * cost:+.1f} % of CPU (median of {len(pairs)} pairs)")
    print(f"and loses {100 * lost:.1f} % of its pages a second, {_verdict(lost, LOST)}")


def _print_pair(pair: watched_crawl.CostPair) -> None:
    alone, seen = pair
    print(f"| {alone.cpu:.2f} | {seen.cpu:.2f} | {alone.rate:.1f} | {seen.rate:.1f} |", flush=True)


def _verdict(value: float, goal: float) -> str:
    return "within the goal" if value <= goal else "OVER the goal"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=0, help="pages of the large library")
    options.add_argument("--library", type=Path, help="where the large library is, or is to be")
    options.add_argument("--browser", action="store_true", help="measure in Chromium")
    options.add_argument("--watched", action="store_true", help="measure what watching costs")
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--crawl-pages", type=int, default=800)
    given = options.parse_args()
    if given.pages or given.library:
        with tempfile.TemporaryDirectory() as temporary:
            folder = given.library or Path(temporary) / "large"
            if not (folder / "library.db").exists():
                reading.make(folder, given.pages or 1_000_000)
            _views(folder)
    if given.browser:
        _browser()
    if given.watched:
        _watched(given.rounds, given.crawl_pages)


if __name__ == "__main__":
    main()
