"""What faults do to a crawl by workers: kills, stops and cuts at random, and a witness who looks on from outside.

    ./run python benchmarks/cluster_faults.py                  crawls until 100 faults are checked; then the tables
    ./run python benchmarks/cluster_faults.py --wanted 12 --kinds worker pause cut --kept lab/hand-over.jsonl
    ./run python benchmarks/cluster_faults.py --wanted 0       only the tables of what is kept

Three workers on a Ray cluster of a head and three nodes (`ray.cluster_utils`, all on this machine), a real PostgreSQL
server, real HTTP on loopback: 24 hosts (`cluster_parts/linked_hosts.py`). Every few seconds one of these is broken:

| fault | what is done |
|---|---|
| worker | the process of a worker is killed with SIGKILL |
| node | a Ray node (its raylet) is killed; another joins |
| driver | the program that was typed is killed; it is started again with the same command |
| head | Ray's head (its GCS) is killed; the driver has to end with a word. Cluster and driver are started again |
| postgres | the database server is killed, and started again seconds later |
| pause | a worker is stopped (SIGSTOP) for longer than its lease lasts, and goes on |
| cut | a worker is cut off from PostgreSQL for longer than its lease lasts |

After each one the crawl has to store pages again. The witness keeps every page and answer that was ever seen in the
database, and asks at the end: is all of it there, once, can each answer be read, and is it what the server says? The
server's own log says whether a host was asked twice at once, or sooner than its delay.

Some faults make a crawl (`--faults`), which is a line of the file of `--kept` once it was checked to its end. Whoever
interrupts it loses one crawl, and the same command goes on.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct, field

from cluster_parts.breakable_cluster import NAME, BreakableCluster
from cluster_parts.fault_evidence import Evidence, Witness, gathered
from cluster_parts.fault_run import NEW, PATIENCE, FaultFigures, FaultRun, StallWatch
from cluster_parts.own_web import served

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))
from scripts.doc_results import script_digest  # noqa: E402

KINDS = ["worker"] * 6 + ["pause"] * 4 + ["cut"] * 4 + ["postgres"] * 3 + ["node"] * 2 + ["driver"] * 2 + ["head"]
DELAY = 1.0  # seconds: 24 hosts are 24 pages a second, which leaves a core to what the faults are about
PAGES = 2_000  # of a host


class FaultCrawl(Struct):
    """One crawl, checked to its end."""

    seed: int
    at: str
    code: str  # digest of what it depends on
    figures: dict[str, FaultFigures]
    evidence: Evidence
    ending: str = ""  # what was wrong with its end
    stood_still: float = field(default=0.0)  # seconds that this program itself was stopped, by whoever needed the cores

    @property
    def faults(self) -> int:
        return sum(each.count for each in self.figures.values())

    @property
    def wrong(self) -> int:
        unwell = sum(each.hung + each.unclean for each in self.figures.values())
        return self.evidence.wrong + bool(self.ending) + unwell


def broken(count: int, seed: int, kinds: Sequence[str], code: str) -> FaultCrawl:
    draw, stalls = random.Random(seed), StallWatch()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="faults-") as name:
        place = Path(name)
        place.chmod(0o755)  # PostgreSQL may run as another user
        with served("linked_hosts.py", str(place / "log"), str(PAGES)) as port:
            cluster = BreakableCluster(place, port, DELAY)
            try:
                run = FaultRun(cluster, Witness(cluster.server, NAME), draw, stalls)
                _begun(run)
                for nth in range(count):
                    kind = draw.choice(kinds)
                    print(f"crawl {seed}, fault {nth + 1}: {kind}", file=sys.stderr, flush=True)
                    run.one(kind)
                    time.sleep(draw.uniform(0.0, 1.0))
                ending = _stopped(cluster)
                found = gathered(place / "log", cluster.folder, DELAY, PAGES, run.witness)
            finally:
                cluster.close()
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return FaultCrawl(seed, at, code, dict(run.figures), found, ending, stalls.seconds)


def _begun(run: FaultRun) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if run.witness.stored() >= NEW:
                return
        except Exception:  # no table yet
            pass
        if run.cluster.driver.poll() is not None:
            break
        time.sleep(0.5)
    raise SystemExit(f"The crawl does not begin: {run.cluster.said()[-2000:]}")


def _stopped(cluster: BreakableCluster) -> str:
    """As a person stops it, with Ctrl-C: a clean end, or what was wrong with it."""
    cluster.driver.send_signal(signal.SIGINT)
    try:
        status = cluster.driver.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        return "it did not end when it was told to"
    return "" if status == 0 else f"it ended with {status}: {cluster.said()[-300:]}"


# What is kept


def kept_in(path: Path) -> list[FaultCrawl]:
    if not path.is_file():
        return []
    return [msgspec.json.decode(line, type=FaultCrawl) for line in path.read_bytes().splitlines()]


def keep(path: Path, crawl: FaultCrawl) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(crawl) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def fault_table(crawls: Sequence[FaultCrawl]) -> Iterator[str]:
    yield "| fault | times | went on by itself | by the same command | longest without a page, median and worst |" + (
        " shards taken over after, median and worst | other shards moved |"
    )
    yield "|---|---|---|---|---|---|---|"
    for kind in dict.fromkeys(KINDS):
        found = [crawl.figures[kind] for crawl in crawls if kind in crawl.figures]
        if found:
            each = FaultFigures(
                *(sum((getattr(one, name) for one in found), type(getattr(found[0], name))()) for name in _FIGURES)
            )
            moved = str(each.others) if each.taken else ""
            numbers = f"{each.count} | {each.alone} | {each.same_command}"
            yield f"| {kind} | {numbers} | {_seconds(each.back)} | {_seconds(each.taken)} | {moved} |"


_FIGURES = FaultFigures.__struct_fields__


def _seconds(times: Sequence[float]) -> str:
    return f"{median(times):.1f} s, {max(times):.1f} s" if times else ""


def evidence_table(crawls: Sequence[FaultCrawl]) -> Iterator[str]:
    yield (
        "| crawls | faults | requests | smallest pause of a host | at once | too soon | pages | lost | twice | "
        "not readable | hung | ended without a word |"
    )
    yield "|---" * 12 + "|"
    names = ("requests", "at_once", "too_soon", "pages", "lost", "twice", "unreadable", "never_asked")
    whole = {name: sum(getattr(crawl.evidence, name) for crawl in crawls) for name in names}
    hung, unclean = (
        sum(getattr(each, name) for crawl in crawls for each in crawl.figures.values()) for name in ("hung", "unclean")
    )
    smallest = min((crawl.evidence.smallest_gap for crawl in crawls), default=0.0)
    yield (
        f"| {len(crawls)} | {sum(crawl.faults for crawl in crawls)} | {whole['requests']} | {smallest:.3f} s of {DELAY}"
        f" | {whole['at_once']} | {whole['too_soon']} | {whole['pages']} | {whole['lost']} | {whole['twice']} | "
        f"{whole['unreadable'] + whole['never_asked']} | {hung} | {unclean + sum(bool(c.ending) for c in crawls)} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--wanted", type=int, default=100, help="faults in all, those that are kept counted")
    parser.add_argument("--faults", type=int, default=10, help="in one crawl")
    parser.add_argument("--seed", type=int, default=1, help="of the first crawl; each has another")
    parser.add_argument("--kinds", nargs="+", choices=sorted(set(KINDS)), help="only these faults")
    parser.add_argument("--kept", type=Path, default=ROOT / "lab" / "docs" / "cluster-faults.jsonl")
    given = parser.parse_args()
    code = script_digest(Path(__file__))
    # A shell that starts a job in the background has it ignore Ctrl-C, and so would the driver until it has a handler.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    while (done := sum(each.faults for each in kept_in(given.kept))) < given.wanted:
        seed = given.seed + len(kept_in(given.kept))
        crawl = broken(min(given.faults, given.wanted - done), seed, given.kinds or KINDS, code)
        keep(given.kept, crawl)
        print(f"crawl {seed}: {crawl.faults} faults, wrong: {crawl.wrong}", file=sys.stderr, flush=True)
    crawls = kept_in(given.kept)
    print("\n".join([*fault_table(crawls), "", *evidence_table(crawls)]))
    for crawl in crawls:
        if crawl.wrong:
            print(f"\nWrong in crawl {crawl.seed}: {msgspec.json.encode(crawl).decode()}", file=sys.stderr)
    if older := sum(each.faults for each in crawls if each.code != code):
        print(f"\nOf these, {older} faults were done to code as it was before.")
    return int(any(crawl.wrong for crawl in crawls))


if __name__ == "__main__":
    sys.exit(main())
