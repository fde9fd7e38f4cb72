"""One crawl by workers to which faults are done, one after the other: what each did, and whether the crawl went on."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict

from msgspec import Struct, field

from cluster_parts.breakable_cluster import BreakableCluster
from cluster_parts.fault_evidence import Witness

LEASE = 3.0
LOOK, STALLED = 1.0, 3.0
PATIENCE = 180.0  # seconds after which a crawl that stores nothing hangs
NEW = 10  # pages that say that it goes on
STARTING = "Starting"  # the driver says so when it has the library to itself


class FaultFigures(Struct):
    """What came of all faults of a kind."""

    count: int = 0
    alone: int = 0  # the crawl went on by itself
    same_command: int = 0  # the driver was started again
    unclean: int = 0  # it ended without a word, or with a traceback
    hung: int = 0
    back: list[float] = field(default_factory=list)  # longest time in seconds without a new page
    taken: list[float] = field(default_factory=list)  # seconds until all lost shards had an owner
    others: int = 0  # shards of others that changed hands among those who were there


class StallWatch:
    """How long this program stood still, stopped by whoever needed the cores: such time is no measure of anything."""

    def __init__(self) -> None:
        self.seconds = 0.0
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        last = time.monotonic()
        while True:
            time.sleep(LOOK)
            now = time.monotonic()
            self.seconds += now - last if now - last > STALLED else 0.0
            last = now

    def now(self) -> float:
        """A clock that runs while this program does, and is at most `STALLED` ahead of it."""
        return time.monotonic() - self.seconds


class FaultRun:
    def __init__(self, cluster: BreakableCluster, witness: Witness, draw: random.Random, stalls: StallWatch) -> None:
        self.cluster, self.witness, self.draw, self.stalls = cluster, witness, draw, stalls
        self.figures: dict[str, FaultFigures] = defaultdict(FaultFigures)

    def one(self, kind: str) -> None:
        figures, cluster = self.figures[kind], self.cluster
        figures.count += 1
        began, driver, stalled = time.time(), cluster.driver, self.stalls.seconds
        getattr(self, f"_{kind}")(figures)
        if self._goes_on(figures):
            if stalled == self.stalls.seconds:
                figures.back.append(self.witness.longest_pause(began))
            figures.alone += cluster.driver is driver
            figures.same_command += cluster.driver is not driver
        else:
            figures.hung += 1
        self.witness.look()

    def _goes_on(self, figures: FaultFigures) -> bool:
        """Whether new pages are stored. A driver that has ended is started again, as a person would."""
        wanted, deadline = self.witness.stored() + NEW, self.stalls.now() + PATIENCE
        while self.stalls.now() < deadline:
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
        self._leads()

    def _leads(self) -> None:
        """Until the driver starts workers of its own: the pages before that are of those that were left behind."""
        deadline = self.stalls.now() + PATIENCE
        while STARTING not in self.cluster.said() and self.cluster.driver.poll() is None:
            if self.stalls.now() > deadline:
                return  # it hangs, as is seen when no page comes
            time.sleep(0.1)

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
        began, stalled = time.monotonic(), self.stalls.seconds
        while theirs and self.stalls.seconds == stalled and time.monotonic() < began + 10 * LEASE:
            now = self.witness.owners()
            if all(now.get(shard, next(iter(names))) not in names for shard in theirs):
                figures.taken.append(time.monotonic() - began)
                # Whoever Ray starts meanwhile gets its share of all; that is no move between those who were there.
                there = set(owners.values()) - names
                figures.others += sum(
                    now.get(s) in there and now.get(s) != owner for s, owner in owners.items() if s not in theirs
                )
                return
            time.sleep(0.05)
