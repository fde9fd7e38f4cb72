"""What the frontier does with a link that is found again. The rules are those of `scenthound.merge_rules`; here is
what spares a frontier work: no row where nothing changes, and of a link in the store no more than a note.
"""

from __future__ import annotations

from scenthound.frontier.fingerprints import UNKNOWN, WAITS, Note
from scenthound.merge_rules import merged_parts, prevails
from scenthound.model import MergeRule, Ranked, Waiting

BOUND = 1e300
"""Priorities live within this: sums of them stay finite, and infinity stays free for robots requests."""


def finite(priority: float) -> float:
    """The priority as a number that sorts: what is not a number goes last, infinities to the ends."""
    priority = float(priority)
    if -BOUND <= priority <= BOUND:
        return priority
    return BOUND if priority > 0 else -BOUND


def merge(old: Waiting, new: Ranked, priority: float, depth: int, hops: int, rule: MergeRule) -> Waiting | None:
    """`old` with the word of `new` merged in, or None if that changes nothing."""
    if depth >= old.depth and rule != "mean" and not prevails(priority, old.priority, rule):
        return None
    return merged_parts(old, new.link, new.memory, priority, 1, depth, hops, rule)


def merge_note(note: Note, priority: float, depth: int, rule: MergeRule) -> Note:
    """What is known of a link in the store after the library merged this into it, as far as that can be known here."""
    if rule == "last":
        return priority, min(depth, note[1])
    if rule == "mean" or note[0] == UNKNOWN:
        return WAITS
    if prevails(priority, note[0], rule):
        return priority, min(depth, note[1])
    return note if depth >= note[1] else (note[0], depth)
