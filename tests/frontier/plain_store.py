"""A store in a dict: what a library does to waiting links, in the plainest way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenthound.merge_rules import merged
from scenthound.model import Waiting
from scenthound.protocols.records import HostQueue


class PlainStore:
    def __init__(self) -> None:
        self.rows: dict[int, Waiting] = {}
        self.over: set[int] = set()
        self.reads = 0

    # What the engine does

    def record(self, rows: Iterable[Waiting]) -> None:
        for row in rows:
            self.over.discard(row.id)
            self.rows[row.id] = row if row.rule is None else merged(self.rows[row.id], row, row.rule)

    def finish(self, number: int) -> None:
        self.over.add(number)

    # What the frontier asks for

    def waiting(self, host: str, limit: int) -> Sequence[Waiting]:
        self.reads += 1
        rows = [row for row in self._waiting() if row.host == host]
        return sorted(rows, key=lambda row: (-row.priority, row.order))[:limit]

    def queues(self) -> Iterable[HostQueue]:
        hosts: dict[str, list[float]] = {}
        for row in self._waiting():
            hosts.setdefault(row.host, []).append(row.priority)
        return [HostQueue(host, len(priorities), max(priorities)) for host, priorities in hosts.items()]

    def known(self) -> Iterable[tuple[int, bool]]:
        return [(number, number not in self.over) for number in self.rows.keys() | self.over]

    def leases(self, numbers: Sequence[int]) -> list[Waiting]:
        return [self.rows[number] for number in numbers]

    def next_order(self) -> int:
        return max((row.order for row in self.rows.values()), default=-1) + 1

    def _waiting(self) -> list[Waiting]:
        return [row for row in self.rows.values() if row.id not in self.over]
