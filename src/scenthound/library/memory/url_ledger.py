"""Where every URL stands, as the steps leave it one after the other: the contract for URLs in plain dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nsmallest

from msgspec import Struct
from msgspec.structs import replace

from scenthound.library.step_rules import STATE_CHANGING
from scenthound.merge_rules import merged
from scenthound.model import Link, Refusal, State, Step, Waiting, reason_kind
from scenthound.protocols.records import HostQueue, UrlRow
from scenthound.text.surrogates import encodable


class UrlEntry(Struct):
    """A URL, how it was found, and what became of it."""

    state: State
    reason: str
    row: Waiting
    found_at: float
    changed_at: float


class UrlLedger:
    """id -> what is known of the URL."""

    def __init__(self) -> None:
        self.entries: dict[int, UrlEntry] = {}
        self.next_order = 0
        self._waiting: dict[str, dict[int, Waiting]] = {}  # host -> its links that wait

    # What steps do

    def take_in(self, step: Step) -> None:
        if step.check is None:
            self._end(step)
        elif step.check.outcome in STATE_CHANGING:
            self._look_again(step)
        for new in step.found:
            self._find(new, step.at)
        for refusal in step.refused:
            self._refuse(refusal, step.at)

    def _end(self, step: Step) -> None:
        """A request ended: the row is kept as given; of a link refused when its turn came only the state is new."""
        old = self.entries.get(step.lease.id)
        if step.state == "refused":
            self._set(old, step.state, step.reason, old.row if old is not None else step.lease, step.at)
        else:
            self._set(old, step.state, step.reason, step.lease, step.at)
            self._count(step.lease)

    def _look_again(self, step: Step) -> None:
        """A stored page was looked at once more: the way to it stays."""
        old = self.entries.get(step.lease.id)
        self._set(old, step.state, step.reason, old.row if old is not None else step.lease, step.at)

    def _find(self, new: Waiting, at: float) -> None:
        """A link was found: one that waits is merged, a refused one begins anew, for all others it is no news."""
        self._count(new)
        old = self.entries.get(new.id)
        if old is None or old.state == "refused":
            self._set(old, "waiting", "", new, at)
        elif old.state == "waiting":
            row = new if new.rule is None else merged(old.row, new, new.rule)
            self._set(old, "waiting", old.reason, row, at)

    def _refuse(self, refusal: Refusal, at: float) -> None:
        if refusal.id not in self.entries:
            row = Waiting(refusal.id, refusal.link, refusal.host, 0.0, 0, refusal.depth)
            self._set(None, "refused", refusal.reason, row, at)

    def _set(self, old: UrlEntry | None, state: State, reason: str, row: Waiting, at: float) -> None:
        row = row if row.rule is None else replace(row, rule=None)
        self.entries[row.id] = UrlEntry(state, reason, row, at if old is None else old.found_at, at)
        if state == "waiting":
            self._waiting.setdefault(row.host, {})[row.id] = row
        elif old is not None and old.state == "waiting":
            del self._waiting[row.host][row.id]

    def rank_again(self, number: int, priority: float) -> bool:
        """Gives a link that waits another priority; was it another one?"""
        entry = self.entries.get(number)
        if entry is None or entry.state != "waiting" or entry.row.priority == priority:
            return False
        entry.row = self._waiting[entry.row.host][number] = replace(entry.row, priority=priority)
        return True

    def _count(self, row: Waiting) -> None:
        self.next_order = max(self.next_order, row.order + 1)

    # What is asked

    def waiting(self, host: str, limit: int) -> list[Waiting]:
        rows = self._waiting.get(host, {}).values()
        return [readable(row) for row in nsmallest(limit, rows, key=_claim)]

    def queues(self) -> list[HostQueue]:
        return [
            HostQueue(host, len(rows), max(row.priority for row in rows.values()))
            for host, rows in sorted(self._waiting.items())
            if rows
        ]

    def known(self) -> list[tuple[int, bool]]:
        states = ((number, entry.state) for number, entry in self.entries.items())
        return [(number, state == "waiting") for number, state in states if state != "refused"]

    def of(self, state: State) -> Iterator[UrlEntry]:
        return (entry for entry in self.entries.values() if entry.state == state)

    def in_order(self, state: State) -> list[UrlEntry]:
        """In the order of discovery."""
        return sorted(self.of(state), key=lambda entry: (entry.row.order, entry.row.id))

    def reasons(self, state: State) -> dict[str, int]:
        """How often each kind of reason was given, the most frequent first."""
        found: dict[str, int] = {}
        for entry in self.of(state):
            kind = reason_kind(entry.reason)
            found[kind] = found.get(kind, 0) + 1
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def ahead(self, row: UrlRow) -> tuple[int, int]:
        claim = (-row.priority, row.order)
        better = [entry.row.host for entry in self.of("waiting") if _claim(entry.row)[:2] < claim]
        return len(better), better.count(row.host)

    def row(self, number: int) -> UrlRow | None:
        entry = self.entries.get(number)
        if entry is None:
            return None
        row = readable(entry.row)
        return UrlRow(
            url=row.link.url,
            host=row.host,
            state=entry.state,
            reason=entry.reason,
            priority=row.priority,
            order=row.order,
            depth=row.depth,
            evidence=row.evidence,
            tries=row.tries,
            hops=row.hops,
            not_before=row.not_before,
            memory=row.memory,
            link=row.link,
            found_at=entry.found_at,
            changed_at=entry.changed_at,
        )


def _claim(row: Waiting) -> tuple[float, int, int]:
    return -row.priority, row.order, row.id


def readable(row: Waiting) -> Waiting:
    """As a library on a disk gives it back, where half a surrogate pair cannot be written."""
    link = readable_link(row.link)
    return row if link is row.link else replace(row, link=link)


def readable_link(link: Link) -> Link:
    texts = (link.url, link.source, link.anchor, link.title, link.context)
    if all(map(str.isascii, texts)):
        return link
    url, source, anchor, title, context = encodable(texts)
    return replace(link, url=url, source=source, anchor=anchor, title=title, context=context)


def bare(links: Iterable[Link]) -> list[Link]:
    """Links as a library keeps them: without what stood around them."""
    return [replace(readable_link(link), context="") for link in links]
