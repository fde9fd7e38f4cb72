"""What the dashboard costs: the server's time for every view of a large library, and the speed of a watched crawl.

    ./run python -m benchmarks.dashboard --pages 1000000     every view, over HTTP (a quarter of an hour to make)
    ./run python -m benchmarks.dashboard --library FOLDER    of a library that is there already, or is to stay there
    ./run python -m benchmarks.dashboard --browser           what Chromium loads, and how soon keys and steering act
    ./run python -m benchmarks.dashboard --watched           what a crawl loses while somebody watches it

The large library is that of `benchmarks/reading.py`: texts by Zipf's law, 500 hosts, three waiting links a page, and a
search index as a search leaves it. The rest is measured on the demo's web.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
from collections.abc import Callable, Sequence
from math import inf, log
from pathlib import Path

from benchmarks import reading
from benchmarks.dashboard_parts import in_browser, view_times, watched_crawl
from scenthound.blas_threads import one_blas_thread
from scenthound.web.live import EVERY

FIRST_PAINT = 300.0  # ms: the goal
KILOBYTES = 150.0  # with a view: the goal
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


class BrowserLines:
    """Prints what is measured in the browser: a table of times, then what views load."""

    _has_begun = False

    def kilobytes(self, views: dict[str, float]) -> None:
        print()
        for name, kilobytes in views.items():
            print(f"{name:12} {kilobytes:6.1f} kB")
        most = max(views.values())
        print(f"most of all views {most:.1f} kB, {_verdict(most, KILOBYTES)}", flush=True)

    def times(self, name: str, milliseconds: list[float], goal: float, processor: Sequence[float] = ()) -> None:
        if not self._has_begun:
            print("| | median | worst | of | of the processor | goal |\n|---|---:|---:|---:|---:|---:|")
            self._has_begun = True
        middle, worst = statistics.median(milliseconds), max(milliseconds)
        work = f"{statistics.median(processor):.0f} ms" if processor else ""
        wanted = f"{goal:,.0f} ms{'' if worst <= goal else ', missed'}" if goal < inf else ""
        print(f"| {name} | {middle:,.0f} ms | {worst:,.0f} ms | {len(milliseconds)} | {work} | {wanted} |", flush=True)


def _watched(seconds: float, rounds: int, pages: int) -> None:
    """With the settings that a crawl has when nobody gives others, and with the fastest there are."""
    for name, options in (("the default strategy and judge", {}), ("best-first and keywords", watched_crawl.PLAIN)):
        print(f"\n{name}, {seconds:g} s of stretches of {watched_crawl.STRETCH:g} s, alone and watched in turns")
        blocks = watched_crawl.stretches(seconds, options, _print_pair(" a block"))
        _tell_lost(blocks)
        _tell_account(blocks)
        if rounds:
            print(f"\n{name}, whole crawls of {pages} pages in turns")
            _tell_lost(watched_crawl.pairs(rounds, pages, options, _print_pair(" a pair")))


def _print_pair(what: str) -> Callable[[watched_crawl.CostPair], None]:
    print(f"|{what} | alone, CPU ms/page | watched, CPU ms/page | alone, pages/s | watched, pages/s |")
    print("|---|---:|---:|---:|---:|")

    def told(pair: watched_crawl.CostPair) -> None:
        alone, seen = pair
        costs = f"{1000 * alone.cpu_a_page:.2f} | {1000 * seen.cpu_a_page:.2f}"
        print(f"| | {costs} | {alone.rate:.1f} | {seen.rate:.1f} |", flush=True)

    return told


def _tell_account(pairs: list[watched_crawl.CostPair]) -> None:
    """What is done for who watches, against the time of the crawl's thread: a crawl that is at work all the time."""
    made = statistics.mean(seconds for _, seen in pairs for seconds in seen.views) / EVERY
    sent = watched_crawl.sending(15.0)
    print(
        f"by account: {100 * made:.2f} % of the crawl's thread to make views, {100 * sent:.2f} % to send them: ", end=""
    )
    print(f"{100 * (made + sent):.2f} %, {_verdict(made + sent, LOST)}")


def _tell_lost(pairs: list[watched_crawl.CostPair]) -> None:
    views = [seconds for _, seen in pairs for seconds in seen.views]
    took = statistics.mean(views)
    print(f"\na view takes {1000 * took:.1f} ms of the crawl's thread (mean of {len(views)}), made each {EVERY:g} s")
    cost, *between = _median([log(seen.cpu_a_page / alone.cpu_a_page) for alone, seen in pairs])
    print(f"a watched crawl costs {100 * cost:+.1f} % of CPU a page [{100 * between[0]:+.1f}, {100 * between[1]:+.1f}]")
    lost, *between = _median([-log(seen.rate / alone.rate) for alone, seen in pairs])
    print(
        f"and loses {100 * lost:.1f} % of its pages a second [{100 * between[0]:+.1f}, {100 * between[1]:+.1f}], "
        f"{_verdict(lost, LOST)} (median of {len(pairs)}, with its 0.95 interval)"
    )


def _median(ratios: list[float]) -> tuple[float, float, float]:
    """The median of logarithms of ratios, and where it lies with probability 0.95, by drawing again and again."""
    dice = random.Random(1)
    drawn = sorted(statistics.median(dice.choices(ratios, k=len(ratios))) for _ in range(4000))
    return statistics.median(ratios), drawn[100], drawn[-101]


def _verdict(value: float, goal: float) -> str:
    return "within the goal" if value <= goal else "OVER the goal"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=0, help="pages of the large library")
    options.add_argument("--library", type=Path, help="where the large library is, or is to be")
    options.add_argument("--browser", action="store_true", help="measure in Chromium")
    options.add_argument("--watched", action="store_true", help="measure what watching costs")
    options.add_argument("--stretches", type=float, default=90.0, help="seconds of each watched crawl's stretches")
    options.add_argument("--rounds", type=int, default=3, help="pairs of whole crawls")
    options.add_argument("--crawl-pages", type=int, default=800)
    given = options.parse_args()
    with one_blas_thread():  # as the command line has it: threads that wait for each other would be measured instead
        _measure(given)


def _measure(given: argparse.Namespace) -> None:
    if given.pages or given.library:
        with tempfile.TemporaryDirectory() as temporary:
            folder = given.library or Path(temporary) / "large"
            if not (folder / "library.db").exists():
                reading.make(folder, given.pages or 1_000_000)
            _views(folder)
    if given.browser:
        asyncio.run(in_browser.measure(BrowserLines()))
    if given.watched:
        _watched(given.stretches, given.rounds, given.crawl_pages)


if __name__ == "__main__":
    main()
