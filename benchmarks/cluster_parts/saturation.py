"""From 1 to 256 workers by simulation, with the costs that `speed` measured: where does it saturate, and by what?

A worker asks for pages (one question at a time: a lock a library), fetches and reads them on a core of its own, learns
from what others tell it, at most `MOST` pages a second, and stores them in batches; numbers of pages are given out
under a lock that is held while a batch is stored. It reads on while a batch waits, up to `AHEAD` pages. It reports now
and then, under the first lock. There are always enough hosts and links; networks and disks do not wait.

It is told thrice: as it is; with the lock of numbers divided among `PARTS` (tables divided by shard); and with that and
nothing learned from others. PostgreSQL has `CORES` cores.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from math import ceil
from pathlib import Path

import msgspec
from msgspec import Struct

from scenthound.cluster.lease_keeper import BEAT
from scenthound.cluster.shared_learning import EVERY, MOST
from scenthound.library.postgres.shard_leases import MOST_AT_ONCE
from scenthound.library.sql.writer import MOST_STEPS
from scenthound.report.curves_picture import draw

SPEED = Path(__file__).parents[2] / "docs" / "results" / "cluster-speed.json"
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
AHEAD = MOST_STEPS
CORES, PARTS = 16, 16
SECONDS = 30.0  # that are simulated

# The plan for a billion pages: what is assumed beside the costs that were measured.
PAGES, DAYS = 1_000_000_000, (90, 30, 10)
BUSY = 0.7  # share of its time that a core or a lock may be busy
WAITING_A_PAGE, LINK_BYTES = 9, 551  # waiting links for each page, as `soak.py` found; and `links` with 50,000,000
ROW_BYTES, WARC_BYTES = 6_000, 10_000  # of a page in PostgreSQL (row, text, links), and of its answer in a WARC file
CORE_HOUR, DISK_MONTH, OBJECT_MONTH = 0.04, 0.10, 0.023  # assumed prices: dollars, of a core, of a GB


class Costs(Struct, frozen=True):
    """Seconds: of a page in its worker, in PostgreSQL and of the lock of numbers; of a question, a report, a lesson."""

    worker: float
    server: float
    lock: float
    allotment: float
    report: float
    lesson: float


class Saturation(Struct, frozen=True):
    rate: float  # pages a second
    numbers: float  # share of the time that the lock of numbers is held
    questions: float  # and that of questions
    learning: float  # share of a worker's time


def measured_costs() -> Costs:
    """Those of the last crawl in the tables that `speed` printed: the default strategy, by most workers."""
    rates, costs = map(_last_row, msgspec.json.decode(SPEED.read_bytes())["text"].strip().split("\n\n"))
    return Costs(
        worker=float(rates["crawler, ms"]) / 1000,
        server=float(rates["PostgreSQL, ms"]) / 1000,
        lock=float(costs["lock a page, ms"]) / 1000,
        allotment=float(costs["an allotment, ms"]) / 1000,
        report=float(costs["a report, ms"]) / 1000,
        lesson=float(costs["heard, ms each"]) / 1000,
    )


def _last_row(table: str) -> Mapping[str, str]:
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return dict(zip(cells[0], cells[-1], strict=True))


def simulated(workers: int, costs: Costs, parts: int = 1, learns: bool = True) -> Saturation:
    """Event by event: the next one to act is always the one whose time is least."""
    numbers, questions = [0.0] * parts, 0.0  # when each lock is free
    held, asked, taught, pages = 0.0, 0.0, 0.0, 0
    turns = [(n / workers * BEAT, n, 0.0, 0.0) for n in range(workers)]  # now, who, its last turn, its last batch ends
    heapq.heapify(turns)
    while turns and turns[0][0] < SECONDS:
        now, who, last, stored = heapq.heappop(turns)
        service = costs.allotment + costs.report * (now - last) / BEAT
        questions = max(questions, now) + service
        asked += service
        passed = max(questions - last, 1e-9)
        others = pages / max(now, EVERY) * (workers - 1) / workers if learns else 0.0
        lessons = costs.lesson * min(others, MOST / EVERY) * passed
        taught += lessons
        read = questions + MOST_AT_ONCE * costs.worker + lessons
        # It reads on while its last batch is stored, but not without bounds.
        begins = max(read, stored - (AHEAD - MOST_AT_ONCE) * costs.worker)
        part = who % parts
        writing = MOST_AT_ONCE * costs.lock
        numbers[part] = max(numbers[part], begins) + writing
        if numbers[part] <= SECONDS:
            held += writing
            pages += MOST_AT_ONCE
        heapq.heappush(turns, (begins, who, now, numbers[part]))
    rate = min(pages / SECONDS, CORES / costs.server)
    return Saturation(rate, held / SECONDS / parts, asked / SECONDS, taught / SECONDS / workers)


def measure(svg: Path | None) -> None:
    costs = measured_costs()
    ways = {
        "as it is": [simulated(count, costs) for count in WORKERS],
        f"numbers in {PARTS} parts": [simulated(count, costs, PARTS) for count in WORKERS],
        "and nothing learned": [simulated(count, costs, PARTS, learns=False) for count in WORKERS],
    }
    print(f"| workers | {' | '.join(ways)} | lock of numbers | lock of questions | learning |")
    print("|---" * (len(ways) + 4) + "|")
    for at, count in enumerate(WORKERS):
        rates = " | ".join(f"{found[at].rate:,.0f}" for found in ways.values())
        first = ways["as it is"][at]
        shares = " | ".join(f"{min(1.0, share):.2f}" for share in (first.numbers, first.questions, first.learning))
        print(f"| {count} | {rates} | {shares} |")
    if svg is not None:
        lines = {
            name: [(float(count), each.rate) for count, each in zip(WORKERS, found, strict=True)]
            for name, found in ways.items()
        }
        top = max(each.rate for found in ways.values() for each in found)
        svg.write_text(draw(lines, "workers", "pages a second", top) + "\n", encoding="utf-8")
    print()
    _print_plan(costs)


def _print_plan(costs: Costs) -> None:
    database = PAGES * (WAITING_A_PAGE * LINK_BYTES + ROW_BYTES) / 1e12
    archive = PAGES * WARC_BYTES / 1e12
    print(
        "| days | pages a second | hosts at a delay of 1 s | workers | cores of PostgreSQL | libraries | "
        "PostgreSQL, TB | WARC, TB | dollars |"
    )
    print("|---" * 9 + "|")
    for days in DAYS:
        rate = PAGES / days / 86_400
        workers = ceil(rate * (costs.worker + costs.lesson) / BUSY)
        cores = ceil(rate * costs.server / BUSY)
        libraries = ceil(rate * costs.lock / BUSY)
        months = max(1.0, days / 30)
        dollars = (workers + cores) * 24 * days * CORE_HOUR
        dollars += 1000 * months * (database * DISK_MONTH + archive * OBJECT_MONTH)
        sizes = f"{database:.1f} | {archive:.1f} | {dollars:,.0f}"
        print(f"| {days} | {rate:,.0f} | {rate:,.0f} | {workers} | {cores} | {libraries} | {sizes} |")
