"""What steps do to URLs, settled so that each URL is written once a batch.

Eight things can happen to a URL's row:

    set      found; the row is stored as it is given
    max, min, last, mean
             found again; the row is merged into the stored one as `merge_rules` says
    shun     found and not taken in; noted unless the URL is known
    lease    a request ended; the row is stored as it is given, with its new state
    deny     refused when its turn came; only the state changes
    again    a stored page was looked at once more; state and latest answer change, the way to it stays

`set` and the merges touch only URLs that wait or were refused: all other states are final. Of two things that happen to
one URL in one batch most make one (`_combine`); where not, a new round begins, and rounds are written in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from scenthound import urls
from scenthound.library.sql.bulk_insert import Insert
from scenthound.library.sql.connection import Connection
from scenthound.merge_rules import merged
from scenthound.model import Link, Refusal, State, Waiting

STATES: tuple[State, ...] = ("waiting", "fetched", "failed", "refused", "moved")
WAITING, FETCHED, FAILED, REFUSED, MOVED = range(5)
CODES = {state: code for code, state in enumerate(STATES)}

COLUMNS = (
    "id", "url", "host", "state", "reason", "priority", "nth", "depth", "memory", "evidence", "tries", "hops",
    "not_before", "source", "anchor", "title", "context", "block", "position", "rel", "kind", "found_at", "changed_at",
    "version",
)  # fmt: skip

_WAY = ("source", "anchor", "title", "context", "block", "position", "rel", "kind", "memory", "hops")
_FINAL = frozenset({FETCHED, FAILED, MOVED})
_FINDS = frozenset({"set", "max", "min", "last", "mean"})


class UrlRecord(Struct):
    """A row of `urls`, and what is to happen with it. Not frozen: later news are worked into it."""

    what: str
    state: int
    reason: str
    entry: Waiting
    found_at: float
    changed_at: float
    version: int | None = None

    def values(self, source: int | None) -> tuple[Any, ...]:
        entry, link = self.entry, self.entry.link
        return (
            entry.id, link.url, entry.host, self.state, self.reason, entry.priority, entry.order, entry.depth,
            entry.memory, entry.evidence, entry.tries, entry.hops, entry.not_before, source, link.anchor,
            link.title, link.context, link.block, link.position, link.rel, link.kind, self.found_at,
            self.changed_at, self.version,
        )  # fmt: skip


def _combine(old: UrlRecord, new: UrlRecord) -> UrlRecord | None:
    """One row for both, or None where only the stored row can tell what the second one does."""
    if new.what == "shun":
        return old
    if new.what == "again" or old.what == "again":
        return _look_again(old, new)
    if new.what == "lease":
        new.found_at = old.found_at
        new.version = new.version or old.version
        return new
    if old.what == "lease" and old.state in _FINAL:
        return None if new.what == "deny" else old
    if old.what not in _FINDS or new.what == "deny":
        return None
    if new.what == "set":
        new.found_at = old.found_at
        return new
    if old.what == "set" or (old.what == new.what and old.what != "mean"):
        old.entry = merged(old.entry, new.entry, new.entry.rule or "last")
        old.changed_at = new.changed_at
        return old
    return None


def _look_again(old: UrlRecord, new: UrlRecord) -> UrlRecord | None:
    """A page's state is final: what finds it once more says nothing new, and of two looks the later one counts."""
    if new.what == old.what:
        new.version = new.version or old.version
        return new
    return old if new.what in _FINDS else None


class UrlChanges:
    """The changes of one batch, in rounds of rows that do not touch each other.

    `shunned` outlives the batch: the URLs lately shunned, which are known since and need not be noted again.
    """

    def __init__(self, shunned: set[int] | None = None) -> None:
        self.rounds: list[dict[int, UrlRecord]] = [{}]
        self.next_order = 0
        self._shunned = set() if shunned is None else shunned

    def found(self, entries: Iterable[Waiting], at: float) -> None:
        for entry in entries:
            self._add(UrlRecord(entry.rule or "set", WAITING, "", entry, at, at))

    def shun(self, refusals: Iterable[Refusal], at: float) -> None:
        shunned = self._shunned
        for refusal in refusals:
            if refusal.id in shunned:
                continue
            shunned.add(refusal.id)
            entry = Waiting(refusal.id, refusal.link, refusal.host, 0.0, 0, refusal.depth)
            self._add(UrlRecord("shun", REFUSED, refusal.reason, entry, at, at))

    def end(self, lease: Waiting, state: State, reason: str, at: float, version: int | None) -> None:
        self._add(UrlRecord("deny" if state == "refused" else "lease", CODES[state], reason, lease, at, at, version))

    def look(self, lease: Waiting, state: State, reason: str, at: float, version: int | None) -> None:
        self._add(UrlRecord("again", CODES[state], reason, lease, at, at, version))

    def _add(self, row: UrlRecord) -> None:
        current, entry = self.rounds[-1], row.entry
        if entry.order >= self.next_order and row.what not in ("shun", "deny", "again"):
            self.next_order = entry.order + 1
        old = current.get(entry.id)
        both = row if old is None else _combine(old, row)
        if both is None:
            self.rounds.append({entry.id: row})
        else:
            current[entry.id] = both

    def write(self, connection: Connection) -> None:
        for current in self.rounds:
            for kind, rows in rows_by_kind(current).items():
                INSERTS[kind](connection, rows)


def rows_by_kind(current: Mapping[int, UrlRecord]) -> dict[str, list[tuple[Any, ...]]]:
    by_kind: dict[str, list[tuple[Any, ...]]] = {}
    sources: dict[str, int | None] = {"": None}
    for _, row in sorted(current.items()):  # neighbours in the table are written together
        source = row.entry.link.source
        if source not in sources:
            sources[source] = urls.fingerprint(source)
        by_kind.setdefault(row.what, []).append(row.values(sources[source]))
    return by_kind


def waiting_from(row: tuple[Any, ...], same: dict[str, str] | None = None) -> Waiting:
    """A row of `URL_ROW` as the frontier knows it. Many have one host, and one source: `same` has each text once."""
    host, source = row[2], row[13] or ""
    if same is not None:
        host, source = same.setdefault(host, host), same.setdefault(source, source)
    link = Link(row[1], source, *row[14:21])
    return Waiting(row[0], link, host, row[5], row[6], row[7], row[8], row[9], row[10], row[11], row[12])


URL_ROW = (
    f"SELECT {', '.join('s.url' if name == 'source' else f'u.{name}' for name in COLUMNS)} "
    "FROM urls u LEFT JOIN urls s ON s.id = u.source "
)


def _assign(names: Iterable[str], value: str) -> str:
    return ", ".join(f"{name} = {value.format(name)}" for name in names)


def _either(condition: str, yes: str, no: str) -> str:
    return f"CASE WHEN {condition} THEN {yes} ELSE {no} END"


def _merge_sql(rule: str) -> str:
    """A refused URL that is found again starts anew; one that waits is merged."""
    better = {"max": "excluded.priority > urls.priority", "min": "excluded.priority < urls.priority", "last": "TRUE"}
    anew = f"urls.state = {REFUSED}"
    wins = f"({anew} OR {better.get(rule, better['max'])})"
    if rule == "mean":
        priority = _either(anew, "excluded.priority", _MEAN)
        evidence = _either(anew, "excluded.evidence", "urls.evidence + excluded.evidence")
    else:
        priority = _either(wins, "excluded.priority", "urls.priority")
        evidence = _either(anew, "excluded.evidence", "urls.evidence")
    depth = _either(f"{anew} OR excluded.depth < urls.depth", "excluded.depth", "urls.depth")
    return (
        f"ON CONFLICT (id) DO UPDATE SET priority = {priority}, evidence = {evidence}, depth = {depth}, "
        f"{_assign(_WAY, _either(wins, 'excluded.{0}', 'urls.{0}'))}, "
        f"{_assign(('nth', 'tries', 'not_before', 'reason'), _either(anew, 'excluded.{0}', 'urls.{0}'))}, "
        f"state = {WAITING}, changed_at = excluded.changed_at WHERE urls.state IN ({WAITING}, {REFUSED})"
    )


def _mean_sql() -> str:
    """The mean of all priorities. PostgreSQL refuses a division that ends below the smallest number: that is 0 here."""
    total = "(urls.priority * urls.evidence + excluded.priority * excluded.evidence)"
    count = "(urls.evidence + excluded.evidence)"
    return _either(f"abs({total}) * {2.0**200!r} <= {count} * {2.0**-875!r}", "0.0", f"{total} / {count}")


_MEAN = _mean_sql()


def _inserts() -> dict[str, Insert]:
    given = [name for name in COLUMNS if name not in ("id", "found_at", "version", "reason")]
    tails = {rule: _merge_sql(rule) for rule in ("max", "min", "last", "mean")}
    tails["set"] = (
        f"ON CONFLICT (id) DO UPDATE SET {_assign(given, 'excluded.{0}')}, "
        f"reason = {_either(f'urls.state = {REFUSED}', repr(''), 'urls.reason')} "
        f"WHERE urls.state IN ({WAITING}, {REFUSED})"
    )
    tails["shun"] = "ON CONFLICT (id) DO NOTHING"
    latest = "version = coalesce(excluded.version, urls.version)"
    tails["lease"] = f"ON CONFLICT (id) DO UPDATE SET {_assign([*given, 'reason'], 'excluded.{0}')}, {latest}"
    tails["deny"] = f"ON CONFLICT (id) DO UPDATE SET {_assign(('state', 'reason', 'changed_at'), 'excluded.{0}')}"
    tails["again"] = f"{tails['deny']}, {latest}"
    return {kind: Insert(f"urls ({', '.join(COLUMNS)})", len(COLUMNS), tail) for kind, tail in tails.items()}


INSERTS = _inserts()
