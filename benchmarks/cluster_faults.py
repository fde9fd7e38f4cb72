"""What faults do to a crawl by workers: kills, stops and cuts at random, and a witness who looks on from outside.

    ./run python benchmarks/cluster_faults.py --count 35 --seed 1

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
"""

from __future__ import annotations

import argparse
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from msgspec import Struct, field

PARTS = Path(__file__).parent / "cluster_parts"
sys.path.insert(0, str(PARTS))

from breakable_cluster import NAME, BreakableCluster  # noqa: E402
from fault_evidence import Evidence, Witness, gathered  # noqa: E402

KINDS = ["worker"] * 6 + ["pause"] * 4 + ["cut"] * 4 + ["postgres"] * 3 + ["node"] * 2 + ["driver"] * 2 + ["head"]
DELAY = 0.2
PAGES = 2_000  # of a host
LEASE = 4.0
PATIENCE = 180.0  # seconds after which a crawl that stores nothing hangs
NEW = 10  # pages that say that it goes on


class FaultFigures(Struct):
    """What came of all faults of a kind."""

    count: int = 0
    alone: int = 0  # the crawl went on by itself
    same_command: int = 0  # the driver was started again
    unclean: int = 0  # it ended without a word, or with a traceback
    hung: int = 0
    back: list[float] = field(default_factory=list)  # longest time in seconds without a new page
    taken: list[float] = field(default_factory=list)  # seconds until all lost shards had an owner
    others: int = 0  # shards that changed hands and were not those of the lost worker


class FaultRun:
    def __init__(self, cluster: BreakableCluster, witness: Witness, draw: random.Random) -> None:
        self.cluster, self.witness, self.draw = cluster, witness, draw
        self.figures: dict[str, FaultFigures] = defaultdict(FaultFigures)

    def one(self, kind: str) -> None:
        figures, cluster = self.figures[kind], self.cluster
        figures.count += 1
        began, driver = time.time(), cluster.driver
        getattr(self, f"_{kind}")(figures)
        if self._goes_on(figures):
            figures.back.append(self.witness.longest_pause(began))
            figures.alone += cluster.driver is driver
            figures.same_command += cluster.driver is not driver
        else:
            figures.hung += 1
        self.witness.look()

    def _goes_on(self, figures: FaultFigures) -> bool:
        """Whether new pages are stored. A driver that has ended is started again, as a person would."""
        wanted, deadline = self.witness.stored() + NEW, time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.cluster.driver.poll() is not None:
                self._ended(figures)
            if self.witness.stored() >= wanted:
                return True
            time.sleep(0.2)
        return False

    def _ended(self, figures: FaultFigures) -> None:
        status, said = self.cluster.driver.returncode, self.cluster.said()
        figures.unclean += status < 0 or "Traceback" in said
        print(f"the driver ended with {status}: {said.strip().splitlines()[-1:]}", file=sys.stderr, flush=True)
        self.cluster.start_driver()

    # The faults

    def _worker(self, figures: FaultFigures) -> None:
        if actors := self.cluster.actors():
            actor = self.draw.choice(actors)
            owners = self.witness.owners()
            actor.kill()
            self._taken_over(figures, owners, [actor.pid])

    def _node(self, figures: FaultFigures) -> None:
        nth, owners = self.draw.randrange(3), self.witness.owners()
        lost = self.cluster.kill_node(nth)
        self._taken_over(figures, owners, lost)
        self.cluster.replace_node(nth)

    def _driver(self, figures: FaultFigures) -> None:
        self.cluster.driver.send_signal(signal.SIGKILL)
        self.cluster.driver.wait()
        self.cluster.start_driver()

    def _head(self, figures: FaultFigures) -> None:
        self.cluster.kill_head()
        try:
            self.cluster.driver.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            figures.hung += 1
            self.cluster.driver.kill()
            self.cluster.driver.wait()
        self.cluster.stop_ray()
        self.cluster.start_ray()

    def _postgres(self, figures: FaultFigures) -> None:
        self.cluster.kill_postgres()
        time.sleep(self.draw.uniform(0.5, 8.0))
        self.cluster.start_postgres()

    def _pause(self, figures: FaultFigures) -> None:
        if actors := self.cluster.actors():
            actor, owners = self.draw.choice(actors), self.witness.owners()
            actor.suspend()
            self._taken_over(figures, owners, [actor.pid])
            time.sleep(self.draw.uniform(0.0, 3.0))
            actor.resume()

    def _cut(self, figures: FaultFigures) -> None:
        if actors := self.cluster.actors():
            actor, owners = self.draw.choice(actors), self.witness.owners()
            self.cluster.proxy.cut(actor.pid)
            self._taken_over(figures, owners, [actor.pid])
            time.sleep(self.draw.uniform(0.0, 3.0))
            self.cluster.proxy.mend()

    def _taken_over(self, figures: FaultFigures, owners: dict[int, str], lost: list[int]) -> None:
        """Waits until every shard of the lost workers is another's."""
        names = {owner for owner in owners.values() if any(f"-{pid}-" in owner for pid in lost)}
        theirs = {shard for shard, owner in owners.items() if owner in names}
        began = time.monotonic()
        while theirs and time.monotonic() < began + 10 * LEASE:
            now = self.witness.owners()
            if all(now.get(shard, next(iter(names))) not in names for shard in theirs):
                figures.taken.append(time.monotonic() - began)
                figures.others += sum(now.get(s) != owner for s, owner in owners.items() if s not in theirs)
                return
            time.sleep(0.05)


@contextmanager
def served(log: Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(PARTS / "linked_hosts.py"), str(port), str(log), str(PAGES)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield port
    finally:
        server.kill()
        server.wait()


def broken(count: int, minutes: float, seed: int, kinds: list[str]) -> tuple[dict[str, FaultFigures], Evidence, str]:
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="faults-") as name:
        place = Path(name)
        place.chmod(0o755)  # PostgreSQL may run as another user
        with served(place / "log") as port:
            cluster = BreakableCluster(place, port, DELAY)
            try:
                run = FaultRun(cluster, Witness(cluster.server, NAME), draw)
                _begun(run)
                deadline = time.monotonic() + 60 * minutes
                for nth in range(count):
                    if time.monotonic() > deadline:
                        break
                    kind = draw.choice(kinds)
                    print(f"{nth + 1}: {kind}", file=sys.stderr, flush=True)
                    run.one(kind)
                    time.sleep(draw.uniform(0.0, 2.0))
                ending = _stopped(cluster)
                return dict(run.figures), gathered(place / "log", cluster.folder, DELAY, PAGES, run.witness), ending
            finally:
                cluster.close()


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


def table(figures: dict[str, FaultFigures]) -> Iterator[str]:
    yield "| fault | times | went on by itself | by the same command | longest without a page, median and worst |" + (
        " shards taken over after, median and worst | other shards moved |"
    )
    yield "|---|---|---|---|---|---|---|"
    for kind in dict.fromkeys(KINDS):
        if (each := figures.get(kind)) is not None:
            taken = f"{median(each.taken):.1f} s, {max(each.taken):.1f} s" if each.taken else ""
            back = f"{median(each.back):.1f} s, {max(each.back):.1f} s" if each.back else ""
            moved = str(each.others) if each.taken else ""
            yield f"| {kind} | {each.count} | {each.alone} | {each.same_command} | {back} | {taken} | {moved} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=35)
    parser.add_argument("--minutes", type=float, default=30.0, help="no new fault after that, in each run")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="a run for each")
    parser.add_argument("--kinds", nargs="+", choices=sorted(set(KINDS)), help="only these faults")
    given = parser.parse_args()
    all_figures: dict[str, FaultFigures] = {}
    wrong, rows = 0, []
    for seed in given.seed:
        figures, found, ending = broken(given.count, given.minutes, seed, given.kinds or KINDS)
        for kind, each in figures.items():
            all_figures[kind] = _added(all_figures.get(kind), each)
        wrong += found.wrong + bool(ending) + sum(each.hung + each.unclean for each in figures.values())
        if ending:
            print(ending)
        rows.append((seed, found))
    print("\n".join(table(all_figures)))
    print("\n| seed | requests | smallest pause of a host | at once | too soon | pages | lost | twice | not readable |")
    print("|---|---|---|---|---|---|---|---|---|")
    for seed, e in rows:
        print(
            f"| {seed} | {e.requests} | {e.smallest_gap:.3f} s of {DELAY} | {e.at_once} | {e.too_soon} | {e.pages} | "
            f"{e.lost} | {e.twice} | {e.unreadable + e.never_asked} |"
        )
    print(f"\nhung {sum(f.hung for f in all_figures.values())}, ", end="")
    print(f"ended without a word {sum(f.unclean for f in all_figures.values())}, wrong in all: {wrong}")
    return int(wrong > 0)


def _added(one: FaultFigures | None, other: FaultFigures) -> FaultFigures:
    if one is None:
        return other
    return FaultFigures(*(getattr(one, name) + getattr(other, name) for name in FaultFigures.__struct_fields__))


if __name__ == "__main__":
    sys.exit(main())
